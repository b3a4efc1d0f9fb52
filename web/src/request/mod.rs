//! An API request as data. The panel sends it or shows it as code for a shell, JavaScript and Python. It contains no secrets,
//! only which ones are needed.

mod curl;
mod javascript;
mod python;

use std::collections::BTreeSet;

use leadscribe_engine::host;
use leadscribe_engine::json::{self, Node, Value};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Environment variable with the API key, in generated code.
pub const KEY_VARIABLE: &str = "LEADSCRIBE_API_KEY";

/// Environment variable with the speech recognition token, in generated code.
pub const TOKEN_VARIABLE: &str = "LEADSCRIBE_SPEECH_TOKEN";

/// Header for a speech recognition token.
pub const TOKEN_HEADER: &str = "X-Speech-Token";

const JSON_MEDIA_TYPE: &str = "application/json";

/// Characters to percent-encode. Excludes those that are allowed both in a path and in a query.
const ENCODE_SET: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b':')
    .remove(b';')
    .remove(b',')
    .remove(b'@');

/// An API request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// HTTP method, such as `GET`.
    pub method: String,
    /// Path and query, percent-encoded.
    pub target: String,
    /// Headers other than credentials and the content type.
    pub headers: Vec<(String, String)>,
    pub body: Option<Body>,
    pub secrets: RequiredSecrets,
}

/// Request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    pub media_type: String,
    pub content: Content,
}

/// Content of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Text(String),
    /// File with this name.
    File(String),
}

/// Secrets that the request needs when a program sends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequiredSecrets {
    pub needs_api_key: bool,
    pub needs_speech_token: bool,
}

/// Language of generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeLanguage {
    Curl,
    JavaScript,
    Python,
}

impl CodeLanguage {
    pub const ALL: [Self; 3] = [Self::Curl, Self::JavaScript, Self::Python];

    /// Identifier of the language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::JavaScript => "javascript",
            Self::Python => "python",
        }
    }

    /// Name to display.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::JavaScript => "JavaScript",
            Self::Python => "Python",
        }
    }
}

impl Request {
    /// Creates a request with a JSON body and an API key.
    pub fn json(method: &str, target: &str, body: String) -> Self {
        Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: Some(Body { media_type: JSON_MEDIA_TYPE.to_owned(), content: Content::Text(body) }),
            secrets: RequiredSecrets { needs_api_key: true, needs_speech_token: false },
        }
    }

    /// Generates code. `origin` is the origin of the server's URL.
    pub fn code(&self, language: CodeLanguage, origin: &str) -> String {
        let url = format!("{origin}{}", self.target);
        match language {
            CodeLanguage::Curl => curl::code(self, &url),
            CodeLanguage::JavaScript => javascript::code(self, &url),
            CodeLanguage::Python => python::code(self, &url),
        }
    }
}

impl Body {
    /// Returns the body as a JSON value that all languages serialize to the same JSON; `None` if only the text is safe.
    fn value(&self) -> Option<Node> {
        match &self.content {
            Content::Text(text) if self.media_type == JSON_MEDIA_TYPE => {
                let read = json::parse(text);
                read.root.filter(|root| read.diagnostics.is_empty() && is_lossless(root))
            }
            _ => None,
        }
    }
}

/// True if JavaScript and Python parse and serialize the value unchanged.
fn is_lossless(node: &Node) -> bool {
    match &node.value {
        // 1.0, 1e2 and numbers above 2^53 would be serialized differently.
        Value::Number(number) => host::parse_float(number).is_some_and(|value| value.to_string() == *number),
        Value::Array(items) => items.iter().all(is_lossless),
        Value::Object(members) => {
            let mut keys = BTreeSet::new();
            members.iter().all(|member| {
                // In a JavaScript object literal, this key sets the prototype.
                keys.insert(&member.key) && member.key != "__proto__" && is_lossless(&member.value)
            })
        }
        _ => true,
    }
}

/// Percent-encodes text for a path segment or a query value.
pub fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, &ENCODE_SET).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request with all characters that need quoting.
    pub(super) fn request_with_special_characters(body: &str) -> Request {
        let mut request = Request::json("PUT", "/api/leads/extended-data", body.to_owned());
        request.headers.push(("Idempotency-Key".into(), "it's \"mine\" $HOME `id`".into()));
        request
    }

    #[test]
    fn percent_encodes_reserved_characters() {
        assert_eq!(percent_encode("500;0"), "500;0");
        assert_eq!(percent_encode("a b&c=d/é'{}[]+"), "a%20b%26c%3Dd%2F%C3%A9%27%7B%7D%5B%5D%2B");
    }

    #[test]
    fn only_lossless_json_is_written_as_a_value() {
        for (text, is_safe) in [
            (r#"{"lat": 50.73, "id": 9007199254740991, "name": "\ud83d\ude00"}"#, true),
            (r#"{"id": 9007199254740993}"#, false),
            (r#"{"id": 1.0}"#, false),
            (r#"{"id": 1e2}"#, false),
            (r#"{"a": 1, "a": 2}"#, false),
            (r#"{"__proto__": {}}"#, false),
            (r#"{"a": "#, false),
            ("", false),
        ] {
            let body = Body { media_type: JSON_MEDIA_TYPE.to_owned(), content: Content::Text(text.to_owned()) };
            assert_eq!(body.value().is_some(), is_safe, "{text}");
        }
    }
}
