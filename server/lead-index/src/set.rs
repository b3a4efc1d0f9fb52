//! Sets of slots: small ones as sorted lists, others as bitmaps. Borrowed from a column if it has exactly that set.

use std::borrow::Cow;
use std::cell::Cell;

use roaring::RoaringBitmap;

use crate::posting;

/// A set of slots.
#[derive(Clone, Debug)]
pub(crate) enum Set<'a> {
    /// Ascending, without duplicates.
    List(Cow<'a, [u32]>),
    /// A bitmap.
    Bits(Cow<'a, RoaringBitmap>),
}

use Set::{Bits, List};

impl<'a> Set<'a> {
    /// The empty set.
    pub const EMPTY: Set<'static> = List(Cow::Borrowed(&[]));

    /// Set that borrows a bitmap.
    pub fn of(bitmap: &'a RoaringBitmap) -> Self {
        Bits(Cow::Borrowed(bitmap))
    }

    /// Set that borrows an ascending list.
    pub fn of_list(list: &'a [u32]) -> Self {
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
            List(list) => list.partition_point(|one| *one < slot),
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
    pub fn places(&self, start: usize, end: usize) -> Vec<u32> {
        match self {
            List(list) => list[start.min(list.len())..end.min(list.len())].to_vec(),
            Bits(bits) => match bits.select(u32::try_from(start).unwrap_or(u32::MAX)) {
                Some(first) => bits.range(first..).take(end.saturating_sub(start)).collect(),
                None => Vec::new(),
            },
        }
    }

    /// Intersection.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (List(one), List(other)) => {
                let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
                let mut rest: &[u32] = &long;
                let common = short.iter().copied().filter(|slot| {
                    rest = &rest[gallop(rest, *slot)..];
                    rest.first() == Some(slot)
                });
                List(common.collect())
            }
            (List(list), Bits(bits)) | (Bits(bits), List(list)) => {
                let mut is_in = membership(&bits, list.len());
                List(list.iter().copied().filter(|slot| is_in(*slot)).collect())
            }
            (Bits(one), Bits(other)) => Bits(Cow::Owned(match (one, other) {
                (Cow::Owned(one), other) => one & &*other,
                (one, Cow::Owned(other)) => other & &*one,
                (one, other) => &*one & &*other,
            })),
        }
    }

    /// Intersection with a borrowed set.
    pub fn and_view(self, other: &Set<'_>) -> Self {
        match (self, other) {
            (Bits(one), Bits(other)) => Bits(Cow::Owned(match one {
                Cow::Owned(one) => one & &**other,
                Cow::Borrowed(one) => one & &**other,
            })),
            // The slots of the smaller set are looked up in the other.
            (one, other) if one.len() <= other.len() => List(one.iter().filter(|slot| other.contains(*slot)).collect()),
            (one, other) => List(other.iter().filter(|slot| one.contains(*slot)).collect()),
        }
    }

    /// Union.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (List(one), other) if one.is_empty() => other,
            (one, List(other)) if other.is_empty() => one,
            (List(one), List(other)) => {
                let mut all = [&one[..], &other[..]].concat();
                // Two sorted runs, which the stable sort merges.
                all.sort();
                all.dedup();
                List(Cow::Owned(all))
            }
            (List(list), Bits(bits)) | (Bits(bits), List(list)) => {
                Bits(Cow::Owned(posting::ascending(&list))).or(Bits(bits))
            }
            (Bits(one), Bits(other)) => Bits(Cow::Owned(match (one, other) {
                (Cow::Owned(one), Cow::Owned(other)) => one | other,
                (Cow::Owned(one), other) => one | &*other,
                (one, Cow::Owned(other)) => other | &*one,
                (one, other) => &*one | &*other,
            })),
        }
    }

    /// Difference.
    pub fn minus(self, other: &Set<'_>) -> Self {
        match (self, other) {
            (one, other) if other.is_empty() => one,
            (List(list), Bits(bits)) => {
                let mut is_in = membership(bits, list.len());
                List(list.iter().copied().filter(|slot| !is_in(*slot)).collect())
            }
            (List(list), other) => List(list.iter().copied().filter(|slot| !other.contains(*slot)).collect()),
            (one @ Bits(_), List(list)) => one.minus(&Bits(Cow::Owned(posting::ascending(list)))),
            (Bits(one), Bits(other)) => Bits(Cow::Owned(match one {
                Cow::Owned(one) => one - &**other,
                Cow::Borrowed(one) => one - &**other,
            })),
        }
    }
}

/// Tests whether ascending slots, `count` of them, are in a bitmap. Reads a bitmap of few slots from start to end, which is faster than a
/// binary search for each slot.
fn membership(bits: &RoaringBitmap, count: usize) -> impl FnMut(u32) -> bool {
    let is_small = bits.len() <= 4 * count as u64;
    let mut small = bits.iter();
    let mut next = if is_small { small.next() } else { None };
    move |slot| {
        if !is_small {
            return bits.contains(slot);
        }
        while next.is_some_and(|next| next < slot) {
            next = small.next();
        }
        next == Some(slot)
    }
}

/// Index of the first slot in the ascending list that is at least this one. Gallops, because the next one sought is usually near.
fn gallop(list: &[u32], slot: u32) -> usize {
    let mut step = 1;
    while step < list.len() && list[step] < slot {
        step *= 2;
    }
    let start = step / 2;
    start + list[start..list.len().min(step + 1)].partition_point(|one| *one < slot)
}

/// Number of bitmaps that are merged directly, however sparse.
const FEW_UNIONS: usize = 4;

/// Collects slots in any order into a set: a few in a list that is sorted at the end, many as bits.
#[derive(Debug)]
pub(crate) struct Gather {
    /// Upper bound of the slots.
    slots: usize,
    list: Vec<u32>,
    dense: Dense,
    bitmaps: Option<RoaringBitmap>,
    /// Number of bitmaps added.
    unions: usize,
}

impl Gather {
    /// Creates an empty collector of slots below `slots`.
    pub fn new(slots: usize) -> Self {
        Self { slots, list: Vec::new(), dense: Dense::default(), bitmaps: None, unions: 0 }
    }

    /// Adds a slot.
    pub fn add(&mut self, slot: u32) {
        if self.dense.is_empty() {
            self.list.push(slot);
            self.spread_if_many();
        } else {
            self.dense.add(slot);
        }
    }

    /// Adds several slots.
    pub fn extend(&mut self, slots: &[u32]) {
        if self.dense.is_empty() {
            self.list.extend_from_slice(slots);
            self.spread_if_many();
        } else {
            slots.iter().for_each(|slot| self.dense.add(*slot));
        }
    }

    /// Adds a bitmap.
    pub fn union(&mut self, bitmap: &RoaringBitmap) {
        self.unions += 1;
        // Merging sparse bitmaps visits all previous slots each time; with bits, every slot is visited once.
        if self.unions > FEW_UNIONS && (bitmap.len() as usize) < self.slots / 32 {
            if self.dense.is_empty() && self.list.len() + bitmap.len() as usize > most_listed(self.slots) {
                self.spread();
            }
            return match self.dense.is_empty() {
                true => self.list.extend(bitmap),
                false => bitmap.iter().for_each(|slot| self.dense.add(slot)),
            };
        }
        match &mut self.bitmaps {
            Some(bitmaps) => *bitmaps |= bitmap,
            none => *none = Some(bitmap.clone()),
        }
    }

    /// Adds a set.
    pub fn add_set(&mut self, set: &Set<'_>) {
        match set {
            List(list) => self.extend(list),
            Bits(bits) => self.union(bits),
        }
    }

    /// Returns the set of all added slots.
    pub fn finish(mut self) -> Set<'static> {
        let gathered = if self.dense.is_empty() {
            if !self.list.is_sorted_by(|one, next| one < next) {
                self.list.sort_unstable();
                self.list.dedup();
            }
            List(Cow::Owned(self.list))
        } else {
            Bits(Cow::Owned(self.dense.into_bitmap()))
        };
        match self.bitmaps {
            Some(bitmaps) => gathered.or(Bits(Cow::Owned(bitmaps))),
            None => gathered,
        }
    }

    fn spread_if_many(&mut self) {
        if self.list.len() > most_listed(self.slots) {
            self.spread();
        }
    }

    fn spread(&mut self) {
        self.dense = Dense::new(self.slots);
        std::mem::take(&mut self.list).into_iter().for_each(|slot| self.dense.add(slot));
    }
}

/// Maximum number of slots in a list that is sorted at the end. Bits cost an eighth of a byte per existing slot; sorting costs some 10 ns
/// per collected slot.
fn most_listed(slots: usize) -> usize {
    64 + slots / 1024
}

/// Slots that occur an odd number of times in these lists, all of them below `slots`.
pub(crate) fn odd<'l>(slots: usize, lists: impl Iterator<Item = &'l [u32]>) -> RoaringBitmap {
    let mut dense = Dense::new(slots);
    lists.flatten().for_each(|slot| dense.0[*slot as usize / 8] ^= 1 << (slot % 8));
    dense.into_bitmap()
}

thread_local! {
    /// Memory of this thread's last [`Dense`], kept for reuse. New memory would come from the system page by page, which takes longer than
    /// everything done with it.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// One bit per slot; empty until it is needed.
#[derive(Debug, Default)]
struct Dense(Vec<u8>);

impl Dense {
    fn new(slots: usize) -> Self {
        let mut bits = SPARE.take();
        bits.clear();
        bits.resize(slots.div_ceil(8), 0);
        Self(bits)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, slot: u32) {
        self.0[slot as usize / 8] |= 1 << (slot % 8);
    }

    fn into_bitmap(self) -> RoaringBitmap {
        let bitmap = RoaringBitmap::from_lsb0_bytes(0, &self.0);
        SPARE.set(self.0);
        bitmap
    }
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

    fn all(set: &Set<'_>) -> BTreeSet<u32> {
        assert_eq!(set.len(), set.iter().count());
        set.iter().collect()
    }

    proptest! {
        #[test]
        fn set_operations_agree_for_lists_and_bitmaps((one, a) in sets(), (other, b) in sets(), at in 0_u32..210) {
            prop_assert_eq!(all(&one.clone().and(other.clone())), &a & &b);
            prop_assert_eq!(all(&one.clone().and_view(&other)), &a & &b);
            prop_assert_eq!(all(&one.clone().or(other.clone())), &a | &b);
            prop_assert_eq!(all(&one.clone().minus(&other)), &a - &b);
            prop_assert_eq!(one.contains(at), a.contains(&at));
            prop_assert_eq!(one.rank(at), a.range(..at).count());
            let places: Vec<u32> = a.iter().copied().skip(at as usize / 2).take(9).collect();
            prop_assert_eq!(one.places(at as usize / 2, at as usize / 2 + 9), places);
            let mut gather = Gather::new(200);
            gather.add_set(&one);
            gather.add_set(&other);
            a.iter().for_each(|slot| gather.add(*slot));
            prop_assert_eq!(all(&gather.finish()), &a | &b);
        }
    }
}
