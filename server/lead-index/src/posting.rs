//! Slots that have one value: up to three inline, up to a thousand as a list, more as a bitmap.

use roaring::RoaringBitmap;

use crate::set::{Gather, Set};

/// Maximum number of inline slots.
const IN_PLACE: usize = 3;

/// Maximum number of slots in a list. Each takes four bytes, and not less in a bitmap of widely spread slots.
const LISTED: usize = 1024;

/// Slots that have one value. Some columns have one posting per lead, so the size of 16 bytes matters.
#[derive(Clone, Debug)]
#[expect(clippy::box_collection, reason = "a list in place would make every posting half as large again")]
pub(crate) enum Posting {
    /// The first `count` of these slots, ascending.
    Few { count: u8, slots: [u32; IN_PLACE] },
    /// Ascending list.
    Some(Box<Vec<u32>>),
    /// Bitmap.
    Many(Box<RoaringBitmap>),
}

impl Default for Posting {
    fn default() -> Self {
        Self::Few { count: 0, slots: [0; IN_PLACE] }
    }
}

impl Posting {
    /// Builds a posting from ascending slots.
    fn of(ascending_slots: &[u32]) -> Self {
        match ascending_slots.len() {
            held @ 0..=IN_PLACE => {
                let mut slots = [0; IN_PLACE];
                slots[..held].copy_from_slice(ascending_slots);
                Self::Few { count: held as u8, slots }
            }
            ..=LISTED => Self::Some(Box::new(ascending_slots.to_vec())),
            _ => Self::Many(Box::new(ascending(ascending_slots))),
        }
    }

    /// Slots as a set.
    pub fn set(&self) -> Set<'_> {
        match self {
            Self::Many(bits) => Set::of(bits),
            _ => Set::of_list(self.list()),
        }
    }

    /// True if no slot has the value.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Few { count: 0, .. })
    }

    /// Adds the slots to a collector.
    pub fn gather(&self, into: &mut Gather) {
        match self {
            Self::Few { count: 0, .. } => {}
            Self::Few { count: 1, slots } => into.add(slots[0]),
            Self::Many(bits) => into.union(bits),
            _ => into.extend(self.list()),
        }
    }

    /// Adds a slot.
    pub fn insert(&mut self, slot: u32) {
        match self {
            Self::Many(bits) => _ = bits.insert(slot),
            Self::Some(list) => match list.binary_search(&slot) {
                Ok(_) => {}
                Err(_) if list.len() >= LISTED => {
                    let mut bits = ascending(list);
                    bits.insert(slot);
                    *self = Self::Many(Box::new(bits));
                }
                Err(place) => list.insert(place, slot),
            },
            Self::Few { count, slots } => {
                let held = usize::from(*count);
                let Err(place) = slots[..held].binary_search(&slot) else { return };
                if held < IN_PLACE {
                    slots.copy_within(place..held, place + 1);
                    slots[place] = slot;
                    *count += 1;
                } else {
                    let mut list = Vec::with_capacity(2 * IN_PLACE);
                    list.extend_from_slice(&slots[..held]);
                    list.insert(place, slot);
                    *self = Self::Some(Box::new(list));
                }
            }
        }
    }

    /// Removes a slot.
    pub fn remove(&mut self, slot: u32) {
        match self {
            Self::Many(bits) => {
                bits.remove(slot);
                // Far below the limit for lists, so that alternating changes don't keep converting it.
                if bits.len() as usize <= LISTED / 2 {
                    *self = Self::Some(Box::new(bits.iter().collect()));
                }
            }
            Self::Some(list) => {
                if let Ok(place) = list.binary_search(&slot) {
                    list.remove(place);
                }
                if list.len() < IN_PLACE {
                    let mut slots = [0; IN_PLACE];
                    slots[..list.len()].copy_from_slice(list);
                    *self = Self::Few { count: list.len() as u8, slots };
                }
            }
            Self::Few { count, slots } => {
                let held = usize::from(*count);
                if let Ok(place) = slots[..held].binary_search(&slot) {
                    slots.copy_within(place + 1..held, place);
                    *count -= 1;
                }
            }
        }
    }

    /// Heap memory in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Few { .. } => 0,
            Self::Some(list) => crate::memory::ALLOCATION * 2 + size_of::<Vec<u32>>() + list.capacity() * 4,
            Self::Many(bits) => crate::memory::ALLOCATION + crate::memory::of_bitmap(bits),
        }
    }

    fn list(&self) -> &[u32] {
        match self {
            Self::Few { count, slots } => &slots[..usize::from(*count)],
            Self::Some(list) => list,
            Self::Many(_) => &[],
        }
    }
}

/// Postings under construction: ascending slots, each with the number of its value. Takes less memory than growing lists, and doesn't
/// access the lists of other values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pushed {
    numbers: Vec<u32>,
    slots: Vec<u32>,
}

impl Pushed {
    /// Adds the highest slot so far to the value with this number.
    pub fn push(&mut self, number: u32, slot: u32) {
        self.numbers.push(number);
        self.slots.push(slot);
    }

    /// Renumbers all values.
    pub fn renumber(&mut self, by_old: &[u32]) {
        self.numbers.iter_mut().for_each(|number| *number = by_old[*number as usize]);
    }

    /// Slots, ascending.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Posting of each value; all numbers are below `values`.
    pub fn postings(&self, values: usize) -> Vec<Posting> {
        let mut ends = vec![0_usize; values + 1];
        self.numbers.iter().for_each(|number| ends[*number as usize + 1] += 1);
        let mut before = 0;
        for end in &mut ends {
            before += *end;
            *end = before;
        }
        // Counting sort: each value's start index advances to its end as slots are placed.
        let mut grouped = vec![0; self.slots.len()];
        for (number, slot) in self.numbers.iter().zip(&self.slots) {
            let place = &mut ends[*number as usize];
            grouped[*place] = *slot;
            *place += 1;
        }
        let mut start = 0;
        let posting = |end: &usize| Posting::of(&grouped[std::mem::replace(&mut start, *end)..*end]);
        ends[..values].iter().map(posting).collect()
    }
}

/// Bitmap of ascending slots.
pub(crate) fn ascending(slots: &[u32]) -> RoaringBitmap {
    RoaringBitmap::from_sorted_iter(slots.iter().copied()).expect("the slots ascend")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn posting_takes_sixteen_bytes() {
        assert_eq!(size_of::<Posting>(), 16);
    }

    proptest! {
        #[test]
        fn pushed_slots_are_grouped_by_value(numbers in proptest::collection::vec(0_u32..6, 0..60)) {
            let mut pushed = Pushed::default();
            (0..).zip(&numbers).for_each(|(slot, number)| pushed.push(*number, 2 * slot));
            let postings = pushed.postings(7);
            prop_assert_eq!(postings.len(), 7);
            for (number, posting) in (0..).zip(&postings) {
                let slots = (0..).zip(&numbers).filter(|(_, one)| **one == number).map(|(slot, _): (u32, _)| 2 * slot);
                prop_assert!(posting.set().iter().eq(slots));
            }
        }

        #[test]
        fn posting_agrees_with_set_after_changes(
            pushed in prop_oneof![0_u32..6, 0_u32..2_000],
            changes in proptest::collection::vec((0_u32..3_000, 0_u8..4), 0..5_000),
        ) {
            let mut expected: BTreeSet<u32> = (0..pushed).collect();
            let mut posting = Posting::of(&expected.iter().copied().collect::<Vec<_>>());
            // Mostly insertions first, then mostly removals, so that every representation is entered from both sides.
            let half = changes.len() / 2;
            for (turn, (slot, dice)) in changes.into_iter().enumerate() {
                if (dice > 0) == (turn < half) {
                    posting.insert(slot);
                    expected.insert(slot);
                } else {
                    posting.remove(slot);
                    expected.remove(&slot);
                }
            }
            prop_assert!(posting.set().iter().eq(expected.iter().copied()));
            prop_assert_eq!(posting.is_empty(), expected.is_empty());
        }
    }
}
