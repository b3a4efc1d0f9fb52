//! Column of texts: distinct values in a dictionary, each with the slots that have it, and their order by bytes.

use std::ops::Bound;

use leadscribe_engine::filter::predicate::TextMatch;

use super::dictionary::{Dictionary, FinishedOrder};
use super::sorted_chunks::{Position, SortedChunks};
use crate::posting::{Posting, PostingBuilder};
use crate::set::{Set, SlotCollector};

/// Minimum number of unused values for which the column is rebuilt.
const MIN_UNUSED_FOR_REBUILD: usize = 1_000;

/// Number of leading letters whose capitalizations are looked up in the sorted order; each doubles the number of variants.
const MAX_CASED_LETTERS: usize = 3;

/// Number of candidates up to which checking each one is always faster than scanning the column.
const MIN_CANDIDATES_FOR_SCAN: usize = 1_000;

/// Texts of a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextColumn {
    dictionary: Dictionary,
    /// Slots by the value's number.
    postings: Vec<Posting>,
    /// Numbers of the values, sorted by the values' bytes.
    order: SortedChunks,
    /// Number of values that no slot has.
    unused_count: usize,
    builder: PostingBuilder,
}

impl TextColumn {
    /// Adds a text for the highest slot so far. Only while building; [`Self::finish`] completes the column.
    pub fn push(&mut self, text: &str, slot: u32) {
        let number = self.dictionary.add(text.as_bytes());
        self.builder.push(number, slot);
    }

    /// Groups the pushed slots by text and sorts the texts. Returns the pushed slots.
    pub fn finish(&mut self) -> PostingBuilder {
        let mut builder = std::mem::take(&mut self.builder);
        let FinishedOrder { order, new_numbers } = self.dictionary.finish();
        new_numbers.iter().for_each(|new_numbers| builder.renumber(new_numbers));
        self.postings = builder.build(self.dictionary.len());
        self.order = SortedChunks::from_sorted(&order);
        builder
    }

    /// Slots of a text, which is added if necessary.
    fn get_or_insert_posting(&mut self, text: &str) -> &mut Posting {
        let (number, is_new) = self.dictionary.intern(text.as_bytes());
        if is_new {
            if self.postings.len() == self.postings.capacity() {
                self.postings.reserve_exact(4.max(self.postings.len() / 8));
            }
            self.postings.push(Posting::default());
        }
        &mut self.postings[number as usize]
    }

    /// Adds a slot to a text.
    pub fn insert(&mut self, text: &str, slot: u32) {
        let old_len = self.postings.len();
        match self.dictionary.find(text.as_bytes()) {
            Some(number) if self.postings[number as usize].is_empty() => self.unused_count -= 1,
            _ => {}
        }
        self.get_or_insert_posting(text).insert(slot);
        if self.postings.len() > old_len {
            self.order.insert(old_len as u32, &self.dictionary);
        }
    }

    pub fn remove(&mut self, text: &str, slot: u32) {
        let Some(number) = self.dictionary.find(text.as_bytes()) else { return };
        let posting = &mut self.postings[number as usize];
        if posting.is_empty() {
            return;
        }
        posting.remove(slot);
        if posting.is_empty() {
            self.unused_count += 1;
            if self.unused_count > MIN_UNUSED_FOR_REBUILD.max(self.postings.len() / 2) {
                self.rebuild();
            }
        }
    }

    pub fn slots_with_text(&self, text: &str) -> Set<'_> {
        self.dictionary.find(text.as_bytes()).map_or(Set::EMPTY, |number| self.postings[number as usize].set())
    }

    /// Collects the slots whose text contains, starts with or ends with the needle, ignoring ASCII case. The needle must not be empty.
    pub fn collect_matches(&self, text_match: TextMatch, needle: &str, collector: &mut SlotCollector) {
        if text_match == TextMatch::StartsWith && self.collect_prefix_matches(needle, collector) {
            return;
        }
        // Collect in a separate loop, so that memory accesses overlap.
        self.dictionary
            .search(text_match, needle)
            .iter()
            .for_each(|number| self.postings[*number as usize].collect_into(collector));
    }

    /// Collects the slots whose text starts with this prefix, ignoring ASCII case. Looks up one range of the sorted order per
    /// capitalization of the first letters. Returns false and collects nothing if a scan of all texts is faster.
    fn collect_prefix_matches(&self, prefix: &str, collector: &mut SlotCollector) -> bool {
        let prefix = prefix.to_ascii_lowercase().into_bytes();
        let ranges = self.prefix_ranges(&prefix);
        let candidates = ranges.iter().map(|(start, end)| self.order.count(*start, *end)).sum::<usize>();
        if candidates > self.postings.len() / 16 + MIN_CANDIDATES_FOR_SCAN {
            return false;
        }
        for number in ranges.into_iter().flat_map(|(start, end)| self.order.range(start, end)) {
            if self.starts_with(number, &prefix) {
                self.postings[number as usize].collect_into(collector);
            }
        }
        true
    }

    /// Ranges of texts that start with this lower-case prefix, one for each capitalization of its first letters.
    fn prefix_ranges(&self, prefix: &[u8]) -> Vec<(Position, Position)> {
        let head = &prefix[..prefix.len().min(MAX_CASED_LETTERS)];
        let case_variants = (0..1_u32 << head.len()).filter(|capitals| {
            (0..head.len()).all(|index| capitals >> index & 1 == 0 || head[index].is_ascii_lowercase())
        });
        let range = |capitals: u32| {
            let apply_case = |(index, byte): (usize, &u8)| match capitals >> index & 1 {
                1 => byte.to_ascii_uppercase(),
                _ => *byte,
            };
            let start: Vec<u8> = head.iter().enumerate().map(apply_case).collect();
            let mut end = start.clone();
            // UTF-8 text never contains byte 255.
            end.last_mut().into_iter().for_each(|last| *last += 1);
            let start = self.order.start(Bound::Included(&start), &self.dictionary);
            (start, self.order.end(Bound::Excluded(&end), &self.dictionary))
        };
        case_variants.map(range).collect()
    }

    fn starts_with(&self, number: u32, prefix: &[u8]) -> bool {
        self.dictionary.text(number).get(..prefix.len()).is_some_and(|text| text.eq_ignore_ascii_case(prefix))
    }

    /// Numbers and slots of the texts that start with this prefix, ignoring ASCII case, sorted by the texts' bytes.
    pub fn values_with_prefix(&self, prefix: &str) -> impl Iterator<Item = (u32, Set<'_>)> + use<'_> {
        let prefix = prefix.to_ascii_lowercase().into_bytes();
        let mut ranges = match prefix.is_empty() {
            true => {
                let start = self.order.start(Bound::Unbounded, &self.dictionary);
                vec![(start, self.order.end(Bound::Unbounded, &self.dictionary))]
            }
            false => self.prefix_ranges(&prefix),
        };
        ranges.sort_unstable();
        let numbers = ranges.into_iter().flat_map(|(start, end)| self.order.range(start, end));
        let used = numbers.filter(|number| !self.postings[*number as usize].is_empty());
        let matching = used.filter(move |number| prefix.is_empty() || self.starts_with(*number, &prefix));
        matching.map(|number| (number, self.postings[number as usize].set()))
    }

    pub fn text(&self, number: u32) -> String {
        String::from_utf8_lossy(&self.dictionary.text(number)).into_owned()
    }

    /// Collects the slots whose text is within these bounds, by bytes.
    pub fn collect_range(&self, start_bound: Bound<&str>, end_bound: Bound<&str>, collector: &mut SlotCollector) {
        let start = self.order.start(start_bound.map(str::as_bytes), &self.dictionary);
        let end = self.order.end(end_bound.map(str::as_bytes), &self.dictionary);
        // Ascending numbers are adjacent in memory.
        let mut numbers = SlotCollector::new(self.postings.len());
        self.order.range(start, end).for_each(|number| numbers.add(number));
        numbers.finish().iter().for_each(|number| self.postings[number as usize].collect_into(collector));
    }

    /// Slots of each text, in ascending or descending byte order, starting after `start_after` if it is set.
    pub fn groups(&self, descending: bool, start_after: Option<&str>) -> Box<dyn Iterator<Item = Set<'_>> + '_> {
        let start_after = start_after.map_or(Bound::Unbounded, |text| Bound::Excluded(text.as_bytes()));
        let (start, end) = if descending { (Bound::Unbounded, start_after) } else { (start_after, Bound::Unbounded) };
        let numbers =
            self.order.range(self.order.start(start, &self.dictionary), self.order.end(end, &self.dictionary));
        let slots = |number: u32| self.postings[number as usize].set();
        if descending { Box::new(numbers.rev().map(slots)) } else { Box::new(numbers.map(slots)) }
    }

    /// Number of distinct texts.
    pub fn distinct_count(&self) -> usize {
        self.postings.len() - self.unused_count
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let postings: usize = self.postings.iter().map(Posting::bytes).sum();
        self.dictionary.bytes() + self.order.bytes() + self.postings.capacity() * size_of::<Posting>() + postings
    }

    /// Rebuilds the column without unused values.
    fn rebuild(&mut self) {
        let mut dictionary = Dictionary::default();
        let mut postings = Vec::new();
        for (number, posting) in std::mem::take(&mut self.postings).into_iter().enumerate() {
            if !posting.is_empty() {
                dictionary.add(&self.dictionary.text(number as u32));
                postings.push(posting);
            }
        }
        // The texts are distinct and keep their order.
        let order = SortedChunks::from_sorted(&dictionary.finish().order);
        *self = Self { dictionary, postings, order, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn column_agrees_with_map_after_changes(
            first in proptest::collection::vec("[A-Ca-c]{0,3}", 0..100),
            changes in proptest::collection::vec((0_u32..400, "[A-Ca-c]{0,6}"), 0..6_000),
            (from, end) in ("[A-Ca-c]{0,3}", "[A-Ca-c]{0,3}"),
        ) {
            let mut texts = TextColumn::default();
            let mut text_by_slot = BTreeMap::new();
            for (slot, text) in (0..).zip(first) {
                texts.push(&text, slot);
                text_by_slot.insert(slot, text);
            }
            texts.finish();
            for (slot, text) in changes {
                texts.insert(&text, slot);
                match text_by_slot.insert(slot, text.clone()) {
                    Some(old) if old != text => texts.remove(&old, slot),
                    _ => {}
                }
            }
            let mut slots: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
            text_by_slot.iter().for_each(|(slot, text)| slots.entry(text).or_default().push(*slot));
            prop_assert_eq!(texts.distinct_count(), slots.len());
            let non_empty_groups = |groups: Box<dyn Iterator<Item = Set<'_>> + '_>| -> Vec<Vec<u32>> {
                groups.filter(|group| !group.is_empty()).map(|group| group.iter().collect()).collect()
            };
            let ascending: Vec<_> = slots.iter().filter(|(text, _)| **text > from.as_str()).map(|(_, slots)| slots.clone()).collect();
            prop_assert_eq!(non_empty_groups(texts.groups(false, Some(&from))), ascending);
            let descending: Vec<_> = slots.values().rev().cloned().collect();
            prop_assert_eq!(non_empty_groups(texts.groups(true, None)), descending);
            let mut collector = SlotCollector::new(400);
            texts.collect_range(Bound::Included(&from), Bound::Excluded(&end), &mut collector);
            let within = text_by_slot.iter().filter(|(_, text)| from <= **text && **text < end).map(|(slot, _)| *slot);
            prop_assert!(collector.finish().iter().eq(within));
            if !from.is_empty() {
                let mut collector = SlotCollector::new(400);
                texts.collect_matches(TextMatch::StartsWith, &from, &mut collector);
                let start = from.to_ascii_lowercase();
                let starting = text_by_slot.iter().filter(|(_, text)| text.to_ascii_lowercase().starts_with(&start));
                prop_assert!(collector.finish().iter().eq(starting.map(|(slot, _)| *slot)));
            }
            prop_assert!(texts.slots_with_text(&from).iter().eq(slots.get(&*from).into_iter().flatten().copied()));
        }
    }
}
