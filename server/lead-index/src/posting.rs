//! Slots that have one value: up to three inline, up to a thousand as a list, more as a bitmap.

use roaring::RoaringBitmap;

use crate::set::{Set, SlotCollector, bitmap_of_ascending};

/// Maximum number of inline slots.
const MAX_INLINE_SLOTS: usize = 3;

/// Maximum number of slots in a list. Each takes four bytes, and no less in a bitmap of widely spread slots.
const MAX_LIST_SLOTS: usize = 1024;

/// Slots that have one value. Some columns have one posting per lead, so the size of 16 bytes matters.
#[derive(Clone, Debug)]
#[expect(clippy::box_collection, reason = "a list in place would make every posting half as large again")]
pub(crate) enum Posting {
    /// The first `count` of these slots, ascending.
    Inline {
        count: u8,
        slots: [u32; MAX_INLINE_SLOTS],
    },
    /// Ascending list.
    List(Box<Vec<u32>>),
    Bitmap(Box<RoaringBitmap>),
}

impl Default for Posting {
    fn default() -> Self {
        Self::Inline { count: 0, slots: [0; MAX_INLINE_SLOTS] }
    }
}

impl Posting {
    /// Builds a posting from ascending slots.
    fn from_ascending(ascending_slots: &[u32]) -> Self {
        match ascending_slots.len() {
            count @ 0..=MAX_INLINE_SLOTS => {
                let mut slots = [0; MAX_INLINE_SLOTS];
                slots[..count].copy_from_slice(ascending_slots);
                Self::Inline { count: count as u8, slots }
            }
            ..=MAX_LIST_SLOTS => Self::List(Box::new(ascending_slots.to_vec())),
            _ => Self::Bitmap(Box::new(bitmap_of_ascending(ascending_slots))),
        }
    }

    /// Slots as a set.
    pub fn set(&self) -> Set<'_> {
        match self {
            Self::Bitmap(bits) => Set::from_bitmap(bits),
            _ => Set::from_list(self.list()),
        }
    }

    /// True if no slot has the value.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Inline { count: 0, .. })
    }

    /// Adds the slots to a collector.
    pub fn collect_into(&self, collector: &mut SlotCollector) {
        match self {
            Self::Inline { count: 0, .. } => {}
            Self::Inline { count: 1, slots } => collector.add(slots[0]),
            Self::Bitmap(bits) => collector.add_bitmap(bits),
            _ => collector.extend(self.list()),
        }
    }

    /// Adds a slot.
    pub fn insert(&mut self, slot: u32) {
        match self {
            Self::Bitmap(bits) => _ = bits.insert(slot),
            Self::List(list) => match list.binary_search(&slot) {
                Ok(_) => {}
                Err(_) if list.len() >= MAX_LIST_SLOTS => {
                    let mut bits = bitmap_of_ascending(list);
                    bits.insert(slot);
                    *self = Self::Bitmap(Box::new(bits));
                }
                Err(index) => list.insert(index, slot),
            },
            Self::Inline { count, slots } => {
                let len = usize::from(*count);
                let Err(index) = slots[..len].binary_search(&slot) else { return };
                if len < MAX_INLINE_SLOTS {
                    slots.copy_within(index..len, index + 1);
                    slots[index] = slot;
                    *count += 1;
                } else {
                    let mut list = Vec::with_capacity(2 * MAX_INLINE_SLOTS);
                    list.extend_from_slice(&slots[..len]);
                    list.insert(index, slot);
                    *self = Self::List(Box::new(list));
                }
            }
        }
    }

    pub fn remove(&mut self, slot: u32) {
        match self {
            Self::Bitmap(bits) => {
                bits.remove(slot);
                // Far below the limit for lists, so that alternating changes don't keep converting it.
                if bits.len() as usize <= MAX_LIST_SLOTS / 2 {
                    *self = Self::List(Box::new(bits.iter().collect()));
                }
            }
            Self::List(list) => {
                if let Ok(index) = list.binary_search(&slot) {
                    list.remove(index);
                }
                if list.len() < MAX_INLINE_SLOTS {
                    let mut slots = [0; MAX_INLINE_SLOTS];
                    slots[..list.len()].copy_from_slice(list);
                    *self = Self::Inline { count: list.len() as u8, slots };
                }
            }
            Self::Inline { count, slots } => {
                let len = usize::from(*count);
                if let Ok(index) = slots[..len].binary_search(&slot) {
                    slots.copy_within(index + 1..len, index);
                    *count -= 1;
                }
            }
        }
    }

    /// Heap memory in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Inline { .. } => 0,
            Self::List(list) => crate::memory::ALLOCATION_OVERHEAD * 2 + size_of::<Vec<u32>>() + list.capacity() * 4,
            Self::Bitmap(bits) => crate::memory::ALLOCATION_OVERHEAD + crate::memory::bitmap_bytes(bits),
        }
    }

    fn list(&self) -> &[u32] {
        match self {
            Self::Inline { count, slots } => &slots[..usize::from(*count)],
            Self::List(list) => list,
            Self::Bitmap(_) => &[],
        }
    }
}

/// Postings under construction: ascending slots, each with the number of its value. Takes less memory than growing lists, and doesn't
/// access the lists of other values.
#[derive(Clone, Debug, Default)]
pub(crate) struct PostingBuilder {
    numbers: Vec<u32>,
    slots: Vec<u32>,
}

impl PostingBuilder {
    /// Adds the highest slot so far to the value with this number.
    pub fn push(&mut self, number: u32, slot: u32) {
        self.numbers.push(number);
        self.slots.push(slot);
    }

    pub fn renumber(&mut self, new_numbers: &[u32]) {
        self.numbers.iter_mut().for_each(|number| *number = new_numbers[*number as usize]);
    }

    /// Slots, ascending.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Posting of each value; all numbers are below `value_count`.
    pub fn build(&self, value_count: usize) -> Vec<Posting> {
        let mut ends = vec![0_usize; value_count + 1];
        self.numbers.iter().for_each(|number| ends[*number as usize + 1] += 1);
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        // Counting sort: each value's start index advances to its end as slots are placed.
        let mut grouped = vec![0; self.slots.len()];
        for (number, slot) in self.numbers.iter().zip(&self.slots) {
            let next_index = &mut ends[*number as usize];
            grouped[*next_index] = *slot;
            *next_index += 1;
        }
        let mut start = 0;
        let posting = |end: &usize| Posting::from_ascending(&grouped[std::mem::replace(&mut start, *end)..*end]);
        ends[..value_count].iter().map(posting).collect()
    }
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
            let mut pushed = PostingBuilder::default();
            (0..).zip(&numbers).for_each(|(slot, number)| pushed.push(*number, 2 * slot));
            let postings = pushed.build(7);
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
            let mut posting = Posting::from_ascending(&expected.iter().copied().collect::<Vec<_>>());
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
