//! The template of a callback's body: JSON text with placeholders inside its strings.
//!
//! # Syntax
//!
//! The text is a JSON object or array. In its string values, but not in its keys, `{call_id}` is replaced by a value; `{{` and `}}` are
//! escaped braces. A string that consists of one placeholder becomes the value itself: a number, an object, `null`. In any other string,
//! the value's text is inserted: nothing for `null`, compact JSON for arrays and objects. Values are inserted after the JSON is parsed, so
//! they can't change the structure of the template.
//!
//! ```
//! use leadscribe_engine::callback::{Template, sample};
//! use leadscribe_engine::diagnostic::Location;
//!
//! let template = Template::parse(r#"{"id": "{call_id}", "about": "call {call_id} of {agent}"}"#, Location::default())?;
//! let body = template.fill(&sample());
//! assert_eq!(body.to_string(), r#"{"about":"call 5012 of Jordan Reyes","id":5012}"#);
//! # Ok::<(), Vec<leadscribe_engine::diagnostic::Diagnostic>>(())
//! ```

use std::collections::BTreeMap;

use serde_json::Value;

use crate::api::CallbackMethod;
use crate::diagnostic::{CharRange, Diagnostic, Location};
use fill::FilledValue;

mod fill;
mod parse;
mod placeholder;
mod sample;
#[cfg(test)]
mod tests;

pub use placeholder::Placeholder;
pub use sample::sample;

/// Maximum size of a template in bytes: 16 KiB, far more than [`MAX_PLACEHOLDERS`] placeholders need.
pub const MAX_TEMPLATE_BYTES: usize = 16 * 1024;

/// Maximum number of placeholders in a template, enough to use each value several times.
pub const MAX_PLACEHOLDERS: usize = 64;

/// Maximum size of a filled-in body in bytes: 32 MiB. A transcript of a whole day of speech has 20 MB (180 words per minute, 80 bytes per
/// word), and each placeholder may insert it.
pub const MAX_BODY_BYTES: usize = 32 * 1024 * 1024;

/// Default template of a webhook: an event in the JSON format of CloudEvents 1.0.
pub const EVENT_TEMPLATE: &str = r#"{
    "specversion": "1.0",
    "id": "{event_id}",
    "source": "/api/changes",
    "type": "{event_type}",
    "subject": "{event_subject}",
    "time": "{event_time}",
    "datacontenttype": "application/json",
    "data": "{event_data}"
}"#;

/// Values of the placeholders. A missing value counts as `null`.
pub type Values = BTreeMap<Placeholder, Value>;

/// Destination and body of deliveries, whose template is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackTarget {
    /// URL. Only the server knows which addresses are permitted.
    pub url: String,
    /// HTTP method.
    pub method: CallbackMethod,
    /// Template of the body.
    pub template: Template,
}

/// A valid template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: String,
    body: TemplateValue,
}

/// A value of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplateValue {
    /// A value without strings, copied as it is.
    Constant(Value),
    /// A string that is one placeholder.
    Placeholder(Placeholder),
    /// Any other string.
    Text(Vec<TextPiece>),
    Array(Vec<TemplateValue>),
    Object(BTreeMap<String, TemplateValue>),
}

/// A piece of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TextPiece {
    Literal(String),
    Placeholder(Placeholder),
}

impl Template {
    /// Parses a template given at `location`.
    ///
    /// # Errors
    /// All errors, each at `location` with the range of its characters in the text.
    pub fn parse(text: &str, location: Location) -> Result<Self, Vec<Diagnostic>> {
        let relocate_all = |diagnostics: Vec<Diagnostic>| {
            diagnostics.into_iter().map(|diagnostic| relocate(text, diagnostic, &location)).collect()
        };
        Self::parse_standalone(text).map_err(relocate_all)
    }

    /// Parses a standalone template.
    ///
    /// # Errors
    /// All errors, each with a JSON Pointer into the template and its byte range in the text.
    pub fn parse_standalone(text: &str) -> Result<Self, Vec<Diagnostic>> {
        parse::parse(text).map(|body| Self { text: text.to_owned(), body })
    }

    /// Returns the default template of a submission's callback: the call's id, how its transcription ended, and the transcript.
    pub fn submission_default() -> Self {
        Self::of_placeholders(&[
            Placeholder::CallId,
            Placeholder::TranscriptionStatus,
            Placeholder::Error,
            Placeholder::SpeechResult,
        ])
    }

    /// Returns the template of an object with these placeholders, each under its own name.
    fn of_placeholders(placeholders: &[Placeholder]) -> Self {
        let text = |placeholder: &Placeholder| format!(r#""{placeholder}":"{{{placeholder}}}""#);
        let member = |placeholder: &Placeholder| (placeholder.to_string(), TemplateValue::Placeholder(*placeholder));
        Self {
            text: format!("{{{}}}", placeholders.iter().map(text).collect::<Vec<_>>().join(",")),
            body: TemplateValue::Object(placeholders.iter().map(member).collect()),
        }
    }

    /// Returns the source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the body with the placeholders filled in, for display. Meant for small values.
    pub fn fill(&self, values: &Values) -> Value {
        let body = FilledValue { part: &self.body, values };
        serde_json::to_value(body).expect("keys are texts, and values are JSON already")
    }

    /// Returns the body to send, with the placeholders filled in; `None` if it would exceed [`MAX_BODY_BYTES`] bytes.
    pub fn body(&self, values: &Values) -> Option<Vec<u8>> {
        FilledValue { part: &self.body, values }.to_json(MAX_BODY_BYTES)
    }
}

impl Default for Template {
    /// Template with the call's id and the transcript.
    fn default() -> Self {
        Self::of_placeholders(&[Placeholder::CallId, Placeholder::SpeechResult])
    }
}

/// Moves a diagnostic from the template's text to `location`, the string value that contains the template. Byte positions become character
/// positions.
fn relocate(text: &str, diagnostic: Diagnostic, location: &Location) -> Diagnostic {
    let char_index = |bytes: usize| text.get(..bytes).unwrap_or(text).chars().count();
    let span = CharRange { start: char_index(diagnostic.byte_range.start), end: char_index(diagnostic.byte_range.end) };
    Diagnostic { location: location.clone(), span: Some(span), ..diagnostic }
}
