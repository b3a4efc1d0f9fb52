//! Column of texts: distinct values in a dictionary, each with the slots that have it, and their order by bytes.

use std::ops::Bound;

use leadscribe_engine::filter::predicate::TextMatch;

use super::dictionary::{Dictionary, Finished};
use super::sorted::{Place, Sorted};
use crate::posting::{Posting, Pushed};
use crate::set::{Gather, Set};

/// Minimum number of unused values for which the column is rebuilt.
const MANY_UNUSED: usize = 1_000;

/// Number of leading letters whose capitalizations are looked up in the sorted order; each doubles the number of variants.
const LETTERS: usize = 3;

/// Number of texts that are always looked up one by one.
const FEW: usize = 1_000;

/// Texts of a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    values: Dictionary,
    /// Slots by the value's number.
    postings: Vec<Posting>,
    /// Numbers of the values, sorted by the values' bytes.
    order: Sorted,
    /// Number of values that no slot has.
    unused: usize,
    pushed: Pushed,
}

impl Texts {
    /// Adds a text for the highest slot so far. Only while building; [`Self::finish`] completes the column.
    pub fn push(&mut self, text: &str, slot: u32) {
        let number = self.values.make(text.as_bytes());
        self.pushed.push(number, slot);
    }

    /// Groups the pushed slots by text and sorts the texts. Returns the pushed slots.
    pub fn finish(&mut self) -> Pushed {
        let mut pushed = std::mem::take(&mut self.pushed);
        let Finished { order, renumbered } = self.values.finish();
        renumbered.iter().for_each(|renumbered| pushed.renumber(renumbered));
        self.postings = pushed.postings(self.values.len());
        self.order = Sorted::of(&order);
        pushed
    }

    /// Slots of a text, which is added if necessary.
    fn posting(&mut self, text: &str) -> &mut Posting {
        let (number, new) = self.values.intern(text.as_bytes());
        if new {
            if self.postings.len() == self.postings.capacity() {
                self.postings.reserve_exact(4.max(self.postings.len() / 8));
            }
            self.postings.push(Posting::default());
        }
        &mut self.postings[number as usize]
    }

    /// Adds a slot to a text.
    pub fn insert(&mut self, text: &str, slot: u32) {
        let before = self.postings.len();
        match self.values.find(text.as_bytes()) {
            Some(number) if self.postings[number as usize].is_empty() => self.unused -= 1,
            _ => {}
        }
        self.posting(text).insert(slot);
        if self.postings.len() > before {
            self.order.insert(before as u32, &self.values);
        }
    }

    /// Removes a slot from a text.
    pub fn remove(&mut self, text: &str, slot: u32) {
        let Some(number) = self.values.find(text.as_bytes()) else { return };
        let posting = &mut self.postings[number as usize];
        if posting.is_empty() {
            return;
        }
        posting.remove(slot);
        if posting.is_empty() {
            self.unused += 1;
            if self.unused > MANY_UNUSED.max(self.postings.len() / 2) {
                self.renew();
            }
        }
    }

    /// Slots that have this text.
    pub fn equal(&self, text: &str) -> Set<'_> {
        self.values.find(text.as_bytes()).map_or(Set::EMPTY, |number| self.postings[number as usize].set())
    }

    /// Collects the slots whose text matches the needle at this position, ignoring ASCII case. The needle must not be empty.
    pub fn search(&self, place: TextMatch, part: &str, into: &mut Gather) {
        if place == TextMatch::StartsWith && self.starting(part, into) {
            return;
        }
        // After the search, so that memory accesses overlap.
        self.values.search(place, part).iter().for_each(|number| self.postings[*number as usize].gather(into));
    }

    /// Collects the slots whose text starts with this prefix, ignoring ASCII case, from the sorted order: one range for each capitalization
    /// of the first letters. Returns false and collects nothing if the ranges are so wide that scanning all texts is faster.
    fn starting(&self, part: &str, into: &mut Gather) -> bool {
        let part = part.to_ascii_lowercase().into_bytes();
        let ranges = self.ranges(&part);
        let wide = ranges.iter().map(|(start, end)| self.order.count(*start, *end)).sum::<usize>();
        if wide > self.postings.len() / 16 + FEW {
            return false;
        }
        for number in ranges.into_iter().flat_map(|(start, end)| self.order.range(start, end)) {
            if self.starts_with(number, &part) {
                self.postings[number as usize].gather(into);
            }
        }
        true
    }

    /// Ranges of texts that start with this lower-case prefix, one for each capitalization of its first letters.
    fn ranges(&self, part: &[u8]) -> Vec<(Place, Place)> {
        let head = &part[..part.len().min(LETTERS)];
        let ways = (0..1_u32 << head.len())
            .filter(|capitals| (0..head.len()).all(|at| capitals >> at & 1 == 0 || head[at].is_ascii_lowercase()));
        let range = |capitals: u32| {
            let capital = |(at, byte): (usize, &u8)| match capitals >> at & 1 {
                1 => byte.to_ascii_uppercase(),
                _ => *byte,
            };
            let start: Vec<u8> = head.iter().enumerate().map(capital).collect();
            let mut end = start.clone();
            // UTF-8 text never contains byte 255.
            end.last_mut().into_iter().for_each(|last| *last += 1);
            let start = self.order.start(Bound::Included(&start), &self.values);
            (start, self.order.end(Bound::Excluded(&end), &self.values))
        };
        ways.map(range).collect()
    }

    fn starts_with(&self, number: u32, part: &[u8]) -> bool {
        self.values.text(number).get(..part.len()).is_some_and(|text| text.eq_ignore_ascii_case(part))
    }

    /// Numbers and slots of the texts that start with this prefix, ignoring ASCII case, sorted by the texts' bytes.
    pub fn starting_with(&self, part: &str) -> impl Iterator<Item = (u32, Set<'_>)> + use<'_> {
        let part = part.to_ascii_lowercase().into_bytes();
        let mut ranges = match part.is_empty() {
            true => {
                let whole = (Bound::Unbounded, Bound::Unbounded);
                vec![(self.order.start(whole.0, &self.values), self.order.end(whole.1, &self.values))]
            }
            false => self.ranges(&part),
        };
        ranges.sort_unstable();
        let numbers = ranges.into_iter().flat_map(|(start, end)| self.order.range(start, end));
        let used = numbers.filter(|number| !self.postings[*number as usize].is_empty());
        let starting = used.filter(move |number| part.is_empty() || self.starts_with(*number, &part));
        starting.map(|number| (number, self.postings[number as usize].set()))
    }

    /// Text of this number.
    pub fn text(&self, number: u32) -> String {
        String::from_utf8_lossy(&self.values.text(number)).into_owned()
    }

    /// Collects the slots whose text is within these bounds, by bytes.
    pub fn within(&self, from: Bound<&str>, till: Bound<&str>, into: &mut Gather) {
        let start = self.order.start(from.map(str::as_bytes), &self.values);
        let end = self.order.end(till.map(str::as_bytes), &self.values);
        // Ascending numbers are adjacent in memory.
        let mut numbers = Gather::new(self.postings.len());
        self.order.range(start, end).for_each(|number| numbers.add(number));
        numbers.finish().iter().for_each(|number| self.postings[number as usize].gather(into));
    }

    /// Slots of each text, in ascending or descending byte order; only texts beyond `beyond`, if it is given.
    pub fn groups(&self, descending: bool, beyond: Option<&str>) -> Box<dyn Iterator<Item = Set<'_>> + '_> {
        let beyond = beyond.map_or(Bound::Unbounded, |text| Bound::Excluded(text.as_bytes()));
        let (from, till) = if descending { (Bound::Unbounded, beyond) } else { (beyond, Bound::Unbounded) };
        let numbers = self.order.range(self.order.start(from, &self.values), self.order.end(till, &self.values));
        let slots = |number: u32| self.postings[number as usize].set();
        if descending { Box::new(numbers.rev().map(slots)) } else { Box::new(numbers.map(slots)) }
    }

    /// Number of distinct texts.
    pub fn distinct(&self) -> usize {
        self.postings.len() - self.unused
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let postings: usize = self.postings.iter().map(Posting::bytes).sum();
        self.values.bytes() + self.order.bytes() + self.postings.capacity() * size_of::<Posting>() + postings
    }

    /// Rebuilds the column without unused values.
    fn renew(&mut self) {
        let mut values = Dictionary::default();
        let mut postings = Vec::new();
        for (number, posting) in std::mem::take(&mut self.postings).into_iter().enumerate() {
            if !posting.is_empty() {
                values.make(&self.values.text(number as u32));
                postings.push(posting);
            }
        }
        // The texts are distinct and keep their order.
        let order = Sorted::of(&values.finish().order);
        *self = Self { values, postings, order, ..Self::default() };
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
            (from, till) in ("[A-Ca-c]{0,3}", "[A-Ca-c]{0,3}"),
        ) {
            let mut texts = Texts::default();
            let mut of_slot = BTreeMap::new();
            for (slot, text) in (0..).zip(first) {
                texts.push(&text, slot);
                of_slot.insert(slot, text);
            }
            texts.finish();
            for (slot, text) in changes {
                texts.insert(&text, slot);
                match of_slot.insert(slot, text.clone()) {
                    Some(old) if old != text => texts.remove(&old, slot),
                    _ => {}
                }
            }
            let mut slots: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
            of_slot.iter().for_each(|(slot, text)| slots.entry(text).or_default().push(*slot));
            prop_assert_eq!(texts.distinct(), slots.len());
            let filled = |groups: Box<dyn Iterator<Item = Set<'_>> + '_>| -> Vec<Vec<u32>> {
                groups.filter(|group| !group.is_empty()).map(|group| group.iter().collect()).collect()
            };
            let up: Vec<_> = slots.iter().filter(|(text, _)| **text > from.as_str()).map(|(_, slots)| slots.clone()).collect();
            prop_assert_eq!(filled(texts.groups(false, Some(&from))), up);
            let down: Vec<_> = slots.values().rev().cloned().collect();
            prop_assert_eq!(filled(texts.groups(true, None)), down);
            let mut gather = Gather::new(400);
            texts.within(Bound::Included(&from), Bound::Excluded(&till), &mut gather);
            let within = of_slot.iter().filter(|(_, text)| from <= **text && **text < till).map(|(slot, _)| *slot);
            prop_assert!(gather.finish().iter().eq(within));
            if !from.is_empty() {
                let mut gather = Gather::new(400);
                texts.search(TextMatch::StartsWith, &from, &mut gather);
                let start = from.to_ascii_lowercase();
                let starting = of_slot.iter().filter(|(_, text)| text.to_ascii_lowercase().starts_with(&start));
                prop_assert!(gather.finish().iter().eq(starting.map(|(slot, _)| *slot)));
            }
            prop_assert!(texts.equal(&from).iter().eq(slots.get(&*from).into_iter().flatten().copied()));
        }
    }
}
