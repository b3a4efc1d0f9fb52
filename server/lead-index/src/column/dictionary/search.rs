//! Substring search in the texts of all candidate blocks.

use std::ops::Range;

use leadscribe_engine::filter::predicate::TextMatch;
use memchr::memmem::Finder;

use super::Dictionary;
use super::finder::build_finder;

/// Distance below which two hits are usually in the same text. One hit in each text is enough.
const MAX_NEAR_DISTANCE: usize = 128;

impl Dictionary {
    /// Numbers of the texts that contain, start with or end with the needle, ignoring ASCII case; ascending. The needle must not be empty.
    pub fn search(&self, mode: TextMatch, needle: &str) -> Vec<u32> {
        let needle = needle.to_ascii_lowercase();
        let finder = match self.trigrams {
            Some(_) => build_finder(needle.as_bytes(), &self.arena),
            None => Finder::new(&needle),
        };
        let mut numbers = Vec::new();
        self.candidate_ranges(needle.as_bytes())
            .into_iter()
            .for_each(|range| self.search_range(range, mode, &finder, &mut numbers));
        numbers
    }

    /// Arena ranges that may have texts with the needle, ascending. Each starts at a text, whose number is given, and ends at the end of a
    /// text.
    fn candidate_ranges(&self, needle: &[u8]) -> Vec<(usize, Range<usize>)> {
        let Some(runs) = self.trigrams.as_ref().and_then(|trigrams| trigrams.candidate_blocks(needle)) else {
            return Vec::from([(0, 0..self.arena.len())]);
        };
        // Computed for all runs together, so that memory accesses overlap.
        let range_of = |run: Range<usize>| {
            let (number, start) = self.first_text_from(run.start);
            (number, start..self.first_text_from(run.end).1)
        };
        runs.into_iter().map(range_of).collect()
    }

    /// Number and position of the first text that starts in this block or later.
    fn first_text_from(&self, block: usize) -> (usize, usize) {
        let start_of = |number: usize| self.texts.get(number).map_or(self.arena.len(), |text| text.start());
        let number = self.block_starts.get(block).map_or(self.texts.len(), |number| *number as usize);
        let number = if start_of(number) < block << self.block_config.block_bits { number + 1 } else { number };
        (number, start_of(number))
    }

    /// Adds the numbers of the texts in a range that contain, start with or end with the needle.
    fn search_range(&self, range: (usize, Range<usize>), mode: TextMatch, finder: &Finder<'_>, numbers: &mut Vec<u32>) {
        let needle_len = finder.needle().len();
        let (mut number, Range { start: mut position, end }) = range;
        while let Some(hit) = self.arena.get(position..end).and_then(|rest| finder.find(rest)) {
            let is_near = hit < MAX_NEAR_DISTANCE;
            let hit = position + hit;
            if is_near {
                let next = self.texts[number..].iter().skip(1);
                number += next.take_while(|text| text.start() <= hit).count();
            } else {
                number = self.number_at(hit);
            }
            let text = self.texts[number];
            let matches = match mode {
                // The bits for capitals and the next text lie beyond the end.
                TextMatch::Contains => hit + needle_len <= text.end(),
                TextMatch::StartsWith => hit == text.start() && needle_len <= text.len(),
                TextMatch::EndsWith => hit + needle_len == text.end(),
            };
            if matches && numbers.last() != Some(&(number as u32)) {
                numbers.push(number as u32);
            }
            // After a hit elsewhere in a text, only a hit at its end can still match. If hits are far apart, continues right after the hit
            // without determining the end of the text.
            position = match matches || mode != TextMatch::EndsWith {
                true if is_near => self.texts.get(number + 1).map_or(self.arena.len(), |next| next.start()),
                _ => hit + 1,
            };
        }
    }

    /// Number of the text that contains this position of the arena.
    fn number_at(&self, position: usize) -> usize {
        let block = position >> self.block_config.block_bits;
        let first = self.block_starts[block] as usize;
        let last = self.block_starts.get(block + 1).map_or(self.texts.len() - 1, |last| *last as usize);
        // The first text starts at the start of the block or before.
        first + self.texts[first + 1..=last].partition_point(|text| text.start() <= position)
    }
}
