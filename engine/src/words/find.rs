//! Where a transcript says what is searched.

use super::lines::Line;
use super::passage::passages;
use super::{FoundIn, Position, Search, Term, WordIndex};
use crate::api::{RecordingSide, Transcript};

/// Consecutive words of one side that were found: where they begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub first: Place,
    pub last: Place,
}

/// A word: the index of its line, and its index among the line's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub line: usize,
    pub token: usize,
}

impl Search {
    /// Where a transcript says it: at most `most` passages, by time. Nothing is found unless every term is.
    ///
    /// Each place counts, also where the places of two terms overlap. A passage shows the places that fit into
    /// [`super::PASSAGE`] characters of the same segment.
    pub fn find(&self, transcript: &Transcript, most: usize) -> FoundIn {
        let lines = lines(transcript);
        let found = self.matches(&lines);
        let matches = u32::try_from(found.len()).unwrap_or(u32::MAX);
        FoundIn { matches, passages: passages(&lines, &found, most) }
    }

    /// Every place where a transcript says it, by time; for going from one to the next.
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

    /// The places of all terms, by time; none when a term has none.
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
    /// Whether the words that are said begin with it.
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

/// Every word of a side, in order.
fn said_by(lines: &[Line<'_>], side: RecordingSide) -> Vec<Place> {
    let of_side = lines.iter().enumerate().filter(|(_, line)| line.segment.side == side);
    of_side.flat_map(|(line, of)| (0..of.tokens.len()).map(move |token| Place { line, token })).collect()
}
