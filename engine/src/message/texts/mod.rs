//! The texts of all messages in every language, side by side: one module per part of the engine.
//!
//! A message is one lower-case line: what was expected and what was found. Its hint suggests a correction. The German texts avoid articles
//! that depend on their context: expected and found values follow a colon, so that any argument fits.

use super::Text;

pub(crate) mod callback;
pub(crate) mod common;
pub(crate) mod filter;
pub(crate) mod json;
pub(crate) mod record;
pub mod recording;
pub mod stored;
pub(crate) mod submission;
pub(crate) mod time;
pub(crate) mod words;
pub mod work;

/// Returns all texts. Specific texts come first, so that they match before the generic form.
pub(super) fn all() -> impl Iterator<Item = &'static Text> {
    [
        callback::ALL,
        filter::ALL,
        json::ALL,
        record::ALL,
        recording::ALL,
        stored::ALL,
        submission::ALL,
        time::ALL,
        words::ALL,
        work::ALL,
        common::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}
