//! A JSON reader for input from users and programs.
//!
//! It differs from `serde_json` where validation requires it. Every value knows its position in the text, duplicate keys are kept and
//! reported, numbers stay as written, and the depth is bounded. After a syntax error the reader continues, so that an editor gets a partial
//! tree while the user types. It is strict: RFC 8259 without extensions. U+0000 in a string is an error, because databases can't store it.

use crate::diagnostic::{Arg, Diagnostic, Span, catalog::common};

mod parser;
mod string;
#[cfg(test)]
mod tests;
mod word;
mod write;

pub use parser::parse;
pub use string::{push_quoted, quote, substring_span};
pub(crate) use word::is_number;
pub use write::{write_days, write_micros, write_text, write_time, write_value};

/// Maximum nesting of arrays and objects.
pub const MAX_DEPTH: usize = 16;

/// Maximum size of a text, in bytes: 1 MiB.
pub const MAX_BYTES: usize = 1024 * 1024;

/// Maximum number of diagnostics reported per text.
pub const MAX_DIAGNOSTICS: usize = 100;

/// A value with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Byte range in the text, including quotes and brackets.
    pub span: Span,
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object, including duplicate keys, in the order of the text.
    Object(Vec<Member>),
    /// Invalid JSON, described by a diagnostic.
    Invalid,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its key, unescaped.
    pub key: String,
    /// Byte range of the key, including quotes.
    pub key_span: Span,
    /// Its value.
    pub value: Node,
}

/// Result of parsing a text: the tree as far as it could be parsed, and all diagnostics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The value; `None` if the text is empty or blank, or nothing could be parsed.
    pub root: Option<Node>,
    /// Diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Value {
    /// Returns the kind of value in words, with its article: `a string`, `an array`, `null`.
    pub fn kind(&self) -> Arg {
        let kind = match self {
            Self::Null => return "null".into(),
            Self::Bool(_) => common::boolean(),
            Self::Number(_) => common::number(),
            Self::String(_) => common::string(),
            Self::Array(_) => common::array(),
            Self::Object(_) => common::object(),
            Self::Invalid => common::no_json(),
        };
        kind.into()
    }
}

/// Maximum length of a key in a JSON Pointer, in characters. Longer keys are cut.
const MAX_TOKEN_CHARS: usize = 200;

/// Adds a step to a JSON Pointer (RFC 6901). A key that is too long is cut and ends with `…`: each diagnostic has its own
/// pointer, so their size must be bounded.
pub fn push_pointer(pointer: &mut String, token: &str) {
    pointer.push('/');
    let end = token.char_indices().nth(MAX_TOKEN_CHARS).map(|(end, _)| end);
    for c in token[..end.unwrap_or(token.len())].chars().chain(end.map(|_| '…')) {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(c),
        }
    }
}
