//! The catalog of messages: every text in every language, side by side, with one module per part of the product.
//!
//! A text is one lower-case line. A suggestion says how to correct the input. The German texts avoid articles that depend on their
//! context: expected and found values follow a colon, so that any argument fits.
//!
//! To add a message, add a line to a table and call the generated function.

pub mod account;
pub(crate) mod callback;
pub mod common;
pub mod conflict;
pub(crate) mod filter;
pub(crate) mod json;
pub(crate) mod record;
pub mod recording;
pub mod request;
pub mod submission;
pub(crate) mod time;
pub(crate) mod words;
pub mod work;
pub(crate) mod zone;

/// A text in every language. Names of arguments are in braces. Other braces are literal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Unique name in the catalog, sent with the arguments.
    pub id: &'static str,
    pub english: &'static str,
    pub german: &'static str,
    /// Names of the arguments.
    pub args: &'static [&'static str],
}

/// Returns all texts.
pub(super) fn all() -> impl Iterator<Item = &'static Text> {
    [
        account::ALL,
        callback::ALL,
        common::ALL,
        conflict::ALL,
        filter::ALL,
        json::ALL,
        record::ALL,
        recording::ALL,
        request::ALL,
        submission::ALL,
        time::ALL,
        words::ALL,
        work::ALL,
        zone::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Returns the text with this id.
pub(super) fn find(id: &str) -> Option<&'static Text> {
    all().find(|text| text.id == id)
}

/// Defines a table of texts: `name: "English" | "German";` becomes the function `name() -> Message`. A text with arguments, in braces in
/// each language, becomes a function with parameters. The name is the id of the message.
///
/// With `pub;` in front, the table is also visible to the server.
macro_rules! messages {
    (pub; $($table:tt)+) => { $crate::diagnostic::catalog::messages!(@table pub $($table)+); };
    (@table $visible:vis $($name:ident $(($($arg:ident),+))?: $english:literal | $german:literal;)+) => {
        $(
            #[doc = concat!("`", $english, "`")]
            $visible fn $name($($($arg: impl Into<$crate::diagnostic::Arg>),+)?) -> $crate::diagnostic::Message {
                $crate::diagnostic::Message::new(
                    $crate::diagnostic::catalog::messages!(@text $name, $english, $german $(, $($arg),+)?),
                    vec![$($($arg.into()),+)?],
                )
            }
        )+

        /// All texts of the table.
        pub(super) const ALL: &[&super::Text] =
            &[$($crate::diagnostic::catalog::messages!(@text $name, $english, $german $(, $($arg),+)?)),+];
    };
    (@text $name:ident, $english:literal, $german:literal $(, $arg:ident)*) => {
        &super::Text { id: stringify!($name), english: $english, german: $german, args: &[$(stringify!($arg)),*] }
    };
    ($($table:tt)+) => { $crate::diagnostic::catalog::messages!(@table pub(crate) $($table)+); };
}
use messages;
