//! What is said of faults, in every language, side by side: a module for each part of the engine.
//!
//! A message is one lower-case line: what was expected and what was found, then as its hint what would cure it. German has
//! no articles that depend on what stands around, so that whatever is given fits: what was expected and what was found
//! stand after colons.

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

/// All texts. Those that say more come first, so that words are found in them before the form that all share.
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
