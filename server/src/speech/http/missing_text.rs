//! Finds the parts of a response's text that are missing in its segments.
//!
//! Text and segments are compared by letters and digits, ignoring case. Each segment covers the range where its text occurs.
//! Each uncovered part becomes a segment, whose time comes from its neighbors, or from unmatched segments at the same
//! place.

use std::collections::BTreeMap;
use std::ops::Range;

use super::response::ResponseSegment;

/// Letters and digits of a text.
struct Letters<'a> {
    text: &'a str,
    /// Letters and digits in lower case.
    letters: String,
    /// Range in the text for each byte of `letters`.
    ranges: Vec<Range<usize>>,
}

impl<'a> Letters<'a> {
    fn new(text: &'a str) -> Self {
        let (mut letters, mut ranges) = (String::new(), Vec::new());
        for (at, letter) in text.char_indices().filter(|(_, character)| character.is_alphanumeric()) {
            letters.extend(letter.to_lowercase());
            ranges.resize(letters.len(), at..at + letter.len_utf8());
        }
        Self { text, letters, ranges }
    }

    fn len(&self) -> usize {
        self.letters.len()
    }

    /// Returns whether a word may begin or end before this byte of the letters.
    fn is_boundary(&self, at: usize) -> bool {
        let Some((before, after)) =
            at.checked_sub(1).and_then(|before| self.ranges.get(before)).zip(self.ranges.get(at))
        else {
            return true;
        };
        let last = self.text[before.clone()].chars().next_back();
        let first = self.text[after.clone()].chars().next();
        before != after && (before.end < after.start || last.is_some_and(is_unspaced) || first.is_some_and(is_unspaced))
    }

    /// Finds whole words in the uncovered letters, starting at a byte of the letters.
    fn find(&self, words: &str, from: usize, covered: &[Option<usize>]) -> Option<Range<usize>> {
        let matches = self.letters.get(from..)?.match_indices(words);
        let mut ranges = matches.map(|(at, found)| from + at..from + at + found.len());
        ranges.find(|range| {
            self.is_boundary(range.start)
                && self.is_boundary(range.end)
                && covered[range.clone()].iter().all(Option::is_none)
        })
    }

    /// Returns the text of some letters with the surrounding punctuation. Punctuation that touches the neighboring letters
    /// belongs to them.
    fn text_of(&self, letters: Range<usize>) -> &'a str {
        let first = self.ranges[letters.start].start;
        let from = letters.start.checked_sub(1).map_or(0, |before| {
            let end = self.ranges[before].end;
            end + self.text[end..first].find(char::is_whitespace).unwrap_or(first - end)
        });
        let Some(after) = self.ranges.get(letters.end) else { return self.text[from..].trim() };
        let last = self.ranges[letters.end - 1].end;
        let to = self.text[last..after.start].rfind(char::is_whitespace).map_or(after.start, |offset| last + offset);
        self.text[from..to].trim()
    }
}

/// Returns whether a letter is of a script without spaces between words.
fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        // Thai, Lao, Burmese and Khmer.
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        // Chinese and Japanese.
        | '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Adds segments for text that is missing in the segments, which must be in order.
pub(super) fn add_missing_segments(segments: Vec<ResponseSegment>, text: &str) -> Vec<ResponseSegment> {
    let letters = Letters::new(text);
    let mut covered: Vec<Option<usize>> = vec![None; letters.len()];
    let mut is_matched = vec![false; segments.len()];
    let mut from = 0;
    for (index, segment) in segments.iter().enumerate() {
        let segment_letters = Letters::new(segment.text());
        if segment_letters.len() == 0 {
            continue;
        }
        let range = letters
            .find(&segment_letters.letters, from, &covered)
            .or_else(|| letters.find(&segment_letters.letters, 0, &covered));
        if let Some(range) = range {
            from = range.end;
            covered[range].fill(Some(index));
            is_matched[index] = true;
        }
    }
    let mut missing = missing_parts(&letters, &covered);
    let mut merged = Vec::with_capacity(segments.len() + missing.len());
    let mut before = None;
    let mut unmatched = Vec::new();
    for (index, segment) in segments.into_iter().enumerate() {
        if is_matched[index] {
            merged.extend(fill_gap(missing.remove(&before), std::mem::take(&mut unmatched)));
            merged.push(segment);
            before = Some(index);
        } else if segment.text().is_empty() || segment.is_speech() {
            unmatched.push(segment);
        }
    }
    merged.extend(fill_gap(missing.remove(&before), unmatched));
    merged
}

/// Returns the uncovered parts of a text, by the index of the preceding segment.
fn missing_parts(letters: &Letters<'_>, covered: &[Option<usize>]) -> BTreeMap<Option<usize>, String> {
    let mut missing = BTreeMap::new();
    let mut at = 0;
    for run in covered.chunk_by(|one, next| one == next) {
        let range = at..at + run.len();
        if run[0].is_none() {
            let before = range.start.checked_sub(1).and_then(|before| covered[before]);
            missing.insert(before, letters.text_of(range.clone()).to_owned());
        }
        at = range.end;
    }
    missing
}

/// Returns the segments between two matched segments. `missing` is the uncovered text there; `unmatched` are the segments
/// there whose text wasn't found. Both are spellings of the same speech; the longer one is used.
fn fill_gap(missing: Option<String>, unmatched: Vec<ResponseSegment>) -> Vec<ResponseSegment> {
    let Some(missing) = missing else { return unmatched };
    let unmatched_length: usize = unmatched.iter().map(|segment| Letters::new(segment.text()).len()).sum();
    if unmatched_length >= Letters::new(&missing).len() {
        return unmatched;
    }
    let end = unmatched.last().and_then(|segment| segment.end);
    let mut segment = unmatched.into_iter().next().unwrap_or_default();
    segment.end = end;
    segment.text = Some(missing);
    vec![segment]
}
