//! Finds the matches of a search in a transcript.

use super::lines::Line;
use super::passage::passages;
use super::{FoundIn, Position, Search, Term, WordIndex};
use crate::api::{RecordingSide, Transcript};

/// A match: consecutive words of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub first: Place,
    pub last: Place,
}

/// Position of a word: the index of its line, and its index in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub line: usize,
    pub token: usize,
}

impl Search {
    /// Finds the matches in a transcript, and returns at most `most` passages, ordered by time. There are no matches unless every term
    /// matches.
    ///
    /// Overlapping matches of two terms both count. A passage contains matches that fit into [`super::PASSAGE`] characters of the same
    /// segment.
    pub fn find(&self, transcript: &Transcript, most: usize) -> FoundIn {
        let lines = lines(transcript);
        let found = self.matches(&lines);
        let matches = u32::try_from(found.len()).unwrap_or(u32::MAX);
        FoundIn { matches, passages: passages(&lines, &found, most) }
    }

    /// Returns the positions of all matches, ordered by time, for stepping through them.
    pub fn positions(&self, transcript: &Transcript) -> Vec<Position> {
        let lines = lines(transcript);
        let index = |place: Place, character: fn(&super::fold::Token) -> usize| {
            let line = &lines[place.line];
            WordIndex { segment: place.line, word: line.word_at(character(&line.tokens[place.token])) }
        };
        let position = |found: Match| Position {
            first: index(found.first, |token| token.at.start),
            last: index(found.last, |token| token.at.end - 1),
        };
        self.matches(&lines).into_iter().map(position).collect()
    }

    /// Returns the matches of all terms, ordered by time; empty if a term has no match.
    fn matches(&self, lines: &[Line<'_>]) -> Vec<Match> {
        let sides = RecordingSide::ALL.iter().map(|side| said_by(lines, *side)).collect::<Vec<_>>();
        let mut matches = Vec::new();
        for term in &self.terms {
            let before = matches.len();
            for side in &sides {
                let starts = (0..side.len()).filter(|start| term.is_at(lines, &side[*start..]));
                matches
                    .extend(starts.map(|start| Match { first: side[start], last: side[start + term.words.len() - 1] }));
            }
            if matches.len() == before {
                return Vec::new();
            }
        }
        let start = |found: &Match| lines[found.first.line].segment.start;
        matches.sort_by(|a, b| start(a).total_cmp(&start(b)).then((a.first, a.last).cmp(&(b.first, b.last))));
        matches
    }
}

impl Term {
    /// Returns true if the words at the start of `said` match the term.
    fn is_at(&self, lines: &[Line<'_>], said: &[Place]) -> bool {
        let Some((last, first)) = self.words.split_last() else { return false };
        let word = |place: &Place| lines[place.line].tokens[place.token].word.as_str();
        let Some(end) = said.get(first.len()).map(word) else { return false };
        let ends = if self.prefix { end.starts_with(last.as_str()) } else { end == last };
        ends && first.iter().zip(said).all(|(one, place)| one == word(place))
    }
}

fn lines(transcript: &Transcript) -> Vec<Line<'_>> {
    transcript.segments.iter().map(Line::new).collect()
}

/// Returns all words of a side, in order.
fn said_by(lines: &[Line<'_>], side: RecordingSide) -> Vec<Place> {
    let of_side = lines.iter().enumerate().filter(|(_, line)| line.segment.side == side);
    of_side.flat_map(|(line, of)| (0..of.tokens.len()).map(move |token| Place { line, token })).collect()
}
