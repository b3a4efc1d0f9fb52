//! Substring search in the texts of all candidate blocks.

use std::ops::Range;

use leadscribe_engine::filter::predicate::TextMatch;
use memchr::memmem::Finder;

use super::Dictionary;
use super::finder::finder;

/// Distance below which two hits are usually in the same text, of which one is enough.
const DENSE: usize = 128;

impl Dictionary {
    /// Numbers of the texts that match the needle at this position, ignoring ASCII case; ascending. The needle must not be empty.
    pub fn search(&self, place: TextMatch, part: &str) -> Vec<u32> {
        let part = part.to_ascii_lowercase();
        let finder = match self.grams {
            Some(_) => finder(part.as_bytes(), &self.arena),
            None => Finder::new(&part),
        };
        let mut found = Vec::new();
        self.pieces(part.as_bytes()).into_iter().for_each(|piece| self.search_in(piece, place, &finder, &mut found));
        found
    }

    /// Arena ranges that may have texts with the needle, ascending. Each starts at a text, whose number is given, and ends at the end of a
    /// text.
    fn pieces(&self, part: &[u8]) -> Vec<(usize, Range<usize>)> {
        let Some(runs) = self.grams.as_ref().and_then(|grams| grams.blocks(part)) else {
            return Vec::from([(0, 0..self.arena.len())]);
        };
        // Computed for all runs together, so that memory accesses overlap.
        let piece = |run: Range<usize>| {
            let (number, start) = self.first_of(run.start);
            (number, start..self.first_of(run.end).1)
        };
        runs.into_iter().map(piece).collect()
    }

    /// Number and position of the first text that starts in this block or later.
    fn first_of(&self, block: usize) -> (usize, usize) {
        let start = |number: usize| self.texts.get(number).map_or(self.arena.len(), |text| text.start());
        let number = self.marks.get(block).map_or(self.texts.len(), |number| *number as usize);
        let number = if start(number) < block << self.division.block { number + 1 } else { number };
        (number, start(number))
    }

    /// Adds the numbers of the texts in a piece that match the needle at this position.
    fn search_in(&self, piece: (usize, Range<usize>), place: TextMatch, finder: &Finder<'_>, found: &mut Vec<u32>) {
        let length = finder.needle().len();
        let (mut number, Range { start: mut at, end }) = piece;
        while let Some(hit) = self.arena.get(at..end).and_then(|rest| finder.find(rest)) {
            let near = hit < DENSE;
            let hit = at + hit;
            if near {
                let next = self.texts[number..].iter().skip(1);
                number += next.take_while(|text| text.start() <= hit).count();
            } else {
                number = self.number_at(hit);
            }
            let text = self.texts[number];
            let matches = match place {
                // The bits for capitals and the next text lie beyond the end.
                TextMatch::Contains => hit + length <= text.end(),
                TextMatch::StartsWith => hit == text.start() && length <= text.len(),
                TextMatch::EndsWith => hit + length == text.end(),
            };
            if matches && found.last() != Some(&(number as u32)) {
                found.push(number as u32);
            }
            // After a hit elsewhere in a text, only a hit at its end can still match. If hits are far apart, continues right after the hit
            // without determining the end of the text.
            at = match matches || place != TextMatch::EndsWith {
                true if near => self.texts.get(number + 1).map_or(self.arena.len(), |next| next.start()),
                _ => hit + 1,
            };
        }
    }

    /// Number of the text that contains this position of the arena.
    fn number_at(&self, place: usize) -> usize {
        let mark = place >> self.division.block;
        let first = self.marks[mark] as usize;
        let last = self.marks.get(mark + 1).map_or(self.texts.len() - 1, |last| *last as usize);
        // The first text starts at the mark or before.
        first + self.texts[first + 1..=last].partition_point(|text| text.start() <= place)
    }
}
