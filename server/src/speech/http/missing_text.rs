//! Finds the parts of a response's text that are missing in its segments.
//!
//! Text and segments are compared by letters and digits, ignoring case. Each segment covers the place where its text occurs.
//! Each uncovered part becomes a segment, whose time comes from its neighbours, or from unmatched segments at the same
//! place.

use std::collections::BTreeMap;
use std::ops::Range;

use super::answer::AnsweredSegment;

/// Letters and digits of a text.
struct Letters<'a> {
    text: &'a str,
    /// Letters and digits in lower case.
    letters: String,
    /// Range in the text for each byte of `letters`.
    places: Vec<Range<usize>>,
}

impl<'a> Letters<'a> {
    fn new(text: &'a str) -> Self {
        let (mut letters, mut places) = (String::new(), Vec::new());
        for (at, letter) in text.char_indices().filter(|(_, character)| character.is_alphanumeric()) {
            letters.extend(letter.to_lowercase());
            places.resize(letters.len(), at..at + letter.len_utf8());
        }
        Self { text, letters, places }
    }

    fn len(&self) -> usize {
        self.letters.len()
    }

    /// Returns whether a word may begin or end before this byte of the letters.
    fn is_boundary(&self, at: usize) -> bool {
        let Some((before, after)) =
            at.checked_sub(1).and_then(|before| self.places.get(before)).zip(self.places.get(at))
        else {
            return true;
        };
        let last = self.text[before.clone()].chars().next_back();
        let first = self.text[after.clone()].chars().next();
        before != after && (before.end < after.start || last.is_some_and(is_unspaced) || first.is_some_and(is_unspaced))
    }

    /// Finds whole words in the uncovered letters, starting at a byte of the letters.
    fn find(&self, words: &str, from: usize, covered: &[Option<usize>]) -> Option<Range<usize>> {
        let found = self.letters.get(from..)?.match_indices(words);
        let mut places = found.map(|(at, found)| from + at..from + at + found.len());
        places.find(|place| {
            self.is_boundary(place.start)
                && self.is_boundary(place.end)
                && covered[place.clone()].iter().all(Option::is_none)
        })
    }

    /// Returns the text of some letters with the surrounding punctuation. Punctuation that touches the neighbouring letters
    /// belongs to them.
    fn text_of(&self, letters: Range<usize>) -> &'a str {
        let first = self.places[letters.start].start;
        let from = letters.start.checked_sub(1).map_or(0, |before| {
            let end = self.places[before].end;
            end + self.text[end..first].find(char::is_whitespace).unwrap_or(first - end)
        });
        let Some(after) = self.places.get(letters.end) else { return self.text[from..].trim() };
        let last = self.places[letters.end - 1].end;
        let to = self.text[last..after.start].rfind(char::is_whitespace).map_or(after.start, |signs| last + signs);
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
pub(super) fn add(segments: Vec<AnsweredSegment>, text: &str) -> Vec<AnsweredSegment> {
    let letters = Letters::new(text);
    let mut covered: Vec<Option<usize>> = vec![None; letters.len()];
    let mut found = vec![false; segments.len()];
    let mut from = 0;
    for (index, segment) in segments.iter().enumerate() {
        let own = Letters::new(segment.text());
        if own.len() == 0 {
            continue;
        }
        let place = letters.find(&own.letters, from, &covered).or_else(|| letters.find(&own.letters, 0, &covered));
        if let Some(place) = place {
            from = place.end;
            covered[place].fill(Some(index));
            found[index] = true;
        }
    }
    let mut missing = missing(&letters, &covered);
    let mut all = Vec::with_capacity(segments.len() + missing.len());
    let mut before = None;
    let mut unmatched = Vec::new();
    for (index, segment) in segments.into_iter().enumerate() {
        if found[index] {
            all.extend(fill(missing.remove(&before), std::mem::take(&mut unmatched)));
            all.push(segment);
            before = Some(index);
        } else if segment.text().is_empty() || segment.is_speech() {
            unmatched.push(segment);
        }
    }
    all.extend(fill(missing.remove(&before), unmatched));
    all
}

/// Returns the uncovered parts of a text, by the index of the preceding segment.
fn missing(letters: &Letters<'_>, covered: &[Option<usize>]) -> BTreeMap<Option<usize>, String> {
    let mut missing = BTreeMap::new();
    let mut at = 0;
    for run in covered.chunk_by(|one, next| one == next) {
        let place = at..at + run.len();
        if run[0].is_none() {
            let before = place.start.checked_sub(1).and_then(|before| covered[before]);
            missing.insert(before, letters.text_of(place.clone()).to_owned());
        }
        at = place.end;
    }
    missing
}

/// Returns the segments between two matched segments. `missing` is the uncovered text there; `unmatched` are the segments
/// there whose text wasn't found. Both are spellings of the same speech; the longer one is used.
fn fill(missing: Option<String>, unmatched: Vec<AnsweredSegment>) -> Vec<AnsweredSegment> {
    let Some(missing) = missing else { return unmatched };
    let told: usize = unmatched.iter().map(|segment| Letters::new(segment.text()).len()).sum();
    if told >= Letters::new(&missing).len() {
        return unmatched;
    }
    let end = unmatched.last().and_then(|segment| segment.end);
    let mut segment = unmatched.into_iter().next().unwrap_or_default();
    segment.end = end;
    segment.text = Some(missing);
    vec![segment]
}
