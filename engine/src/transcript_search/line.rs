//! The searchable text of a transcript, one line per segment.

use std::borrow::Cow;
use std::ops::Range;

use super::fold::{Token, tokenize};
use crate::api::Segment;

/// The searchable text of a segment.
pub(super) struct Line<'a> {
    /// The segment.
    pub segment: &'a Segment,
    /// Its text; or the joined words, if the text doesn't consist of them.
    pub text: Cow<'a, str>,
    /// The words of `text`.
    pub tokens: Vec<Token>,
    /// Character range in `text` of each word in `segment.words`.
    word_ranges: Vec<Range<usize>>,
}

impl<'a> Line<'a> {
    pub(super) fn new(segment: &'a Segment) -> Self {
        let (text, word_ranges) = text_and_words(segment);
        let tokens = tokenize(&text);
        Self { segment, text, tokens, word_ranges }
    }

    /// Returns the index in `segment.words` of the word at this character; 0 for a segment without words.
    pub(super) fn word_at(&self, character: usize) -> usize {
        self.word_ranges.partition_point(|word| word.end <= character).min(self.word_ranges.len().saturating_sub(1))
    }
}

/// Returns the words of a segment as displayed, each with the text before it. Scripts without spaces have no text in between. The text of a
/// segment without words counts as one word.
#[must_use]
pub fn display_words(segment: &Segment) -> Vec<(String, String)> {
    if segment.words.is_empty() {
        return vec![(String::new(), segment.text.clone())];
    }
    let (text, word_ranges) = text_and_words(segment);
    let (mut characters, mut offset) = (text.chars(), 0);
    let word = |range: Range<usize>| {
        let before = characters.by_ref().take(range.start - offset).collect();
        offset = range.end;
        (before, characters.by_ref().take(range.len()).collect())
    };
    word_ranges.into_iter().map(word).collect()
}

/// Returns the text of a segment, or its joined words if the text doesn't consist of them, and the position of each word.
fn text_and_words(segment: &Segment) -> (Cow<'_, str>, Vec<Range<usize>>) {
    match locate_words(segment) {
        Some(words) => (Cow::Borrowed(segment.text.as_str()), words),
        None => join_words(segment),
    }
}

/// Returns the position of each word in the segment's text; `None` if a word isn't in it.
fn locate_words(segment: &Segment) -> Option<Vec<Range<usize>>> {
    let (mut rest, mut offset) = (segment.text.as_str(), 0);
    let mut locate = |word: &str| {
        let (before, after) = rest.split_once(word)?;
        let start = offset + before.chars().count();
        offset = start + word.chars().count();
        rest = after;
        Some(start..offset)
    };
    segment.words.iter().map(|word| locate(word.word.trim())).collect()
}

/// Joins the words with spaces, and returns their positions.
fn join_words(segment: &Segment) -> (Cow<'_, str>, Vec<Range<usize>>) {
    let (mut text, mut offset) = (String::new(), 0);
    let mut words = Vec::with_capacity(segment.words.len());
    for word in &segment.words {
        if offset > 0 {
            text.push(' ');
            offset += 1;
        }
        let word = word.word.trim();
        text.push_str(word);
        words.push(offset..offset + word.chars().count());
        offset += word.chars().count();
    }
    (text.into(), words)
}
