//! A request to the API as data: what is sent when somebody tries it, and the same as code for a shell, JavaScript and
//! Python. Secrets never stand in it, only which of them it needs.

mod curl;
mod javascript;
mod python;

use std::collections::BTreeSet;

use leadscribe_engine::host;
use leadscribe_engine::json::{self, Node, Value};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The environment variable that holds the API key in code.
pub const KEY_VARIABLE: &str = "LEADSCRIBE_API_KEY";

/// The environment variable that holds the speech recognition token in code.
pub const TOKEN_VARIABLE: &str = "LEADSCRIBE_SPEECH_TOKEN";

/// The header that carries a speech recognition token.
pub const TOKEN_HEADER: &str = "X-Speech-Token";

const JSON: &str = "application/json";

/// What stands for itself in a path and in a query.
const ENCODED: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b':')
    .remove(b';')
    .remove(b',')
    .remove(b'@');

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` …
    pub method: String,
    /// Path and query, percent-encoded.
    pub target: String,
    /// Headers beside those of secrets and the body's type.
    pub headers: Vec<(String, String)>,
    pub body: Option<Body>,
    pub secrets: Secrets,
}

/// What is sent with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    pub media_type: String,
    pub content: Content,
}

/// A body's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Text(String),
    /// The file of this name.
    File(String),
}

/// The secrets that a request needs when a program sends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Secrets {
    pub key: bool,
    pub token: bool,
}

/// A language that requests are shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Curl,
    JavaScript,
    Python,
}

impl Language {
    pub const ALL: [Self; 3] = [Self::Curl, Self::JavaScript, Self::Python];

    /// Its name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::JavaScript => "javascript",
            Self::Python => "python",
        }
    }

    /// Its name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Curl => "curl",
            Self::JavaScript => "JavaScript",
            Self::Python => "Python",
        }
    }
}

impl Request {
    /// A request with a JSON body, sent by whoever has an API key.
    pub fn json(method: &str, target: &str, body: String) -> Self {
        Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: Some(Body { media_type: JSON.to_owned(), content: Content::Text(body) }),
            secrets: Secrets { key: true, token: false },
        }
    }

    /// It as code; `origin` is how the server's address begins.
    pub fn code(&self, language: Language, origin: &str) -> String {
        let url = format!("{origin}{}", self.target);
        match language {
            Language::Curl => curl::code(self, &url),
            Language::JavaScript => javascript::code(self, &url),
            Language::Python => python::code(self, &url),
        }
    }
}

impl Body {
    /// The value that every language can write as its own and send as the same JSON; none where only the text is safe.
    fn value(&self) -> Option<Node> {
        match &self.content {
            Content::Text(text) if self.media_type == JSON => {
                let read = json::read(text);
                read.root.filter(|root| read.faults.is_empty() && survives(root))
            }
            _ => None,
        }
    }
}

/// Whether a value read and written by JavaScript or Python stays the same.
fn survives(node: &Node) -> bool {
    match &node.value {
        // 1.0, 1e2 and numbers past 2^53 would be written otherwise.
        Value::Number(number) => host::float(number).is_some_and(|value| value.to_string() == *number),
        Value::Array(items) => items.iter().all(survives),
        Value::Object(members) => {
            let mut keys = BTreeSet::new();
            members.iter().all(|member| {
                // In an object literal of JavaScript this key sets the prototype.
                keys.insert(&member.key) && member.key != "__proto__" && survives(&member.value)
            })
        }
        _ => true,
    }
}

/// `text` as a part of a path or a query.
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, &ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request with everything that has to be quoted.
    pub(super) fn tricky(body: &str) -> Request {
        let mut request = Request::json("PUT", "/api/leads/extended-data", body.to_owned());
        request.headers.push(("Idempotency-Key".into(), "it's \"mine\" $HOME `id`".into()));
        request
    }

    #[test]
    fn parts_of_an_address_are_encoded() {
        assert_eq!(encoded("500;0"), "500;0");
        assert_eq!(encoded("a b&c=d/é'{}[]+"), "a%20b%26c%3Dd%2F%C3%A9%27%7B%7D%5B%5D%2B");
    }

    #[test]
    fn only_what_stays_the_same_is_written_as_a_value() {
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
            let body = Body { media_type: JSON.to_owned(), content: Content::Text(text.to_owned()) };
            assert_eq!(body.value().is_some(), is_safe, "{text}");
        }
    }
}
