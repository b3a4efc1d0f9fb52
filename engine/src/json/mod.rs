//! A JSON reader for input that people type and programs send.
//!
//! It differs from `serde_json` where a checker needs it to: every value knows its place in the text, equal keys are
//! all kept and reported, numbers stay as they were written, the depth is bounded, and after a syntax error it goes on,
//! so that an editor has a partial tree while somebody types. It is strict: RFC 8259 and nothing more, and U+0000 in
//! a string is a fault, because databases can't keep it.

use crate::fault::{Fault, Span};
use crate::message::Message;
use crate::message::texts::common;

mod read;
mod string;
#[cfg(test)]
mod tests;
mod word;
mod write;

pub use read::read;
pub use string::{narrow, push_quoted, quote};
pub(crate) use word::is_number;
pub use write::{write_days, write_micros, write_text, write_time, write_value};

/// Deepest nesting of arrays and objects.
pub const MAX_DEPTH: usize = 16;

/// Largest text, in bytes: 1 MiB.
pub const MAX_BYTES: usize = 1024 * 1024;

/// Most faults that are reported of one text; who has more mends these first.
pub const MAX_FAULTS: usize = 100;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Its bytes in the text, quotes and brackets included.
    pub span: Span,
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object; equal keys all stand here, in the order of the text.
    Object(Vec<Member>),
    /// Something that is no JSON; the fault says what.
    Invalid,
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its key, unescaped.
    pub key: String,
    /// The key's bytes in the text, quotes included.
    pub key_span: Span,
    /// Its value.
    pub value: Node,
}

/// What a text holds: a tree as far as it could be read, and every fault.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The value; none when the text is empty or blank, or nothing in it could be read.
    pub root: Option<Node>,
    /// What is wrong with the text, in its order.
    pub faults: Vec<Fault>,
}

impl Value {
    /// The kind of value in words, with its article: `a string`, `an array`, `null`.
    pub fn kind(&self) -> Message {
        match self {
            Self::Null => "null".into(),
            Self::Bool(_) => common::boolean(),
            Self::Number(_) => common::number(),
            Self::String(_) => common::string(),
            Self::Array(_) => common::array(),
            Self::Object(_) => common::object(),
            Self::Invalid => common::no_json(),
        }
    }
}

/// Longest key that stands whole in a JSON Pointer, in characters: longer than any name that means something.
const MAX_STEP: usize = 200;

/// Adds a step to a JSON Pointer (RFC 6901); of a key that is too long, its beginning and `…`. So pointers are bounded, of which
/// each fault has its own.
pub fn push_pointer(pointer: &mut String, step: &str) {
    pointer.push('/');
    let end = step.char_indices().nth(MAX_STEP).map(|(end, _)| end);
    for c in step[..end.unwrap_or(step.len())].chars().chain(end.map(|_| '…')) {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(c),
        }
    }
}
