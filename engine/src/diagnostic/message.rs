//! Messages: entries of the catalog with arguments, rendered in the reader's language.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::catalog::{self, Text};
use crate::wording::Language;

/// A message: one lower-case line without a full stop. Names and values are in backticks or quotes.
///
/// Serialized as two members: `detail` is the English text; `message` has the id and arguments. A received message with an
/// unknown id, from a newer version, keeps its English text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "ReceivedMessage", into = "MessageText")]
pub struct Message {
    text: &'static Text,
    /// Arguments, in the order of the names.
    args: Vec<Arg>,
}

/// An argument of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A name, value or number, equal in every language.
    Plain(String),
    /// A nested message.
    Message(Message),
}

/// The text of a message that exists only in English.
static PLAIN: Text = Text { id: "plain", english: "{text}", german: "{text}", args: &["text"] };

impl Message {
    pub(super) fn new(text: &'static Text, args: Vec<Arg>) -> Self {
        Self { text, args }
    }

    /// Creates a message that exists only in English.
    pub fn untranslated(english: impl Into<String>) -> Self {
        Self::plain(english.into())
    }

    fn plain(english: String) -> Self {
        Self::new(&PLAIN, vec![Arg::Plain(english)])
    }

    /// Renders the message in a language. A message without translations stays in English.
    pub fn text(&self, language: Language) -> String {
        let mut text = String::new();
        self.write(language, &mut text);
        text
    }

    /// Returns true for a message that exists only in English.
    pub fn is_plain(&self) -> bool {
        self.text == &PLAIN
    }

    /// Returns true if the message, or one inside it, has this id.
    pub fn contains_id(&self, id: &str) -> bool {
        let is_inside = |arg: &Arg| matches!(arg, Arg::Message(message) if message.contains_id(id));
        self.text.id == id || self.args.iter().any(is_inside)
    }

    /// Puts a name and a colon in front of the message.
    pub fn labeled(self, name: &str) -> Self {
        catalog::common::labeled(name, self)
    }

    /// Joins messages with semicolons.
    pub fn join(messages: &[Self]) -> Self {
        match messages {
            [] => Self::plain(String::new()),
            [one] => one.clone(),
            // Splitting in halves keeps the nesting shallow.
            more => {
                let (first, second) = more.split_at(more.len() / 2);
                catalog::common::both(Self::join(first), Self::join(second))
            }
        }
    }

    fn write(&self, language: Language, to: &mut String) {
        for piece in self.text.pieces(language) {
            match piece {
                Piece::Literal(literal) => to.push_str(literal),
                Piece::Arg(index) => match &self.args[index] {
                    Arg::Plain(plain) => to.push_str(plain),
                    Arg::Message(message) => message.write(language, to),
                },
            }
        }
    }

    /// Removes the JSON quotes around each value.
    pub(crate) fn without_quotes(mut self) -> Self {
        for arg in &mut self.args {
            if let Arg::Plain(plain) = arg
                && let Some(inner) = plain.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
            {
                *plain = inner.to_owned();
            }
        }
        self
    }

    /// Replaces each argument that contains `secret` with `replacement`.
    pub(crate) fn conceal(mut self, secret: &str, replacement: &Self) -> Self {
        for arg in &mut self.args {
            let is_revealing = match arg {
                Arg::Plain(plain) => plain.contains(secret),
                Arg::Message(message) => message.to_string().contains(secret),
            };
            if is_revealing {
                *arg = Arg::Message(replacement.clone());
            }
        }
        self
    }

    /// Returns the form for a text column of a database; see [`Self::from_stored`].
    pub fn to_stored(&self) -> String {
        if self.is_plain() {
            self.to_string()
        } else {
            serde_json::to_string(self).unwrap_or_else(|_| self.to_string())
        }
    }

    /// Parses a message from a text column. Plain text, including that of earlier versions, is kept unchanged.
    pub fn from_stored(stored: String) -> Self {
        match stored.starts_with('{') {
            true => serde_json::from_str(&stored).unwrap_or_else(|_| Self::plain(stored)),
            false => Self::plain(stored),
        }
    }

    /// Returns the serialized form, with the text in a language.
    pub(crate) fn serialized(&self, language: Language) -> MessageText {
        MessageText { detail: self.text(language), message: self.data() }
    }

    /// Returns the id and the arguments; `None` for a message that exists only in English.
    fn data(&self) -> Option<MessageData> {
        let value = |arg: &Arg| match arg {
            Arg::Plain(plain) => ArgData::Plain(plain.clone()),
            Arg::Message(message) => message
                .data()
                .map_or_else(|| ArgData::Plain(message.to_string()), |data| ArgData::Message(Box::new(data))),
        };
        let args =
            || self.text.args.iter().zip(&self.args).map(|(name, arg)| ((*name).to_owned(), value(arg))).collect();
        (!self.is_plain()).then(|| MessageData { id: self.text.id.to_owned(), args: args() })
    }

    /// Returns the message with this id and these arguments; `None` if the catalog has no such entry or an argument is
    /// missing.
    fn from_data(data: &Value) -> Option<Self> {
        let text = catalog::find(data["id"].as_str()?)?;
        let args = text.args.iter().map(|name| match &data["args"][*name] {
            Value::String(plain) => Some(Arg::Plain(plain.clone())),
            nested => Self::from_data(nested).map(Arg::Message),
        });
        Some(Self::new(text, args.collect::<Option<_>>()?))
    }
}

/// A message as English text, with the data from which it can be rendered in any language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MessageText {
    /// The message in English, for people. One lower-case line, which may change.
    detail: String,
    /// The message as data; absent if it has no translation.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<MessageData>,
}

/// A received [`MessageText`]. `message` is parsed by hand, because derived code would enlarge the browser's WebAssembly module.
#[derive(Deserialize)]
struct ReceivedMessage {
    detail: String,
    #[serde(default)]
    message: Value,
}

/// The id of a message and its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct MessageData {
    /// Id of the message in the catalog.
    id: String,
    /// Arguments by name: a name, value or number as text, or a nested message with its own `id` and `args`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    args: BTreeMap<String, ArgData>,
}

/// An argument of a message: a name, value or number as text, or a nested message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum ArgData {
    Plain(String),
    Message(Box<MessageData>),
}

impl From<ReceivedMessage> for Message {
    fn from(received: ReceivedMessage) -> Self {
        Self::from_data(&received.message).unwrap_or_else(|| Self::plain(received.detail))
    }
}

impl From<Message> for MessageText {
    fn from(message: Message) -> Self {
        message.serialized(Language::English)
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Message {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        MessageText::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Message {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>) {
        MessageText::schemas(schemas);
    }
}

/// The message in English.
impl fmt::Display for Message {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.text(Language::English))
    }
}

#[cfg(test)]
impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::plain(text.to_owned())
    }
}

impl PartialEq<str> for Message {
    fn eq(&self, english: &str) -> bool {
        self.text(Language::English) == english
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, english: &&str) -> bool {
        self == *english
    }
}

impl PartialEq<String> for Message {
    fn eq(&self, english: &String) -> bool {
        self == english.as_str()
    }
}

impl From<Message> for Arg {
    fn from(message: Message) -> Self {
        if message.is_plain() { Self::Plain(message.to_string()) } else { Self::Message(message) }
    }
}

macro_rules! plain_args {
    ($($plain:ty),+) => {
        $(impl From<$plain> for Arg {
            fn from(plain: $plain) -> Self {
                Self::Plain(plain.to_string())
            }
        })+
    };
}
plain_args!(&str, String, char, i32, i64, u32, u64, usize, f64);

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Literal text.
    Literal(&'static str),
    /// The argument with this index.
    Arg(usize),
}

impl Text {
    /// Splits the text of a language into pieces.
    pub(super) fn pieces(&self, language: Language) -> Vec<Piece> {
        let mut rest = match language {
            Language::English => self.english,
            Language::German => self.german,
        };
        let (mut pieces, mut search_start) = (Vec::new(), 0);
        while let Some(open) = rest[search_start..].find('{').map(|offset| search_start + offset) {
            let placeholder = rest[open + 1..].split('}').next().unwrap_or_default();
            match self.args.iter().position(|name| *name == placeholder) {
                Some(index) => {
                    pieces.extend((open > 0).then_some(Piece::Literal(&rest[..open])));
                    pieces.push(Piece::Arg(index));
                    rest = &rest[open + placeholder.len() + 2..];
                    search_start = 0;
                }
                None => search_start = open + 1,
            }
        }
        pieces.extend((!rest.is_empty()).then_some(Piece::Literal(rest)));
        pieces
    }
}
