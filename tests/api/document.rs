//! The OpenAPI document as the tests read it: its operations, and its schemas as judges of what is sent and answered.

use jsonschema::Validator;
use leadscribe_engine::api::INITIAL_STATUSES;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Server};

/// The document of a running server.
pub struct Document(pub Value);

/// One operation of the document.
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

    /// All operations, in the order of the document.
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

    /// What is wrong with a value, by a schema of the document.
    pub fn faults(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut whole = schema.clone();
        whole["components"] = self.0["components"].clone();
        let validator: Validator = jsonschema::options().should_validate_formats(true).build(&whole).unwrap();
        validator.iter_errors(value).map(|error| format!("{}: {error:.300}", error.instance_path())).collect()
    }

    /// Checks an answer against what the operation promises.
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
    /// Its method and path, for messages.
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// What it says of answers with the status of this one.
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

    /// Its path with a value in each placeholder.
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

    /// The parameters that its query can't be without, with their examples, from the `?` on.
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

    /// The names of its placeholders.
    pub fn placeholders(&self) -> Vec<&str> {
        self.path.split('{').skip(1).map(|part| part.split('}').next().unwrap()).collect()
    }

    /// The media type of its body, and how that is described.
    pub fn body(&self) -> Option<(&str, &Value)> {
        let content = self.description["requestBody"]["content"].as_object()?;
        content.iter().next().map(|(media_type, content)| (media_type.as_str(), content))
    }

    /// Whether its body is JSON.
    pub fn takes_json(&self) -> bool {
        self.body().is_some_and(|(media_type, _)| media_type == "application/json")
    }

    /// Whether a way to prove who asks is among those that suffice.
    pub fn takes(&self, scheme: &str) -> bool {
        self.description["security"].as_array().into_iter().flatten().any(|way| way.get(scheme).is_some())
    }

    /// Whether nothing need be proved.
    pub fn is_open(&self) -> bool {
        let security = self.description["security"].as_array().unwrap();
        security.is_empty() || security.contains(&json!({}))
    }

    /// The body that the document gives as example, or that a test of its own knows.
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
