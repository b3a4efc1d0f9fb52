//! Passages: matches with the words around them.

use super::PASSAGE_CHARS;
use super::line::Line;
use crate::api::{Passage, RecordingSide, Transcript};
use crate::diagnostic::CharRange;

/// A match: consecutive words of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub first: TokenPosition,
    pub last: TokenPosition,
}

/// Position of a token: the index of its line, and its index in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenPosition {
    pub line: usize,
    pub token: usize,
}

/// Returns the beginning of a transcript as a passage without matches; `None` if the transcript has no text.
pub fn opening_passage(transcript: &Transcript) -> Option<Passage> {
    let segment = transcript.segments.iter().find(|segment| !segment.text.trim().is_empty())?;
    let text: Vec<char> = segment.text.trim().chars().collect();
    let visible = extend_range(&text, CharRange { start: 0, end: 0 });
    Some(Passage {
        matches: Vec::new(),
        ..build_passage(&text, visible, &[], segment.side, segment.start, segment.end)
    })
}

/// Returns the first passages that contain the matches. Matches and passages are ordered by time.
pub(super) fn passages(lines: &[Line<'_>], matches: &[Match], max_passages: usize) -> Vec<Passage> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for found_match in matches {
        // Only the latest excerpt of the same side can contain the match.
        let side = lines[found_match.first.line].segment.side;
        let latest = excerpts.iter_mut().rev().find(|excerpt| excerpt.side == side);
        if latest.is_some_and(|excerpt| excerpt.try_add(lines, *found_match)) {
            continue;
        }
        excerpts.push(Excerpt::new(lines, *found_match));
    }
    excerpts.iter().take(max_passages).map(Excerpt::to_passage).collect()
}

/// Matches that are shown in one passage.
struct Excerpt {
    side: RecordingSide,
    /// Indexes of the excerpt's lines, all of one side: one line, or the lines that a phrase spans.
    lines: Vec<usize>,
    /// The text of these lines.
    text: Vec<char>,
    /// Character ranges of the matches in `text`, ordered by start.
    matches: Vec<CharRange>,
    start: f64,
    end: f64,
}

impl Excerpt {
    fn new(lines: &[Line<'_>], found_match: Match) -> Self {
        let side = lines[found_match.first.line].segment.side;
        let line_indexes: Vec<usize> =
            (found_match.first.line..=found_match.last.line).filter(|line| lines[*line].segment.side == side).collect();
        let texts: Vec<&str> = line_indexes.iter().map(|line| lines[*line].text.as_ref()).collect();
        let mut excerpt = Self {
            side,
            text: texts.join(" ").chars().collect(),
            lines: line_indexes,
            matches: Vec::new(),
            start: f64::INFINITY,
            end: f64::NEG_INFINITY,
        };
        excerpt.add(lines, found_match);
        excerpt
    }

    /// Adds a match if it is in these lines and the passage stays short enough. Returns whether it was added.
    fn try_add(&mut self, lines: &[Line<'_>], found_match: Match) -> bool {
        let contains_lines =
            self.lines.contains(&found_match.first.line) && self.lines.contains(&found_match.last.line);
        let is_short_enough =
            |first: &CharRange, last: CharRange| last.end.saturating_sub(first.start) <= PASSAGE_CHARS;
        let fits = contains_lines
            && self.matches.first().is_some_and(|first| is_short_enough(first, self.char_range(lines, found_match)));
        if fits {
            self.add(lines, found_match);
        }
        fits
    }

    fn add(&mut self, lines: &[Line<'_>], found_match: Match) {
        let range = self.char_range(lines, found_match);
        self.matches.push(range);
        self.matches.sort_by_key(|range| (range.start, range.end));
        self.start = self.start.min(word_times(lines, found_match.first).0);
        self.end = self.end.max(word_times(lines, found_match.last).1);
    }

    /// Returns the character range of a match in `text`.
    fn char_range(&self, lines: &[Line<'_>], found_match: Match) -> CharRange {
        let chars_before = |line: usize| -> usize {
            self.lines
                .iter()
                .take_while(|index| **index < line)
                .map(|index| lines[*index].text.chars().count() + 1)
                .sum()
        };
        let token = |position: TokenPosition| lines[position.line].tokens[position.token].range;
        CharRange {
            start: chars_before(found_match.first.line) + token(found_match.first).start,
            end: chars_before(found_match.last.line) + token(found_match.last).end,
        }
    }

    fn to_passage(&self) -> Passage {
        let start = self.matches.first().map_or(0, |first| first.start);
        let end = self.matches.iter().map(|range| range.end).max().unwrap_or(start);
        let visible = extend_range(&self.text, CharRange { start, end });
        build_passage(&self.text, visible, &self.matches, self.side, self.start, self.end)
    }
}

/// Returns the times of a word, or of its segment if the segment has no words.
fn word_times(lines: &[Line<'_>], position: TokenPosition) -> (f64, f64) {
    let line = &lines[position.line];
    let range = line.tokens[position.token].range;
    let segment = line.segment;
    let start = segment.words.get(line.word_at(range.start)).map_or(segment.start, |word| word.start);
    let end = segment.words.get(line.word_at(range.end - 1)).map_or(segment.end, |word| word.end);
    (start, end)
}

/// Extends a range to about [`PASSAGE_CHARS`] characters. Cuts between words if possible.
fn extend_range(text: &[char], match_range: CharRange) -> CharRange {
    let spare_chars = PASSAGE_CHARS.saturating_sub(match_range.end - match_range.start);
    let after =
        (text.len() - match_range.end).min((spare_chars / 2).max(spare_chars.saturating_sub(match_range.start)));
    let mut start = match_range.start.saturating_sub(spare_chars - after);
    let mut end = match_range.end + after;
    if start > 0 && !text[start - 1].is_whitespace() {
        let blank = text[start..match_range.start].iter().position(|c| c.is_whitespace());
        start = blank.map_or(start, |blank| start + blank + 1);
    }
    if end < text.len() && !text[end].is_whitespace() {
        let blank = text[match_range.end..end].iter().rposition(|c| c.is_whitespace());
        end = blank.map_or(end, |blank| match_range.end + blank);
    }
    CharRange { start, end }
}

/// Builds a passage from the range `visible` of a text, with `…` where text is cut off.
fn build_passage(
    text: &[char],
    visible: CharRange,
    match_ranges: &[CharRange],
    side: RecordingSide,
    start: f64,
    end: f64,
) -> Passage {
    let ellipsis_if = |is_cut: bool| if is_cut { "…" } else { "" };
    let (before, after) = (ellipsis_if(visible.start > 0), ellipsis_if(visible.end < text.len()));
    let excerpt: String = text[visible.start..visible.end].iter().collect();
    let shift_index = |index: usize| index + before.chars().count() - visible.start;
    Passage {
        start,
        end,
        side,
        text: format!("{before}{excerpt}{after}"),
        matches: match_ranges
            .iter()
            .map(|range| CharRange { start: shift_index(range.start), end: shift_index(range.end) })
            .collect(),
    }
}
