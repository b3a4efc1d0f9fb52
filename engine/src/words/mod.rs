//! Words of a text as they are searched: how a text is folded into them, what may be searched, and where it is found.
//!
//! A word is a run of letters, digits and marks. It is compared without accents (NFD without U+0300 to U+036F), in lower
//! case, with `ss` for `ß`. `don't` is the word `dont`; other apostrophes and hyphens part words. A character of a
//! script that writes no spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) is a word of its own, so that two of
//! them are searched as a phrase.
//!
//! A store that takes what [`index`] gives apart at its spaces, and compares tokens as they are, finds the transcripts in
//! which [`Search::find`] finds something. A page of a browser runs the same code over the transcript it shows.

mod find;
mod fold;
mod lines;
mod passage;
mod search;
#[cfg(test)]
mod tests;

use crate::api::{Passage, RecordingSide, Segment};

pub use passage::beginning;

/// Most characters of what is searched.
pub const MAX_SEARCH: usize = 1_000;

/// Most words and phrases that are searched at once.
pub const MAX_TERMS: usize = 32;

/// About so many characters has a passage: two lines of a list. It is longer where what was found is.
pub const PASSAGE: usize = 160;

/// Stands between the sides in [`index`], so that no phrase runs from one into the other. It is a character of private
/// use: a token to a store's index, but never a word of a text.
const BREAK: &str = "\u{e000}";

/// What is searched in a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// All of these must be said; at least one, each once.
    pub terms: Vec<Term>,
}

/// Words that one side says one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The words, folded; at least one.
    pub words: Vec<String>,
    /// Whether the last one is only the beginning of a word.
    pub prefix: bool,
}

/// What was found in a transcript.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundIn {
    /// In how many places; 0 when it wasn't found.
    pub matches: u32,
    /// The first of them, by time.
    pub passages: Vec<Passage>,
}

/// A place where a transcript says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The first word.
    pub first: WordIndex,
    /// The last word; in another segment of the same side where a phrase runs over the end of one.
    pub last: WordIndex,
}

/// A word of a transcript, by its indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WordIndex {
    /// Index in the transcript's segments.
    pub segment: usize,
    /// Index in the segment's words; 0 where it has none.
    pub word: usize,
}

/// The words of a text, folded and separated by spaces.
pub fn fold(text: &str) -> String {
    join(fold::tokens(text).into_iter().map(|token| token.word))
}

/// The words of a transcript's segments, folded and separated by spaces: one side after the other, as phrases run.
pub fn index(segments: &[Segment]) -> String {
    let said_by = |side: &RecordingSide| {
        let lines = segments.iter().filter(|segment| segment.side == *side).map(lines::Line::new);
        let words = join(lines.flat_map(|line| line.tokens).map(|token| token.word));
        Some(words).filter(|words| !words.is_empty())
    };
    RecordingSide::ALL.iter().filter_map(said_by).collect::<Vec<_>>().join(&format!(" {BREAK} "))
}

fn join(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}
