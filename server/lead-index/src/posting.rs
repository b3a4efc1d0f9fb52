//! The slots that have one value: up to three in place, up to a thousand as a list, more as a bitmap.

use roaring::RoaringBitmap;

use crate::set::{Gather, Set};

/// Most slots held in place.
const IN_PLACE: usize = 3;

/// Most slots of a list. Each costs four bytes there, and in a bitmap of widely spread slots not less.
const LISTED: usize = 1024;

/// The slots that have one value. Of some columns there is one for every lead, so that its 16 bytes count.
#[derive(Clone, Debug)]
#[expect(clippy::box_collection, reason = "a list in place would make every posting half as large again")]
pub(crate) enum Posting {
    /// The first `count` of these, ascending.
    Few { count: u8, slots: [u32; IN_PLACE] },
    /// Ascending.
    Some(Box<Vec<u32>>),
    /// Many.
    Many(Box<RoaringBitmap>),
}

impl Default for Posting {
    fn default() -> Self {
        Self::Few { count: 0, slots: [0; IN_PLACE] }
    }
}

impl Posting {
    /// The slots as a set.
    pub fn set(&self) -> Set<'_> {
        match self {
            Self::Many(bits) => Set::of(bits),
            _ => Set::of_list(self.list()),
        }
    }

    /// Whether no slot has the value.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Few { count: 0, .. })
    }

    /// Adds the slots to those gathered.
    pub fn gather(&self, into: &mut Gather) {
        match self {
            Self::Few { count: 0, .. } => {}
            Self::Few { count: 1, slots } => into.add(slots[0]),
            Self::Many(bits) => into.union(bits),
            _ => into.extend(self.list()),
        }
    }

    /// Adds a slot above all that are there; for a posting in the making, which [`Self::finish`] completes.
    pub fn push(&mut self, slot: u32) {
        match self {
            Self::Some(list) => list.push(slot),
            Self::Few { .. } | Self::Many(_) => self.insert(slot),
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

    /// Takes a slot out.
    pub fn remove(&mut self, slot: u32) {
        match self {
            Self::Many(bits) => {
                bits.remove(slot);
                // Far below what made it a bitmap, so that it doesn't change its form with every change.
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

    /// Completes a posting after all was pushed.
    pub fn finish(&mut self) {
        match self {
            Self::Some(list) if list.len() > LISTED => *self = Self::Many(Box::new(ascending(list))),
            Self::Some(list) => list.shrink_to_fit(),
            Self::Few { .. } | Self::Many(_) => {}
        }
    }

    /// Bytes held beside itself.
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

/// A bitmap of slots that ascend.
pub(crate) fn ascending(slots: &[u32]) -> RoaringBitmap {
    RoaringBitmap::from_sorted_iter(slots.iter().copied()).expect("the slots ascend")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_posting_takes_sixteen_bytes() {
        assert_eq!(size_of::<Posting>(), 16);
    }

    proptest! {
        #[test]
        fn a_posting_holds_what_was_put_in(
            pushed in prop_oneof![0_u32..6, 0_u32..2_000],
            changes in proptest::collection::vec((0_u32..3_000, 0_u8..4), 0..5_000),
        ) {
            let (mut posting, mut expected) = (Posting::default(), BTreeSet::new());
            (0..pushed).for_each(|slot| posting.push(slot));
            expected.extend(0..pushed);
            posting.finish();
            // First mostly in, then mostly out, so that every form is taken both ways.
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
