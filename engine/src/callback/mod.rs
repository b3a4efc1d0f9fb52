//! The template of a callback's body: JSON text with placeholders inside its strings.
//!
//! # Syntax
//!
//! The text is JSON, an object or an array. In its string values, not in its keys, `{call_id}` stands for a value; `{{`
//! and `}}` stand for braces. A string that is nothing but one placeholder becomes the value as it is: a number, an
//! object, `null`. In any other string the value's text is put in: nothing for `null`, compact JSON for arrays and
//! objects. Values are put in after the JSON was read, so none can change the structure of the template.
//!
//! ```
//! use leadscribe_engine::callback::{Template, sample};
//! use leadscribe_engine::fault::Place;
//!
//! let template = Template::parse(r#"{"id": "{call_id}", "about": "call {call_id} of {agent}"}"#, Place::default())?;
//! let body = template.fill(&sample());
//! assert_eq!(body.to_string(), r#"{"about":"call 5012 of Jordan Reyes","id":5012}"#);
//! # Ok::<(), Vec<leadscribe_engine::fault::Fault>>(())
//! ```

use std::collections::BTreeMap;

use serde_json::Value;

use crate::fault::{CharRange, Fault, Place};
use fill::Filled;

mod fill;
mod parse;
mod placeholder;
mod sample;
#[cfg(test)]
mod tests;

pub use placeholder::Placeholder;
pub use sample::sample;

/// Largest text of a template, in bytes: 16 KiB, far more than a body of so many placeholders needs.
pub const MAX_TEMPLATE: usize = 16 * 1024;

/// Most placeholders of a template: some for each value there is.
pub const MAX_PLACEHOLDERS: usize = 64;

/// Largest body that is made of a template, in bytes: 32 MiB. A transcript of a whole day without a pause has 20 MB (180
/// words a minute, 80 bytes a word), and each placeholder may stand for one.
pub const MAX_BODY: usize = 32 * 1024 * 1024;

/// What the placeholders stand for. One that isn't there stands for `null`.
pub type Values = BTreeMap<Placeholder, Value>;

/// A template without faults.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    text: String,
    body: Part,
}

/// A value of a template.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    /// What is no string, array or object: it stays as it is.
    Fixed(Value),
    /// A string that is one placeholder.
    Whole(Placeholder),
    /// Any other string.
    Text(Vec<Piece>),
    Array(Vec<Part>),
    Object(BTreeMap<String, Part>),
}

/// A piece of a string.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Literal(String),
    Placeholder(Placeholder),
}

impl Template {
    /// Reads a template that is given at `place`.
    ///
    /// # Errors
    /// Every fault at once, each at `place`, with the characters of the text that are wrong.
    pub fn parse(text: &str, place: Place) -> Result<Self, Vec<Fault>> {
        let faults = |faults: Vec<Fault>| faults.into_iter().map(|fault| moved(text, fault, &place)).collect();
        Self::check(text).map_err(faults)
    }

    /// Reads a template that is a text of its own.
    ///
    /// # Errors
    /// Every fault at once, each with its JSON Pointer into the template, and its bytes in the text.
    pub fn check(text: &str) -> Result<Self, Vec<Fault>> {
        parse::parse(text).map(|body| Self { text: text.to_owned(), body })
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The body, with the placeholders filled in; to look at, with values that are few.
    pub fn fill(&self, values: &Values) -> Value {
        let filled = Filled { part: &self.body, values };
        serde_json::to_value(filled).expect("keys are texts, and values are JSON already")
    }

    /// The body as it is sent, with the placeholders filled in; none when it would have more than [`MAX_BODY`] bytes.
    pub fn body(&self, values: &Values) -> Option<Vec<u8>> {
        Filled { part: &self.body, values }.text(MAX_BODY)
    }
}

impl Default for Template {
    /// The call's id and the transcript.
    fn default() -> Self {
        let member = |key: &str, placeholder| (key.to_owned(), Part::Whole(placeholder));
        let members = [member("call_id", Placeholder::CallId), member("speech_result", Placeholder::SpeechResult)];
        Self {
            text: r#"{"call_id":"{call_id}","speech_result":"{speech_result}"}"#.to_owned(),
            body: Part::Object(members.into()),
        }
    }
}

/// A fault of a template's text as one of the string value that the template is: at the value's place, with the
/// characters of the text.
fn moved(text: &str, fault: Fault, place: &Place) -> Fault {
    let characters = |bytes: usize| text.get(..bytes).unwrap_or(text).chars().count();
    let span = CharRange { start: characters(fault.at.start), end: characters(fault.at.end) };
    Fault { place: place.clone(), span: Some(span), ..fault }
}
