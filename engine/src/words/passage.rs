//! Passages: matches with the words around them.

use super::PASSAGE;
use super::find::{Match, Place};
use super::lines::Line;
use crate::api::{Passage, RecordingSide, Transcript};
use crate::diagnostic::CharRange;

/// Returns the beginning of a transcript as a passage without matches; `None` if the transcript has no text.
pub fn beginning(transcript: &Transcript) -> Option<Passage> {
    let segment = transcript.segments.iter().find(|segment| !segment.text.trim().is_empty())?;
    let text: Vec<char> = segment.text.trim().chars().collect();
    let shown = around(&text, CharRange { start: 0, end: 0 });
    Some(Passage { matches: Vec::new(), ..passage(&text, shown, &[], segment.side, segment.start, segment.end) })
}

/// Returns the first passages that contain the matches. Matches and passages are ordered by time.
pub(super) fn passages(lines: &[Line<'_>], matches: &[Match], most: usize) -> Vec<Passage> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for found in matches {
        // Only the latest excerpt of the same side can contain the match.
        let side = lines[found.first.line].segment.side;
        let latest = excerpts.iter_mut().rev().find(|excerpt| excerpt.side == side);
        if latest.is_some_and(|excerpt| excerpt.takes(lines, *found)) {
            continue;
        }
        excerpts.push(Excerpt::new(lines, *found));
    }
    excerpts.iter().take(most).map(Excerpt::passage).collect()
}

/// Matches that are shown in one passage.
struct Excerpt {
    side: RecordingSide,
    /// The lines of the excerpt, all of one side: a single one, or those that a phrase spans.
    lines: Vec<usize>,
    /// The text of these lines.
    text: Vec<char>,
    /// Character ranges of the matches in `text`, ordered by start.
    found: Vec<CharRange>,
    start: f64,
    end: f64,
}

impl Excerpt {
    fn new(lines: &[Line<'_>], found: Match) -> Self {
        let side = lines[found.first.line].segment.side;
        let over: Vec<usize> =
            (found.first.line..=found.last.line).filter(|at| lines[*at].segment.side == side).collect();
        let texts: Vec<&str> = over.iter().map(|at| lines[*at].text.as_ref()).collect();
        let mut new = Self {
            side,
            text: texts.join(" ").chars().collect(),
            lines: over,
            found: Vec::new(),
            start: f64::INFINITY,
            end: f64::NEG_INFINITY,
        };
        new.add(lines, found);
        new
    }

    /// Adds a match if it is in these lines and fits.
    fn takes(&mut self, lines: &[Line<'_>], found: Match) -> bool {
        let holds = self.lines.contains(&found.first.line) && self.lines.contains(&found.last.line);
        let fits = |first: &CharRange, last: CharRange| last.end.saturating_sub(first.start) <= PASSAGE;
        let fits = holds && self.found.first().is_some_and(|first| fits(first, self.characters(lines, found)));
        if fits {
            self.add(lines, found);
        }
        fits
    }

    fn add(&mut self, lines: &[Line<'_>], found: Match) {
        let characters = self.characters(lines, found);
        self.found.push(characters);
        self.found.sort_by_key(|range| (range.start, range.end));
        self.start = self.start.min(times(lines, found.first).0);
        self.end = self.end.max(times(lines, found.last).1);
    }

    /// Returns the character range of a match in `text`.
    fn characters(&self, lines: &[Line<'_>], found: Match) -> CharRange {
        let before = |line: usize| -> usize {
            self.lines.iter().take_while(|at| **at < line).map(|at| lines[*at].text.chars().count() + 1).sum()
        };
        let token = |place: Place| lines[place.line].tokens[place.token].at;
        CharRange {
            start: before(found.first.line) + token(found.first).start,
            end: before(found.last.line) + token(found.last).end,
        }
    }

    fn passage(&self) -> Passage {
        let start = self.found.first().map_or(0, |first| first.start);
        let end = self.found.iter().map(|range| range.end).max().unwrap_or(start);
        let shown = around(&self.text, CharRange { start, end });
        passage(&self.text, shown, &self.found, self.side, self.start, self.end)
    }
}

/// Returns the times of a word, or of its segment if the segment has no words.
fn times(lines: &[Line<'_>], place: Place) -> (f64, f64) {
    let line = &lines[place.line];
    let at = line.tokens[place.token].at;
    let segment = line.segment;
    let start = segment.words.get(line.word_at(at.start)).map_or(segment.start, |word| word.start);
    let end = segment.words.get(line.word_at(at.end - 1)).map_or(segment.end, |word| word.end);
    (start, end)
}

/// Extends a range to about [`PASSAGE`] characters, cut at blanks between words if there are any.
fn around(text: &[char], core: CharRange) -> CharRange {
    let room = PASSAGE.saturating_sub(core.end - core.start);
    let after = (text.len() - core.end).min((room / 2).max(room.saturating_sub(core.start)));
    let mut start = core.start.saturating_sub(room - after);
    let mut end = core.end + after;
    if start > 0 && !text[start - 1].is_whitespace() {
        let blank = text[start..core.start].iter().position(|c| c.is_whitespace());
        start = blank.map_or(start, |blank| start + blank + 1);
    }
    if end < text.len() && !text[end].is_whitespace() {
        let blank = text[core.end..end].iter().rposition(|c| c.is_whitespace());
        end = blank.map_or(end, |blank| core.end + blank);
    }
    CharRange { start, end }
}

/// Returns a passage with the characters `shown` of a text, with `…` where it is cut.
fn passage(text: &[char], shown: CharRange, found: &[CharRange], side: RecordingSide, start: f64, end: f64) -> Passage {
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let (before, after) = (cut(shown.start > 0), cut(shown.end < text.len()));
    let inside: String = text[shown.start..shown.end].iter().collect();
    let shift = |at: usize| at + before.chars().count() - shown.start;
    Passage {
        start,
        end,
        side,
        text: format!("{before}{inside}{after}"),
        matches: found.iter().map(|range| CharRange { start: shift(range.start), end: shift(range.end) }).collect(),
    }
}
