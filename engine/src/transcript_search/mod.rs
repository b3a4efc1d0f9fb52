//! Transcript search: splits texts into words, parses search terms, and finds matches.
//!
//! A word is a run of letters, digits and marks. Words are compared without accents (NFD without U+0300 to U+036F), in lower case, with
//! `ss` for `ß`. `don't` is the word `dont`; other apostrophes and hyphens separate words. In scripts without spaces (Han, Hiragana,
//! Katakana, Thai, Lao, Khmer, Myanmar), each character is a word, and several characters are searched as a phrase.
//!
//! A store that splits the result of [`index_text`] at spaces and compares tokens exactly finds the same transcripts as [`Search::find`]. The
//! panel runs the same code on the transcript that it displays.

mod fold;
mod line;
mod matcher;
mod passage;
mod search_parser;
#[cfg(test)]
mod tests;

use crate::api::{Passage, RecordingSide, Segment};

pub use line::display_words;
pub use passage::opening_passage;

/// Maximum number of characters in a search.
pub const MAX_SEARCH_CHARS: usize = 1_000;

/// Maximum number of words and phrases in a search.
pub const MAX_TERMS: usize = 32;

/// Approximate number of characters in a passage: two lines of a list. A passage is longer if its match is.
pub const PASSAGE_CHARS: usize = 160;

/// Separator between the sides in [`index_text`], so that no phrase spans both. It is a private-use character: a token for a store's index, but
/// never a word of a text.
const SIDE_SEPARATOR: &str = "\u{e000}";

/// A transcript search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// Terms that must all match; at least one, without duplicates.
    pub terms: Vec<Term>,
}

/// Consecutive words of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The folded words; at least one.
    pub words: Vec<String>,
    /// True if the last word is a prefix.
    pub is_prefix: bool,
}

/// Matches in a transcript.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchMatches {
    /// Number of matches.
    pub match_count: u32,
    /// The first passages with matches, ordered by time.
    pub passages: Vec<Passage>,
}

/// Position of a match in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchPosition {
    /// The first word.
    pub first: WordIndex,
    /// The last word. If a phrase spans two segments, it is in the next segment of the same side.
    pub last: WordIndex,
}

/// Position of a word in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WordIndex {
    /// Index of the segment.
    pub segment: usize,
    /// Index of the word in the segment; 0 if the segment has no words.
    pub word: usize,
}

/// Returns the words of a text, folded and separated by spaces.
pub fn fold(text: &str) -> String {
    join(fold::tokenize(text).into_iter().map(|token| token.word))
}

/// Returns the words of a transcript, folded and separated by spaces. One side follows the other, because phrases don't span sides.
pub fn index_text(segments: &[Segment]) -> String {
    let words_of_side = |side: &RecordingSide| {
        let lines = segments.iter().filter(|segment| segment.side == *side).map(line::Line::new);
        let words = join(lines.flat_map(|line| line.tokens).map(|token| token.word));
        Some(words).filter(|words| !words.is_empty())
    };
    RecordingSide::ALL.iter().filter_map(words_of_side).collect::<Vec<_>>().join(&format!(" {SIDE_SEPARATOR} "))
}

fn join(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}
