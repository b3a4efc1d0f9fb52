//! The searchable text of a transcript, one line per segment.

use std::borrow::Cow;
use std::ops::Range;

use super::fold::{Token, tokens};
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
    words: Vec<Range<usize>>,
}

impl<'a> Line<'a> {
    pub(super) fn new(segment: &'a Segment) -> Self {
        let (text, words) = match placed(segment) {
            Some(words) => (Cow::Borrowed(segment.text.as_str()), words),
            None => joined(segment),
        };
        let tokens = tokens(&text);
        Self { segment, text, tokens, words }
    }

    /// Returns the index in `segment.words` of the word at this character; 0 for a segment without words.
    pub(super) fn word_at(&self, character: usize) -> usize {
        self.words.partition_point(|word| word.end <= character).min(self.words.len().saturating_sub(1))
    }
}

/// Returns the position of each word in the segment's text; `None` if a word isn't in it.
fn placed(segment: &Segment) -> Option<Vec<Range<usize>>> {
    let (mut rest, mut at) = (segment.text.as_str(), 0);
    let mut place = |word: &str| {
        let (before, after) = rest.split_once(word)?;
        let start = at + before.chars().count();
        at = start + word.chars().count();
        rest = after;
        Some(start..at)
    };
    segment.words.iter().map(|word| place(word.word.trim())).collect()
}

/// Joins the words with spaces, and returns their positions.
fn joined(segment: &Segment) -> (Cow<'_, str>, Vec<Range<usize>>) {
    let (mut text, mut at) = (String::new(), 0);
    let mut words = Vec::with_capacity(segment.words.len());
    for word in &segment.words {
        if at > 0 {
            text.push(' ');
            at += 1;
        }
        let word = word.word.trim();
        text.push_str(word);
        words.push(at..at + word.chars().count());
        at += word.chars().count();
    }
    (text.into(), words)
}
