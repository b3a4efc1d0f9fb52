//! A fault of an input: its place, the expected value, and a suggested correction.
//!
//! All code that reads external input reports [`Fault`]s, all faults at once. The HTTP API sends them as `errors[]` of a problem document,
//! and the panel underlines them.

use serde::{Deserialize, Serialize};

use crate::message::Message;

/// A half-open range of bytes in the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

impl Span {
    /// Returns the range from `start` up to but excluding `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the empty range at `at`.
    pub const fn point(at: usize) -> Self {
        Self { start: at, end: at }
    }

    /// Returns the smallest range that contains both.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A half-open range of characters (Unicode scalar values) inside a string value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CharRange {
    /// First character, starting at 0.
    pub start: usize,
    /// Character after the last one.
    pub end: usize,
}

/// Place of a fault, in terms that the sender of the input knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A JSON Pointer (RFC 6901) into the body; empty for the body as a whole.
    Pointer(String),
    /// The name of a query parameter, path segment or header.
    Parameter(String),
    /// The name of a CSV column.
    Column(String),
}

impl Default for Place {
    fn default() -> Self {
        Self::Pointer(String::new())
    }
}

/// A fault of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fault {
    /// Its place.
    #[serde(flatten)]
    pub place: Place,
    /// Wrong characters inside a string value, if only a part of it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<CharRange>,
    /// Stable code for programs, such as `unknown_key`.
    pub code: String,
    /// One line for users, in lower case: what was expected and what was found.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub detail: Message,
    /// Suggested correction, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub hint: Option<Message>,
    /// The permitted values, if they are a closed list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permitted: Vec<String>,
    /// Byte range in the source text. For editors; never sent.
    #[serde(skip)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub at: Span,
}

impl Fault {
    /// Creates a fault at `place` with a code and a detail.
    pub fn new(place: Place, code: &str, detail: impl Into<Message>) -> Self {
        Self {
            place,
            span: None,
            code: code.to_owned(),
            detail: detail.into(),
            hint: None,
            permitted: Vec::new(),
            at: Span::default(),
        }
    }

    /// Sets the byte range in the source text.
    #[must_use]
    pub fn at(mut self, at: Span) -> Self {
        self.at = at;
        self
    }

    /// Narrows the fault to characters of the string value.
    #[must_use]
    pub fn within(mut self, start: usize, end: usize) -> Self {
        self.span = Some(CharRange { start, end });
        self
    }

    /// Sets the suggested correction.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Message>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the permitted values.
    #[must_use]
    pub fn permitted<'a>(mut self, permitted: impl IntoIterator<Item = &'a str>) -> Self {
        self.permitted = permitted.into_iter().map(str::to_owned).collect();
        self
    }

    /// Returns the detail, with the hint in parentheses.
    pub fn in_words(&self) -> String {
        let hint = self.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{}{hint}", self.detail)
    }
}
