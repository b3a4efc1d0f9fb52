//! Sets of slots: small ones as sorted lists, others as bitmaps. Borrowed from a column if it has exactly that set.

use std::borrow::Cow;
use std::cell::Cell;

use roaring::RoaringBitmap;

pub(crate) fn bitmap_of_ascending(slots: &[u32]) -> RoaringBitmap {
    RoaringBitmap::from_sorted_iter(slots.iter().copied()).expect("slots are ascending")
}

/// A set of slots.
#[derive(Clone, Debug)]
pub(crate) enum Set<'a> {
    /// Ascending, without duplicates.
    List(Cow<'a, [u32]>),
    Bits(Cow<'a, RoaringBitmap>),
}

use Set::{Bits, List};

impl<'a> Set<'a> {
    pub const EMPTY: Set<'static> = List(Cow::Borrowed(&[]));

    /// Set that borrows a bitmap.
    pub fn from_bitmap(bitmap: &'a RoaringBitmap) -> Self {
        Bits(Cow::Borrowed(bitmap))
    }

    /// Set that borrows an ascending list.
    pub fn from_list(list: &'a [u32]) -> Self {
        List(Cow::Borrowed(list))
    }

    /// Borrowed view of the same set.
    pub fn view(&self) -> Set<'_> {
        match self {
            List(list) => List(Cow::Borrowed(list)),
            Bits(bits) => Bits(Cow::Borrowed(bits)),
        }
    }

    /// Number of slots.
    pub fn len(&self) -> usize {
        match self {
            List(list) => list.len(),
            Bits(bits) => bits.len() as usize,
        }
    }

    /// True if the set is empty.
    pub fn is_empty(&self) -> bool {
        match self {
            List(list) => list.is_empty(),
            Bits(bits) => bits.is_empty(),
        }
    }

    /// True if the set contains the slot.
    pub fn contains(&self, slot: u32) -> bool {
        match self {
            List(list) => list.binary_search(&slot).is_ok(),
            Bits(bits) => bits.contains(slot),
        }
    }

    /// Number of slots in the set below this one.
    pub fn rank(&self, slot: u32) -> usize {
        match self {
            List(list) => list.partition_point(|other| *other < slot),
            Bits(bits) => slot.checked_sub(1).map_or(0, |last| bits.rank(last) as usize),
        }
    }

    /// All slots, ascending.
    pub fn iter(&self) -> Box<dyn DoubleEndedIterator<Item = u32> + '_> {
        match self {
            List(list) => Box::new(list.iter().copied()),
            Bits(bits) => Box::new(bits.iter()),
        }
    }

    /// Slots at positions `start..end` in ascending order.
    pub fn slots_at(&self, start: usize, end: usize) -> Vec<u32> {
        match self {
            List(list) => list[start.min(list.len())..end.min(list.len())].to_vec(),
            Bits(bits) => match bits.select(u32::try_from(start).unwrap_or(u32::MAX)) {
                Some(first) => bits.range(first..).take(end.saturating_sub(start)).collect(),
                None => Vec::new(),
            },
        }
    }

    /// Intersection.
    pub fn and(self, right: Set<'_>) -> Set<'static> {
        match (self, right) {
            (List(left), List(right)) => {
                let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
                retain(short, list_membership_test(&long))
            }
            (List(list), Bits(bits)) | (Bits(bits), List(list)) => {
                let is_in = membership_test(&bits, list.len());
                retain(list, is_in)
            }
            (Bits(left), Bits(right)) => Bits(Cow::Owned(match (left, right) {
                (Cow::Owned(left), right) => left & &*right,
                (left, Cow::Owned(right)) => right & &*left,
                (left, right) => &*left & &*right,
            })),
        }
    }

    /// Union.
    pub fn or(self, right: Self) -> Self {
        match (self, right) {
            (List(left), right) if left.is_empty() => right,
            (left, List(right)) if right.is_empty() => left,
            (List(left), List(right)) => {
                let mut merged = [&left[..], &right[..]].concat();
                // Two sorted runs, which the stable sort merges.
                merged.sort();
                merged.dedup();
                List(Cow::Owned(merged))
            }
            (List(list), Bits(bits)) | (Bits(bits), List(list)) => {
                Bits(Cow::Owned(bitmap_of_ascending(&list))).or(Bits(bits))
            }
            (Bits(left), Bits(right)) => Bits(Cow::Owned(match (left, right) {
                (Cow::Owned(left), Cow::Owned(right)) => left | right,
                (Cow::Owned(left), right) => left | &*right,
                (left, Cow::Owned(right)) => right | &*left,
                (left, right) => &*left | &*right,
            })),
        }
    }

    /// Difference.
    pub fn minus(self, right: &Set<'_>) -> Self {
        match (self, right) {
            (left, right) if right.is_empty() => left,
            (List(list), Bits(bits)) => {
                let mut is_in = membership_test(bits, list.len());
                retain(list, |slot| !is_in(slot))
            }
            (List(list), List(right)) => {
                let mut is_in = list_membership_test(right);
                retain(list, |slot| !is_in(slot))
            }
            (left @ Bits(_), List(list)) => left.minus(&Bits(Cow::Owned(bitmap_of_ascending(list)))),
            (Bits(left), Bits(right)) => Bits(Cow::Owned(match left {
                Cow::Owned(left) => left - &**right,
                Cow::Borrowed(left) => left - &**right,
            })),
        }
    }
}

/// The slots of a list that pass a test, which is called in ascending order.
fn retain(list: Cow<'_, [u32]>, mut passes: impl FnMut(u32) -> bool) -> Set<'static> {
    List(Cow::Owned(match list {
        Cow::Owned(mut list) => {
            list.retain(|slot| passes(*slot));
            list
        }
        Cow::Borrowed(list) => {
            // Without the capacity, the list is copied each time it grows.
            let mut passing = Vec::with_capacity(list.len());
            passing.extend(list.iter().copied().filter(|slot| passes(*slot)));
            passing
        }
    }))
}

/// Tests whether ascending slots, `count` of them, are in a bitmap. Reads a bitmap of few slots from start to end, which is faster than a
/// binary search for each slot.
fn membership_test(bits: &RoaringBitmap, count: usize) -> impl FnMut(u32) -> bool {
    let is_small = bits.len() <= 4 * count as u64;
    let mut slots_in_order = bits.iter();
    let mut next_slot = if is_small { slots_in_order.next() } else { None };
    move |slot| {
        if !is_small {
            return bits.contains(slot);
        }
        while next_slot.is_some_and(|next_slot| next_slot < slot) {
            next_slot = slots_in_order.next();
        }
        next_slot == Some(slot)
    }
}

/// Tests whether ascending slots are in an ascending list.
fn list_membership_test(list: &[u32]) -> impl FnMut(u32) -> bool {
    let mut rest = list;
    move |slot| {
        rest = &rest[gallop(rest, slot)..];
        rest.first() == Some(&slot)
    }
}

/// Index of the first slot in the ascending list that is at least this one. Gallops, because the slot is usually near the start.
fn gallop(list: &[u32], slot: u32) -> usize {
    let mut step = 1;
    while step < list.len() && list[step] < slot {
        step *= 2;
    }
    let start = step / 2;
    start + list[start..list.len().min(step + 1)].partition_point(|slot_at| *slot_at < slot)
}

/// Number of bitmaps that are merged directly, however sparse.
const MAX_DIRECT_UNIONS: usize = 4;

/// Collects slots in any order into a set: a few in a list that is sorted at the end, many as bits.
#[derive(Debug)]
pub(crate) struct SlotCollector {
    /// Upper bound of the slots.
    slot_count: usize,
    list: Vec<u32>,
    bits: SlotBits,
    bitmaps: Option<RoaringBitmap>,
    /// Number of bitmaps added.
    bitmap_count: usize,
}

impl SlotCollector {
    /// Creates an empty collector of slots below `slot_count`.
    pub fn new(slot_count: usize) -> Self {
        Self { slot_count, list: Vec::new(), bits: SlotBits::default(), bitmaps: None, bitmap_count: 0 }
    }

    pub fn add(&mut self, slot: u32) {
        if self.bits.is_empty() {
            self.list.push(slot);
            self.convert_if_large();
        } else {
            self.bits.add(slot);
        }
    }

    /// Adds several slots.
    pub fn extend(&mut self, slots: &[u32]) {
        if self.bits.is_empty() {
            self.list.extend_from_slice(slots);
            self.convert_if_large();
        } else {
            slots.iter().for_each(|slot| self.bits.add(*slot));
        }
    }

    pub fn add_bitmap(&mut self, bitmap: &RoaringBitmap) {
        self.bitmap_count += 1;
        // Merging sparse bitmaps visits all previous slots each time; with bits, every slot is visited once.
        if self.bitmap_count > MAX_DIRECT_UNIONS && (bitmap.len() as usize) < self.slot_count / 32 {
            if self.bits.is_empty() && self.list.len() + bitmap.len() as usize > max_list_len(self.slot_count) {
                self.convert_to_bits();
            }
            return match self.bits.is_empty() {
                true => self.list.extend(bitmap),
                false => bitmap.iter().for_each(|slot| self.bits.add(slot)),
            };
        }
        match &mut self.bitmaps {
            Some(bitmaps) => *bitmaps |= bitmap,
            empty => *empty = Some(bitmap.clone()),
        }
    }

    pub fn add_set(&mut self, set: &Set<'_>) {
        match set {
            List(list) => self.extend(list),
            Bits(bits) => self.add_bitmap(bits),
        }
    }

    /// Returns the set of all added slots.
    pub fn finish(mut self) -> Set<'static> {
        let collected = if self.bits.is_empty() {
            sort(&mut self.list, self.slot_count);
            List(Cow::Owned(self.list))
        } else {
            Bits(Cow::Owned(self.bits.into_bitmap()))
        };
        match self.bitmaps {
            Some(bitmaps) => collected.or(Bits(Cow::Owned(bitmaps))),
            None => collected,
        }
    }

    fn convert_if_large(&mut self) {
        if self.list.len() > max_list_len(self.slot_count) {
            self.convert_to_bits();
        }
    }

    fn convert_to_bits(&mut self) {
        self.bits = SlotBits::new(self.slot_count);
        std::mem::take(&mut self.list).into_iter().for_each(|slot| self.bits.add(slot));
    }
}

/// Maximum number of slots in a list that is sorted at the end. Bits cost an eighth of a byte per existing slot; sorting costs some 3 ns
/// per collected slot.
fn max_list_len(slot_count: usize) -> usize {
    64 + slot_count / 256
}

/// Minimum number of slots that are sorted with bits.
const MIN_SLOTS_FOR_BITS: usize = 32;

/// Sorts slots, all of them below `slot_count`, and removes duplicates.
fn sort(list: &mut Vec<u32>, slot_count: usize) {
    if list.is_sorted_by(|left, right| left < right) {
        return;
    }
    if list.len() < MIN_SLOTS_FOR_BITS {
        list.sort_unstable();
        return list.dedup();
    }
    let mut bits = SlotBits::new(slot_count);
    // One bit for each word of 64 slots.
    let mut used_words = vec![0_u64; slot_count / 4096 + 1];
    for slot in list.drain(..) {
        bits.add(slot);
        used_words[slot as usize / 4096] |= 1 << (slot / 64 % 64);
    }
    for (start, used_words) in (0..).step_by(64).zip(used_words) {
        for word in ones(used_words).map(|index| start + index) {
            list.extend(ones(bits.take_word(word)).map(|index| word * 64 + index));
        }
    }
    bits.recycle();
}

/// Slots that occur an odd number of times in these lists, all of them below `slot_count`.
pub(crate) fn symmetric_difference<'l>(slot_count: usize, lists: impl Iterator<Item = &'l [u32]>) -> RoaringBitmap {
    let mut bits = SlotBits::new(slot_count);
    lists.flatten().for_each(|slot| bits.0[*slot as usize / 8] ^= 1 << (slot % 8));
    bits.into_bitmap()
}

thread_local! {
    /// Memory of this thread's last [`SlotBits`], all zero, kept for reuse. The system provides new memory page by page, which takes longer
    /// than using it.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// One bit per slot; empty until it is needed.
#[derive(Debug, Default)]
struct SlotBits(Vec<u8>);

impl SlotBits {
    fn new(slot_count: usize) -> Self {
        let mut bits = SPARE.take();
        bits.resize(slot_count.next_multiple_of(64) / 8, 0);
        Self(bits)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, slot: u32) {
        self.0[slot as usize / 8] |= 1 << (slot % 8);
    }

    /// Removes 64 slots and returns their bits.
    fn take_word(&mut self, word: u32) -> u64 {
        let bytes = &mut self.0[word as usize * 8..][..8];
        let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        bytes.fill(0);
        bits
    }

    fn into_bitmap(mut self) -> RoaringBitmap {
        let bitmap = RoaringBitmap::from_lsb0_bytes(0, &self.0);
        self.0.fill(0);
        self.recycle();
        bitmap
    }

    /// Keeps the memory for reuse. All bits must be zero.
    fn recycle(self) {
        SPARE.set(self.0);
    }
}

/// Positions of the bits that are set, ascending.
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let position = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (position < 64).then_some(position)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn sets() -> impl Strategy<Value = (Set<'static>, BTreeSet<u32>)> {
        (proptest::collection::btree_set(0_u32..200, 0..120), any::<bool>()).prop_map(|(slots, list)| {
            let set = match list {
                true => List(Cow::Owned(slots.iter().copied().collect())),
                false => Bits(Cow::Owned(slots.iter().copied().collect())),
            };
            (set, slots)
        })
    }

    fn slots_of(set: &Set<'_>) -> BTreeSet<u32> {
        assert_eq!(set.len(), set.iter().count());
        set.iter().collect()
    }

    proptest! {
        #[test]
        fn set_operations_agree_for_lists_and_bitmaps((one, a) in sets(), (other, b) in sets(), at in 0_u32..210) {
            prop_assert_eq!(slots_of(&one.clone().and(other.clone())), &a & &b);
            prop_assert_eq!(slots_of(&one.view().and(other.view())), &a & &b);
            prop_assert_eq!(slots_of(&one.clone().or(other.clone())), &a | &b);
            prop_assert_eq!(slots_of(&one.clone().minus(&other)), &a - &b);
            prop_assert_eq!(one.contains(at), a.contains(&at));
            prop_assert_eq!(one.rank(at), a.range(..at).count());
            let expected_slots: Vec<u32> = a.iter().copied().skip(at as usize / 2).take(9).collect();
            prop_assert_eq!(one.slots_at(at as usize / 2, at as usize / 2 + 9), expected_slots);
            let mut collector = SlotCollector::new(200);
            collector.add_set(&one);
            collector.add_set(&other);
            a.iter().for_each(|slot| collector.add(*slot));
            prop_assert_eq!(slots_of(&collector.finish()), &a | &b);
        }
    }
}
