//! OpenAPI document: its operations, and its schemas as validators of requests and responses.

use jsonschema::Validator;
use leadscribe_engine::api::INITIAL_STATUSES;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Response, Server};

/// OpenAPI document of a running server.
pub struct OpenApiDocument(pub Value);

/// Operation of the document.
#[derive(Clone, Debug)]
pub struct Operation {
    pub method: Method,
    pub path: String,
    pub description: Value,
}

impl OpenApiDocument {
    pub async fn fetch(server: &Server) -> Self {
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
    pub fn validation_errors(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut full_schema = schema.clone();
        full_schema["components"] = self.0["components"].clone();
        let validator: Validator = jsonschema::options().should_validate_formats(true).build(&full_schema).unwrap();
        validator.iter_errors(value).map(|error| format!("{}: {error:.300}", error.instance_path())).collect()
    }

    /// Checks a response against the operation's description.
    #[track_caller]
    pub fn assert_documented(&self, operation: &Operation, response: &Response) {
        let (name, documented) = (operation.name(), operation.documented_response(response));
        let Some(content) = documented["content"].as_object() else {
            assert!(response.body.is_empty(), "{name} returns an undocumented body");
            return;
        };
        let media_type = response.header("content-type").unwrap().split(';').next().unwrap();
        let top_level_type = media_type.split('/').next().unwrap();
        let content_schema = content.get(media_type).or(content.get(&format!("{top_level_type}/*")));
        let content_schema =
            content_schema.unwrap_or_else(|| panic!("{name} returns the undocumented media type {media_type}"));
        if media_type.ends_with("json") {
            let errors = self.validation_errors(&content_schema["schema"], &response.json());
            assert_eq!(errors, [""; 0], "{name} {}: {}", response.status, response.text());
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
    pub fn documented_response(&self, response: &Response) -> &Value {
        let documented = &self.description["responses"][response.status.to_string()];
        assert!(
            documented.is_object(),
            "{} returns the undocumented status {}: {}",
            self.name(),
            response.status,
            response.text()
        );
        documented
    }

    /// Returns the path with a value in each placeholder.
    pub fn path_with(&self, value: impl Fn(&str) -> String) -> String {
        let segments = self.path.split('/').map(|part| match part.strip_prefix('{') {
            Some(name) => {
                let (name, suffix) = name.split_once('}').unwrap();
                value(name) + suffix
            }
            None => part.to_owned(),
        });
        segments.collect::<Vec<_>>().join("/")
    }

    /// Returns the required query parameters with their examples, including the `?`.
    pub fn required_query(&self) -> String {
        let parameters = self.description["parameters"].as_array().into_iter().flatten();
        let required = parameters.filter(|parameter| parameter["in"] == "query" && parameter["required"] == true);
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for parameter in required {
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
    pub fn has_json_body(&self) -> bool {
        self.body().is_some_and(|(media_type, _)| media_type == "application/json")
    }

    /// True if the operation accepts this security scheme.
    pub fn accepts_scheme(&self, scheme: &str) -> bool {
        self.description["security"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|requirement| requirement.get(scheme).is_some())
    }

    /// True if the operation needs no credentials.
    pub fn is_public(&self) -> bool {
        let security = self.description["security"].as_array().unwrap();
        security.is_empty() || security.contains(&json!({}))
    }

    /// Returns an example body: from the document, or written for this test.
    pub fn example_body(&self) -> Option<Value> {
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
