//! Finds the matches of a search in a transcript.

use super::line::Line;
use super::passage::{Match, TokenPosition, passages};
use super::{MatchPosition, Search, SearchMatches, Term, WordIndex};
use crate::api::{RecordingSide, Transcript};

impl Search {
    /// Finds the matches in a transcript, and returns at most `max_passages` passages, ordered by time. There are no matches unless every term
    /// matches.
    ///
    /// Overlapping matches of two terms both count. A passage contains matches that fit into [`super::PASSAGE_CHARS`] characters of the same
    /// segment.
    pub fn find(&self, transcript: &Transcript, max_passages: usize) -> SearchMatches {
        let lines = lines(transcript);
        let all_matches = self.matches(&lines);
        let match_count = u32::try_from(all_matches.len()).unwrap_or(u32::MAX);
        SearchMatches { match_count, passages: passages(&lines, &all_matches, max_passages) }
    }

    /// Returns the positions of all matches, ordered by time, for stepping through them.
    pub fn positions(&self, transcript: &Transcript) -> Vec<MatchPosition> {
        let lines = lines(transcript);
        let index = |position: TokenPosition, char_of: fn(&super::fold::Token) -> usize| {
            let line = &lines[position.line];
            WordIndex { segment: position.line, word: line.word_at(char_of(&line.tokens[position.token])) }
        };
        let position = |found_match: Match| MatchPosition {
            first: index(found_match.first, |token| token.range.start),
            last: index(found_match.last, |token| token.range.end - 1),
        };
        self.matches(&lines).into_iter().map(position).collect()
    }

    /// Returns the matches of all terms, ordered by time; empty if a term has no match.
    fn matches(&self, lines: &[Line<'_>]) -> Vec<Match> {
        let sides = RecordingSide::ALL.iter().map(|side| words_of_side(lines, *side)).collect::<Vec<_>>();
        let mut matches = Vec::new();
        for term in &self.terms {
            let old_len = matches.len();
            for side in &sides {
                let starts = (0..side.len()).filter(|start| term.matches_at(lines, &side[*start..]));
                matches
                    .extend(starts.map(|start| Match { first: side[start], last: side[start + term.words.len() - 1] }));
            }
            if matches.len() == old_len {
                return Vec::new();
            }
        }
        let start = |match_span: &Match| lines[match_span.first.line].segment.start;
        matches.sort_by(|a, b| start(a).total_cmp(&start(b)).then((a.first, a.last).cmp(&(b.first, b.last))));
        matches
    }
}

impl Term {
    /// Returns true if the words at the start of `words` match the term.
    fn matches_at(&self, lines: &[Line<'_>], words: &[TokenPosition]) -> bool {
        let Some((last, preceding)) = self.words.split_last() else { return false };
        let word = |position: &TokenPosition| lines[position.line].tokens[position.token].word.as_str();
        let Some(last_word) = words.get(preceding.len()).map(word) else { return false };
        let last_matches = if self.is_prefix { last_word.starts_with(last.as_str()) } else { last_word == last };
        last_matches && preceding.iter().zip(words).all(|(expected, position)| expected == word(position))
    }
}

fn lines(transcript: &Transcript) -> Vec<Line<'_>> {
    transcript.segments.iter().map(Line::new).collect()
}

/// Returns all words of a side, in order.
fn words_of_side(lines: &[Line<'_>], side: RecordingSide) -> Vec<TokenPosition> {
    let side_lines = lines.iter().enumerate().filter(|(_, line)| line.segment.side == side);
    side_lines
        .flat_map(|(line, side_line)| (0..side_line.tokens.len()).map(move |token| TokenPosition { line, token }))
        .collect()
}
