//! Sorts all texts of a dictionary by bytes. Compares eight bytes at a time, so a text is read once per eight common bytes instead of once
//! per comparison.

use std::ops::Range;

use super::Dictionary;

/// All numbers of a dictionary, sorted by their texts.
#[derive(Debug)]
pub(super) struct SortedNumbers {
    /// Numbers; those of equal texts ascend.
    pub numbers: Vec<u32>,
    /// Ranges of `numbers` with equal texts.
    pub duplicates: Vec<Range<usize>>,
}

/// Eight bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    word: u64,
    /// Number of bytes from here to the end of the text; 9 if more than eight.
    rest_len: u8,
    number: u32,
}

impl Entry {
    fn new(dictionary: &Dictionary, number: u32, offset: usize) -> Self {
        let (word, rest_len) = dictionary.word(number, offset);
        Self { word, rest_len: rest_len.min(9) as u8, number }
    }

    fn has_equal_bytes(&self, other: &Self) -> bool {
        (self.word, self.rest_len) == (other.word, other.rest_len)
    }
}

/// Sorts all texts.
pub(super) fn sort(dictionary: &Dictionary) -> SortedNumbers {
    let mut entries: Vec<Entry> =
        (0..dictionary.len() as u32).map(|number| Entry::new(dictionary, number, 0)).collect();
    let mut duplicates = Vec::new();
    let all = 0..entries.len();
    let (mut runs, mut offset) = (Vec::from([all]), 0);
    while !runs.is_empty() {
        offset += 8;
        let mut unresolved = Vec::new();
        for run in runs {
            let entries = &mut entries[run.clone()];
            entries.sort_unstable();
            let mut start = run.start;
            for equal_entries in entries.chunk_by_mut(Entry::has_equal_bytes) {
                let range = start..start + equal_entries.len();
                start = range.end;
                if equal_entries.len() > 1 && equal_entries[0].rest_len > 8 {
                    equal_entries.iter_mut().for_each(|entry| *entry = Entry::new(dictionary, entry.number, offset));
                    unresolved.push(range);
                } else if equal_entries.len() > 1 {
                    duplicates.push(range);
                }
            }
        }
        runs = unresolved;
    }
    SortedNumbers { numbers: entries.into_iter().map(|entry| entry.number).collect(), duplicates }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_texts_by_bytes(texts in proptest::collection::vec("[ab\0]{0,3}([Xx]{7,9}[ab\0]{0,2}){0,2}", 0..80)) {
            let mut dictionary = Dictionary::default();
            texts.iter().for_each(|text| _ = dictionary.add_distinct(text.as_bytes()));
            let mut expected: Vec<u32> = (0..texts.len() as u32).collect();
            expected.sort_by_key(|number| &texts[*number as usize]);
            let order = sort(&dictionary);
            prop_assert_eq!(&order.numbers, &expected);
            let mut ranges_with_duplicates: Vec<Range<usize>> = order.duplicates;
            ranges_with_duplicates.sort_by_key(|range| range.start);
            let text = |number: &u32| &texts[*number as usize];
            let (mut start, mut expected_ranges) = (0, Vec::new());
            for run in expected.chunk_by(|one, other| text(one) == text(other)) {
                expected_ranges.extend((run.len() > 1).then_some(start..start + run.len()));
                start += run.len();
            }
            prop_assert_eq!(ranges_with_duplicates, expected_ranges);
        }
    }
}
