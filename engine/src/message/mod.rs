//! Messages about faults: a text in every language, with arguments.
//!
//! A message is rendered when it is read: in English for the HTTP API, and in the panel's language for the panel. All texts are in `texts`,
//! with their translations side by side. To add a message, add a line there and call the generated function. The HTTP API transmits English
//! only; `read` finds the text again to translate it.

mod read;
mod shared;
#[cfg(test)]
mod tests;
pub(crate) mod texts;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::wording::Language;

pub(crate) use shared::*;
pub use texts::{recording, stored, work};

/// A message about a fault: one lower-case line without a full stop. Names and values are in backticks or quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    text: &'static Text,
    /// Arguments, in the order of the names.
    given: Vec<Given>,
}

/// A text in every language. Names of arguments are in braces. Other braces are literal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Text {
    english: &'static str,
    german: &'static str,
    names: &'static [&'static str],
}

/// An argument of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A name, value or number, equal in every language.
    Plain(String),
    /// A nested message.
    Said(Message),
}

/// The text of a message without a known translation.
static PLAIN: Text = Text { english: "{words}", german: "{words}", names: &["words"] };

impl Message {
    pub(crate) fn new(text: &'static Text, given: Vec<Given>) -> Self {
        Self { text, given }
    }

    /// Returns the message in this language, or in English without a translation.
    pub fn words(&self, language: Language) -> String {
        let known = if language == Language::English { None } else { self.plain().and_then(read::message) };
        let mut words = String::new();
        known.as_ref().unwrap_or(self).write(language, &mut words);
        words
    }

    /// Returns the words of a message that was created from a plain string.
    fn plain(&self) -> Option<&str> {
        match self.given.as_slice() {
            [Given::Plain(words)] if self.text == &PLAIN => Some(words),
            _ => None,
        }
    }

    fn write(&self, language: Language, to: &mut String) {
        let text = match language {
            Language::English => self.text.english,
            Language::German => self.text.german,
        };
        for piece in pieces(text, self.text.names) {
            match piece {
                Piece::Words(words) => to.push_str(words),
                Piece::Given(place) => match &self.given[place] {
                    Given::Plain(plain) => to.push_str(plain),
                    Given::Said(message) => message.write(language, to),
                },
            }
        }
    }

    /// Removes the JSON quotes around each value.
    pub(crate) fn without_quotes(mut self) -> Self {
        for given in &mut self.given {
            if let Given::Plain(plain) = given
                && let Some(inner) = plain.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
            {
                *plain = inner.to_owned();
            }
        }
        self
    }

    /// Replaces each argument that contains `secret` by `instead`.
    pub(crate) fn conceal(mut self, secret: &str, instead: &Self) -> Self {
        for given in &mut self.given {
            let tells = match given {
                Given::Plain(plain) => plain.contains(secret),
                Given::Said(message) => message.to_string().contains(secret),
            };
            if tells {
                *given = Given::Said(instead.clone());
            }
        }
        self
    }
}

/// The message in English.
impl fmt::Display for Message {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.words(Language::English))
    }
}

impl From<String> for Message {
    fn from(words: String) -> Self {
        Self::new(&PLAIN, vec![Given::Plain(words)])
    }
}

impl From<&str> for Message {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}

impl PartialEq<str> for Message {
    fn eq(&self, english: &str) -> bool {
        self.words(Language::English) == english
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

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.words(Language::English))
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl From<Message> for Given {
    fn from(message: Message) -> Self {
        match message.plain() {
            Some(words) => Self::Plain(words.to_owned()),
            None => Self::Said(message),
        }
    }
}

impl From<char> for Given {
    fn from(plain: char) -> Self {
        Self::Plain(plain.into())
    }
}

impl From<String> for Given {
    fn from(plain: String) -> Self {
        Self::Plain(plain)
    }
}

impl From<&str> for Given {
    fn from(plain: &str) -> Self {
        Self::Plain(plain.to_owned())
    }
}

macro_rules! plain_numbers {
    ($($number:ty),+) => {
        $(impl From<$number> for Given {
            fn from(number: $number) -> Self {
                Self::Plain(number.to_string())
            }
        })+
    };
}
plain_numbers!(i32, i64, u32, u64, usize, f64);

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// Literal text.
    Words(&'static str),
    /// The argument with this index.
    Given(usize),
}

/// Splits a text with these names into pieces.
fn pieces(text: &'static str, names: &[&str]) -> Vec<Piece> {
    let (mut pieces, mut rest, mut from) = (Vec::new(), text, 0);
    while let Some(open) = rest[from..].find('{').map(|at| from + at) {
        let inside = rest[open + 1..].split('}').next().unwrap_or_default();
        match names.iter().position(|name| *name == inside) {
            Some(place) => {
                pieces.extend((open > 0).then_some(Piece::Words(&rest[..open])));
                pieces.push(Piece::Given(place));
                rest = &rest[open + inside.len() + 2..];
                from = 0;
            }
            None => from = open + 1,
        }
    }
    pieces.extend((!rest.is_empty()).then_some(Piece::Words(rest)));
    pieces
}

/// Defines a table of texts: `name: "English" | "German";` becomes the function `name() -> Message`. A text with arguments, in braces in
/// each language, becomes a function with parameters.
///
/// With `pub;` in front, the table is also visible to the server.
macro_rules! messages {
    (pub; $($table:tt)+) => { $crate::message::messages!(@table pub $($table)+); };
    (@table $visible:vis $($name:ident $(($($given:ident),+))?: $english:literal | $german:literal;)+) => {
        $(
            #[doc = concat!("`", $english, "`")]
            $visible fn $name($($($given: impl Into<$crate::message::Given>),+)?) -> $crate::message::Message {
                $crate::message::Message::new(
                    $crate::message::messages!(@text $english, $german $(, $($given),+)?),
                    vec![$($($given.into()),+)?],
                )
            }
        )+

        /// All texts of the table.
        pub(in $crate::message) const ALL: &[&$crate::message::Text] =
            &[$($crate::message::messages!(@text $english, $german $(, $($given),+)?)),+];
    };
    (@text $english:literal, $german:literal $(, $given:ident)*) => {
        &$crate::message::Text { english: $english, german: $german, names: &[$(stringify!($given)),*] }
    };
    ($($table:tt)+) => { $crate::message::messages!(@table pub(crate) $($table)+); };
}
pub(crate) use messages;
