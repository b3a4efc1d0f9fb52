//! Sorts all texts of a dictionary by bytes. Compares eight bytes at a time, so a text is read once per eight common bytes instead of once
//! per comparison.

use std::ops::Range;

use super::dictionary::Dictionary;

/// All numbers of a dictionary, sorted by their texts.
#[derive(Debug)]
pub(super) struct Order {
    /// Numbers; those of equal texts ascend.
    pub numbers: Vec<u32>,
    /// Ranges of `numbers` with equal texts.
    pub equal: Vec<Range<usize>>,
}

/// Eight bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    word: u64,
    /// Number of bytes from here to the end of the text; 9 if more than eight.
    rest: u8,
    number: u32,
}

impl Entry {
    fn of(values: &Dictionary, number: u32, at: usize) -> Self {
        let (word, rest) = values.word(number, at);
        Self { word, rest: rest.min(9) as u8, number }
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.word, self.rest) == (other.word, other.rest)
    }
}

/// Sorts all texts.
pub(super) fn sort(values: &Dictionary) -> Order {
    let mut entries: Vec<Entry> = (0..values.len() as u32).map(|number| Entry::of(values, number, 0)).collect();
    let mut equal = Vec::new();
    let whole = 0..entries.len();
    let (mut runs, mut at) = (Vec::from([whole]), 0);
    while !runs.is_empty() {
        at += 8;
        let mut longer = Vec::new();
        for run in runs {
            let entries = &mut entries[run.clone()];
            entries.sort_unstable();
            let mut start = run.start;
            for alike in entries.chunk_by_mut(Entry::is_like) {
                let range = start..start + alike.len();
                start = range.end;
                if alike.len() > 1 && alike[0].rest > 8 {
                    alike.iter_mut().for_each(|entry| *entry = Entry::of(values, entry.number, at));
                    longer.push(range);
                } else if alike.len() > 1 {
                    equal.push(range);
                }
            }
        }
        runs = longer;
    }
    Order { numbers: entries.into_iter().map(|entry| entry.number).collect(), equal }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_texts_by_bytes(texts in proptest::collection::vec("[ab\0]{0,3}([Xx]{7,9}[ab\0]{0,2}){0,2}", 0..80)) {
            let mut dictionary = Dictionary::default();
            texts.iter().for_each(|text| _ = dictionary.make_another(text.as_bytes()));
            let mut expected: Vec<u32> = (0..texts.len() as u32).collect();
            expected.sort_by_key(|number| &texts[*number as usize]);
            let order = sort(&dictionary);
            prop_assert_eq!(&order.numbers, &expected);
            let mut alike: Vec<Range<usize>> = order.equal;
            alike.sort_by_key(|range| range.start);
            let text = |number: &u32| &texts[*number as usize];
            let (mut start, mut expected_alike) = (0, Vec::new());
            for run in expected.chunk_by(|one, other| text(one) == text(other)) {
                expected_alike.extend((run.len() > 1).then_some(start..start + run.len()));
                start += run.len();
            }
            prop_assert_eq!(alike, expected_alike);
        }
    }
}
