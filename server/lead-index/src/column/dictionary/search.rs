//! Looking for parts of texts: in the blocks that may have them, from end to end.

use std::ops::Range;

use leadscribe_engine::filter::predicate::TextMatch;
use memchr::memmem::Finder;

use super::Dictionary;
use super::finder::finder;

/// Hits nearer than this to one another are mostly in the same text, of which one is enough.
const DENSE: usize = 128;

impl Dictionary {
    /// The numbers of the texts in which the part, which isn't empty, stands so, A to Z without case; ascending.
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

    /// Where in the arena texts with this part may stand, ascending: each piece from the start of its first text, whose
    /// number is given, to the end of its last.
    fn pieces(&self, part: &[u8]) -> Vec<(usize, Range<usize>)> {
        let Some(runs) = self.grams.as_ref().and_then(|grams| grams.blocks(part)) else {
            return Vec::from([(0, 0..self.arena.len())]);
        };
        // All at once, so that the texts' places are fetched without waiting for one another.
        let piece = |run: Range<usize>| {
            let (number, start) = self.first_of(run.start);
            (number, start..self.first_of(run.end).1)
        };
        runs.into_iter().map(piece).collect()
    }

    /// The number and the place of the first text that starts in this block or after.
    fn first_of(&self, block: usize) -> (usize, usize) {
        let start = |number: usize| self.texts.get(number).map_or(self.arena.len(), |text| text.start());
        let number = self.marks.get(block).map_or(self.texts.len(), |number| *number as usize);
        let number = if start(number) < block << self.division.block { number + 1 } else { number };
        (number, start(number))
    }

    /// Adds the numbers of the texts of a piece in which the part stands so.
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
                // Beyond the end stand the bits of the capitals, and the next text.
                TextMatch::Contains => hit + length <= text.end(),
                TextMatch::StartsWith => hit == text.start() && length <= text.len(),
                TextMatch::EndsWith => hit + length == text.end(),
            };
            if matches && found.last() != Some(&(number as u32)) {
                found.push(number as u32);
            }
            // Only the end of the same text can still be met after a hit elsewhere in it. Of hits that are far apart the
            // next is looked for without waiting for the end of the text.
            at = match matches || place != TextMatch::EndsWith {
                true if near => self.texts.get(number + 1).map_or(self.arena.len(), |next| next.start()),
                _ => hit + 1,
            };
        }
    }

    /// The number of the text in whose bytes this place of the arena is.
    fn number_at(&self, place: usize) -> usize {
        let mark = place >> self.division.block;
        let first = self.marks[mark] as usize;
        let last = self.marks.get(mark + 1).map_or(self.texts.len() - 1, |last| *last as usize);
        // The first starts at the mark or before.
        first + self.texts[first + 1..=last].partition_point(|text| text.start() <= place)
    }
}
