//! Sorted keys with their slots, in blocks that split when they are full. An insertion moves one block only. The rank of a key is found by
//! adding up block sizes, so the size of a range is known without visiting it.

use std::ops::{Bound, Range, RangeBounds};

/// Maximum number of entries of a block. Larger blocks slow down insertions, smaller ones slow down counting.
const FULL: usize = 1024;

/// Number of entries of a newly built block; leaves room for some insertions before it splits.
const BUILT: usize = 896;

/// Number of entries by which a block's capacity grows. Doubling would leave a third of the memory unused.
const GROWTH: usize = 64;

/// Types usable as keys.
pub(crate) trait Key: Ord + Copy + std::fmt::Debug {}
impl<K: Ord + Copy + std::fmt::Debug> Key for K {}

/// Keys with their slots, ascending by both.
#[derive(Clone, Debug)]
pub(crate) struct Blocks<K> {
    /// Never contains an empty block.
    blocks: Vec<Block<K>>,
    len: usize,
}

#[derive(Clone, Debug)]
struct Block<K> {
    keys: Vec<K>,
    slots: Vec<u32>,
}

impl<K> Default for Blocks<K> {
    fn default() -> Self {
        Self { blocks: Vec::new(), len: 0 }
    }
}

impl<K: Key> Block<K> {
    fn entry(&self, place: usize) -> (K, u32) {
        (self.keys[place], self.slots[place])
    }

    fn last(&self) -> (K, u32) {
        self.entry(self.keys.len() - 1)
    }

    /// Number of entries below `entry`.
    fn below(&self, entry: (K, u32)) -> usize {
        let start = self.keys.partition_point(|key| *key < entry.0);
        let equal = self.keys[start..].partition_point(|key| *key == entry.0);
        start + self.slots[start..start + equal].partition_point(|slot| *slot < entry.1)
    }
}

impl<K: Key> Blocks<K> {
    /// Builds blocks from entries in any order.
    pub fn build(mut entries: Vec<(K, u32)>) -> Self {
        entries.sort_unstable();
        let blocks = entries.chunks(BUILT).map(|chunk| Block {
            keys: chunk.iter().map(|entry| entry.0).collect(),
            slots: chunk.iter().map(|entry| entry.1).collect(),
        });
        Self { blocks: blocks.collect(), len: entries.len() }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds an entry, which must be new.
    pub fn insert(&mut self, key: K, slot: u32) {
        self.len += 1;
        let entry = (key, slot);
        if self.blocks.is_empty() {
            self.blocks.push(Block { keys: vec![key], slots: vec![slot] });
            return;
        }
        let at = self.block_of(entry).min(self.blocks.len() - 1);
        let block = &mut self.blocks[at];
        let place = block.below(entry);
        if block.keys.len() == block.keys.capacity() {
            block.keys.reserve_exact(GROWTH);
        }
        if block.slots.len() == block.slots.capacity() {
            block.slots.reserve_exact(GROWTH);
        }
        block.keys.insert(place, key);
        block.slots.insert(place, slot);
        if block.keys.len() > FULL {
            // An even split would leave the lower block half empty if keys only grow, as times do.
            let half = if at + 1 == self.blocks.len() && place == FULL { BUILT } else { FULL / 2 };
            let block = &mut self.blocks[at];
            let upper = Block { keys: block.keys.split_off(half), slots: block.slots.split_off(half) };
            block.keys.shrink_to_fit();
            block.slots.shrink_to_fit();
            self.blocks.insert(at + 1, upper);
        }
    }

    /// Removes an entry.
    pub fn remove(&mut self, key: K, slot: u32) {
        let at = self.block_of((key, slot));
        let Some(block) = self.blocks.get_mut(at) else { return };
        let place = block.below((key, slot));
        if place < block.keys.len() && block.entry(place) == (key, slot) {
            block.keys.remove(place);
            block.slots.remove(place);
            self.len -= 1;
            if block.keys.is_empty() {
                self.blocks.remove(at);
            }
        }
    }

    /// Positions of the keys in this range.
    pub fn places(&self, range: &impl RangeBounds<K>) -> Range<usize> {
        let start = match range.start_bound() {
            Bound::Unbounded => 0,
            Bound::Included(key) => self.keys_below(|one| *one < *key),
            Bound::Excluded(key) => self.keys_below(|one| *one <= *key),
        };
        let end = match range.end_bound() {
            Bound::Unbounded => self.len,
            Bound::Included(key) => self.keys_below(|one| *one <= *key),
            Bound::Excluded(key) => self.keys_below(|one| *one < *key),
        };
        start..end.max(start)
    }

    /// Number of entries below this one.
    pub fn rank(&self, entry: (K, u32)) -> usize {
        let at = self.block_of(entry);
        self.before(at) + self.blocks.get(at).map_or(0, |block| block.below(entry))
    }

    /// Entry at this position.
    pub fn entry(&self, place: usize) -> Option<(K, u32)> {
        let (at, inside) = self.locate(place)?;
        Some(self.blocks[at].entry(inside))
    }

    /// Slots at these positions, block by block.
    pub fn slots(&self, places: Range<usize>) -> impl Iterator<Item = &[u32]> {
        self.pieces(places).map(|(block, inside)| &block.slots[inside])
    }

    /// Entries at these positions, ascending.
    pub fn entries(&self, places: Range<usize>) -> impl Iterator<Item = (K, u32)> {
        self.pieces(places).flat_map(|(block, inside)| inside.map(|place| block.entry(place)))
    }

    /// Entries at these positions, descending.
    pub fn entries_back(&self, places: Range<usize>) -> impl Iterator<Item = (K, u32)> {
        let last = places.end.checked_sub(1).and_then(|last| self.locate(last));
        let mut left = places.len();
        let (mut at, mut inside) = last.unwrap_or((0, 0));
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let entry = self.blocks[at].entry(inside);
            if inside > 0 {
                inside -= 1;
            } else if left > 0 {
                at -= 1;
                inside = self.blocks[at].keys.len() - 1;
            }
            Some(entry)
        })
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let of = |block: &Block<K>| {
            block.keys.capacity() * size_of::<K>() + block.slots.capacity() * 4 + 2 * crate::memory::ALLOCATION
        };
        self.blocks.iter().map(of).sum::<usize>() + self.blocks.capacity() * size_of::<Block<K>>()
    }

    fn pieces(&self, places: Range<usize>) -> impl Iterator<Item = (&Block<K>, Range<usize>)> {
        let (first, mut inside) =
            self.locate(places.start).filter(|_| !places.is_empty()).unwrap_or((self.blocks.len(), 0));
        let mut left = places.len();
        self.blocks[first..].iter().map_while(move |block| {
            let end = block.keys.len().min(inside + left);
            let piece = std::mem::take(&mut inside)..end;
            left -= piece.len();
            (!piece.is_empty()).then_some((block, piece))
        })
    }

    /// Index of the block that contains the entry or would; past the end if it is above all.
    fn block_of(&self, entry: (K, u32)) -> usize {
        self.blocks.partition_point(|block| block.last() < entry)
    }

    fn before(&self, block: usize) -> usize {
        self.blocks[..block].iter().map(|block| block.keys.len()).sum()
    }

    /// Number of leading keys for which `below` is true.
    fn keys_below(&self, below: impl Fn(&K) -> bool) -> usize {
        let at = self.blocks.partition_point(|block| below(&block.last().0));
        self.before(at) + self.blocks.get(at).map_or(0, |block| block.keys.partition_point(below))
    }

    fn locate(&self, place: usize) -> Option<(usize, usize)> {
        let mut inside = place;
        for (at, block) in self.blocks.iter().enumerate() {
            match inside.checked_sub(block.keys.len()) {
                Some(rest) => inside = rest,
                None => return Some((at, inside)),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn same(blocks: &Blocks<i64>, expected: &BTreeSet<(i64, u32)>, range: (Bound<i64>, Bound<i64>)) {
        let all: Vec<_> = expected.iter().copied().collect();
        assert_eq!(blocks.len(), all.len());
        let places = blocks.places(&range);
        let within: Vec<_> = all.iter().copied().filter(|(key, _)| range.contains(key)).collect();
        assert_eq!(blocks.entries(places.clone()).collect::<Vec<_>>(), within);
        assert!(blocks.entries_back(places.clone()).eq(within.iter().rev().copied()));
        let slots: Vec<_> = within.iter().map(|(_, slot)| *slot).collect();
        assert_eq!(blocks.slots(places.clone()).flatten().copied().collect::<Vec<_>>(), slots);
        for place in [places.start, places.end] {
            assert_eq!(blocks.entry(place), all.get(place).copied());
            assert!(blocks.entry(place).is_none_or(|entry| blocks.rank(entry) == place));
        }
    }

    fn bounds() -> impl Strategy<Value = Bound<i64>> {
        (0_i64..60, 0..3).prop_map(|(key, kind)| match kind {
            0 => Bound::Unbounded,
            1 => Bound::Included(key),
            _ => Bound::Excluded(key),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn ranges_agree_with_naive_search(
            built in proptest::collection::btree_set((0_i64..50, 0_u32..4_000), 0..3_000),
            changes in proptest::collection::vec((0_i64..50, 0_u32..4_000, any::<bool>()), 0..3_000),
            ranges in proptest::collection::vec((bounds(), bounds()), 6),
        ) {
            let mut blocks = Blocks::build(built.iter().copied().collect());
            let mut expected = built;
            for (key, slot, insert) in changes {
                if insert && expected.insert((key, slot)) {
                    blocks.insert(key, slot);
                } else if !insert {
                    expected.remove(&(key, slot));
                    blocks.remove(key, slot);
                }
            }
            for range in ranges {
                same(&blocks, &expected, range);
            }
            for (key, slot) in std::mem::take(&mut expected) {
                blocks.remove(key, slot);
            }
            same(&blocks, &expected, (Bound::Unbounded, Bound::Unbounded));
        }
    }

    #[test]
    fn blocks_growing_at_the_end_stay_nearly_full() {
        let mut blocks = Blocks::default();
        (0..20_000_u32).for_each(|slot| blocks.insert(i64::from(slot), slot));
        assert!(blocks.blocks.len() <= 20_000 / BUILT + 1);
    }
}
