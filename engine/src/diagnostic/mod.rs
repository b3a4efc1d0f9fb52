//! Diagnostics: what is wrong with an input, where, and how to fix it.
//!
//! All code that reads external input reports [`Diagnostic`]s, all of them at once. The HTTP API sends them as `errors[]` of a problem
//! document, and the panel underlines them. Their texts are [`Message`]s: an entry of the catalog with arguments. Messages are sent as
//! data and become text in a language only where they are shown.

pub(crate) mod catalog;
mod constructors;
mod message;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::suggest;

pub use catalog::{account, common, conflict, recording, request, submission, work};
pub(crate) use constructors::*;
pub use constructors::{format_text, not_permitted, required};
pub use message::{Arg, Message, MessageText};

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

/// The part of the input that is wrong, in terms that its sender knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// A JSON Pointer (RFC 6901) into the body; empty for the body as a whole.
    Pointer(String),
    /// The name of a query parameter, path segment or header.
    Parameter(String),
    /// The name of a CSV column.
    Column(String),
}

impl Default for Location {
    fn default() -> Self {
        Self::Pointer(String::new())
    }
}

/// An error in an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Diagnostic {
    /// The wrong part of the input.
    #[serde(flatten)]
    pub location: Location,
    /// Wrong characters inside a string value, if only a part of it is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<CharRange>,
    /// Stable code for programs, such as `unknown_key`.
    pub code: String,
    /// Message about the error.
    #[serde(flatten)]
    pub message: Message,
    /// Suggested correction, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Suggestion>,
    /// The permitted values, if they are a closed list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permitted: Vec<String>,
    /// Byte range in the source text. For editors; never sent.
    #[serde(skip)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub byte_range: Span,
}

/// A suggested correction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Suggestion {
    /// Description of the correction.
    #[serde(flatten)]
    pub message: Message,
    /// The name or value that replaces the wrong one, if the correction is a replacement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
}

impl From<Message> for Suggestion {
    fn from(message: Message) -> Self {
        Self { message, replacement: None }
    }
}

/// The suggestion in English.
impl fmt::Display for Suggestion {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(to)
    }
}

impl Diagnostic {
    /// Creates a diagnostic for `location`.
    pub fn new(location: Location, code: &str, message: Message) -> Self {
        Self {
            location,
            span: None,
            code: code.to_owned(),
            message,
            suggestion: None,
            permitted: Vec::new(),
            byte_range: Span::default(),
        }
    }

    /// Sets the byte range in the source text.
    #[must_use]
    pub fn at(mut self, byte_range: Span) -> Self {
        self.byte_range = byte_range;
        self
    }

    /// Narrows the diagnostic to characters of the string value.
    #[must_use]
    pub fn within(mut self, start: usize, end: usize) -> Self {
        self.span = Some(CharRange { start, end });
        self
    }

    /// Sets the suggested correction.
    #[must_use]
    pub fn suggest(mut self, message: Message) -> Self {
        self.suggestion = Some(message.into());
        self
    }

    /// Suggests a name or value in place of the wrong one.
    #[must_use]
    pub fn suggest_replacement(mut self, message: Message, replacement: &str) -> Self {
        self.suggestion = Some(Suggestion { message, replacement: Some(replacement.to_owned()) });
        self
    }

    /// Suggests `meant` in place of the wrong name: "did you mean …?".
    #[must_use]
    pub fn did_you_mean(self, meant: &str) -> Self {
        self.suggest_replacement(common::did_you_mean(meant), meant)
    }

    /// Suggests the permitted name most similar to `found`, if there is one.
    #[must_use]
    pub fn suggest_nearest<'a>(self, found: &str, permitted: impl IntoIterator<Item = &'a str>) -> Self {
        match suggest::nearest(found, permitted) {
            Some(meant) => self.did_you_mean(meant),
            None => self,
        }
    }

    /// Sets the permitted values.
    #[must_use]
    pub fn permitted<'a>(mut self, permitted: impl IntoIterator<Item = &'a str>) -> Self {
        self.permitted = permitted.into_iter().map(str::to_owned).collect();
        self
    }

    /// Moves the diagnostic of a JSON text to the parameter that contains it. The pointer into the JSON goes into the message.
    #[must_use]
    pub fn in_parameter(self, name: &str) -> Self {
        let message = label_with_location(&self.location, self.message);
        Self { location: Location::Parameter(name.to_owned()), message, ..self }
    }

    /// Moves the location from a record to the item of an array that contains it.
    #[must_use]
    pub fn in_item(self, index: usize) -> Self {
        match self.location {
            Location::Pointer(pointer) => Self { location: Location::Pointer(format!("/{index}{pointer}")), ..self },
            _ => self,
        }
    }

    /// Returns the location, the message and the suggestion as one message.
    pub fn located(&self) -> Message {
        label_with_location(&self.location, self.summary())
    }

    /// Returns the message, with the suggestion in parentheses.
    pub fn summary(&self) -> Message {
        match &self.suggestion {
            Some(suggestion) => common::with_suggestion(self.message.clone(), suggestion.message.clone()),
            None => self.message.clone(),
        }
    }
}

/// Puts the location in front of a message, unless it is the whole input.
fn label_with_location(location: &Location, message: Message) -> Message {
    match location {
        Location::Pointer(name) | Location::Parameter(name) | Location::Column(name) if name.is_empty() => message,
        Location::Pointer(name) | Location::Parameter(name) | Location::Column(name) => message.labeled(name),
    }
}

/// Formats a diagnostic as `start..end pointer code: detail (hint)`.
#[cfg(test)]
pub(crate) fn format_diagnostic(diagnostic: &Diagnostic) -> String {
    let (Location::Pointer(name) | Location::Parameter(name) | Location::Column(name)) = &diagnostic.location;
    let Span { start, end } = diagnostic.byte_range;
    format!("{start}..{end} {name} {}: {}", diagnostic.code, diagnostic.summary())
}
