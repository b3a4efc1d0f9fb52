//! OpenAPI document: its operations, and its schemas as validators of requests and responses.

use jsonschema::Validator;
use leadscribe_engine::api::INITIAL_STATUSES;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Server};

/// OpenAPI document of a running server.
pub struct Document(pub Value);

/// Operation of the document.
#[derive(Clone, Debug)]
pub struct Operation {
    pub method: Method,
    pub path: String,
    pub description: Value,
}

impl Document {
    pub async fn of(server: &Server) -> Self {
        Self(server.admin().get("/api/openapi.json").await.expect(200))
    }

    /// Returns all operations in document order.
    pub fn operations(&self) -> Vec<Operation> {
        let paths = self.0["paths"].as_object().unwrap();
        let operations = paths.iter().flat_map(|(path, item)| {
            item.as_object().unwrap().iter().map(|(method, description)| Operation {
                method: method.to_uppercase().parse().unwrap(),
                path: path.clone(),
                description: description.clone(),
            })
        });
        operations.collect()
    }

    /// Validates a value against a schema of the document; returns the errors.
    pub fn faults(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut whole = schema.clone();
        whole["components"] = self.0["components"].clone();
        let validator: Validator = jsonschema::options().should_validate_formats(true).build(&whole).unwrap();
        validator.iter_errors(value).map(|error| format!("{}: {error:.300}", error.instance_path())).collect()
    }

    /// Checks a response against the operation's description.
    #[track_caller]
    pub fn check(&self, operation: &Operation, answer: &Answer) {
        let (name, promised) = (operation.name(), operation.promised(answer));
        let Some(content) = promised["content"].as_object() else {
            assert!(answer.body.is_empty(), "{name} answers a body, which it does not document");
            return;
        };
        let media_type = answer.header("content-type").unwrap().split(';').next().unwrap();
        let kind = media_type.split('/').next().unwrap();
        let described = content.get(media_type).or(content.get(&format!("{kind}/*")));
        let described = described.unwrap_or_else(|| panic!("{name} answers {media_type}, which it does not document"));
        if media_type.ends_with("json") {
            let faults = self.faults(&described["schema"], &answer.json());
            assert_eq!(faults, [""; 0], "{name} {}: {}", answer.status, answer.text());
        }
    }
}

impl Operation {
    /// Returns method and path, for messages.
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Returns the description of responses with this status.
    #[track_caller]
    pub fn promised(&self, answer: &Answer) -> &Value {
        let promised = &self.description["responses"][answer.status.to_string()];
        assert!(
            promised.is_object(),
            "{} answers {}, which it does not document: {}",
            self.name(),
            answer.status,
            answer.text()
        );
        promised
    }

    /// Returns the path with a value in each placeholder.
    pub fn target(&self, value: impl Fn(&str) -> String) -> String {
        let parts = self.path.split('/').map(|part| match part.strip_prefix('{') {
            Some(name) => {
                let (name, rest) = name.split_once('}').unwrap();
                value(name) + rest
            }
            None => part.to_owned(),
        });
        parts.collect::<Vec<_>>().join("/")
    }

    /// Returns the required query parameters with their examples, including the `?`.
    pub fn query(&self) -> String {
        let parameters = self.description["parameters"].as_array().into_iter().flatten();
        let needed = parameters.filter(|one| one["in"] == "query" && one["required"] == true);
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for parameter in needed {
            query.append_pair(parameter["name"].as_str().unwrap(), parameter["example"].as_str().unwrap());
        }
        let query = query.finish();
        if query.is_empty() { query } else { format!("?{query}") }
    }

    /// Returns the names of the path's placeholders.
    pub fn placeholders(&self) -> Vec<&str> {
        self.path.split('{').skip(1).map(|part| part.split('}').next().unwrap()).collect()
    }

    /// Returns the media type of the request body, and its description.
    pub fn body(&self) -> Option<(&str, &Value)> {
        let content = self.description["requestBody"]["content"].as_object()?;
        content.iter().next().map(|(media_type, content)| (media_type.as_str(), content))
    }

    /// True if the request body is JSON.
    pub fn takes_json(&self) -> bool {
        self.body().is_some_and(|(media_type, _)| media_type == "application/json")
    }

    /// True if the operation accepts this security scheme.
    pub fn takes(&self, scheme: &str) -> bool {
        self.description["security"].as_array().into_iter().flatten().any(|way| way.get(scheme).is_some())
    }

    /// True if the operation needs no credentials.
    pub fn is_open(&self) -> bool {
        let security = self.description["security"].as_array().unwrap();
        security.is_empty() || security.contains(&json!({}))
    }

    /// Returns an example body: from the document, or written for this test.
    pub fn example(&self) -> Option<Value> {
        let (_, content) = self.body()?;
        content.get("example").cloned().or_else(|| {
            Some(match self.name().as_str() {
                "POST /api/session" => json!({ "email": "admin@example.com", "password": crate::harness::PASSWORD }),
                "PUT /api/session/password" => {
                    json!({ "current_password": crate::harness::PASSWORD, "password": crate::harness::PASSWORD })
                }
                "PUT /api/statuses" => {
                    let initial = INITIAL_STATUSES.iter().map(|(name, ..)| *name);
                    json!({ "names": initial.chain(["call_back_later"]).collect::<Vec<_>>() })
                }
                "POST /api/users" => {
                    json!({ "email": "new@example.com", "password": "another good one", "role": "viewer" })
                }
                "PATCH /api/users/{user_id}" => json!({ "role": "admin" }),
                "POST /api/api-keys" => json!({ "name": "Nightly", "scopes": ["leads:read"] }),
                "POST /api/speech-tokens" => json!({ "name": "Acme" }),
                _ => return None,
            })
        })
    }
}
