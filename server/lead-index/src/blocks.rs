//! Sorted keys with their slots, in blocks that split when they are full. An insertion moves one block only. The rank of a key is found by
//! adding up block sizes, so the size of a range is known without visiting it.

use std::ops::{Bound, Range, RangeBounds};

/// Maximum number of entries of a block. Larger blocks slow down insertions, smaller ones slow down counting.
const MAX_BLOCK_LEN: usize = 1024;

/// Number of entries of a newly built block; leaves room for some insertions before it splits.
const INITIAL_BLOCK_LEN: usize = 896;

/// Number of entries by which a block's capacity grows. Doubling would leave a third of the memory unused.
const CAPACITY_STEP: usize = 64;

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
    fn entry(&self, index: usize) -> (K, u32) {
        (self.keys[index], self.slots[index])
    }

    fn last(&self) -> (K, u32) {
        self.entry(self.keys.len() - 1)
    }

    /// Number of entries below `entry`.
    fn rank(&self, entry: (K, u32)) -> usize {
        let start = self.keys.partition_point(|key| *key < entry.0);
        let equal = self.keys[start..].partition_point(|key| *key == entry.0);
        start + self.slots[start..start + equal].partition_point(|slot| *slot < entry.1)
    }
}

impl<K: Key> Blocks<K> {
    /// Builds blocks from entries in any order.
    pub fn build(mut entries: Vec<(K, u32)>) -> Self {
        entries.sort_unstable();
        let blocks = entries.chunks(INITIAL_BLOCK_LEN).map(|chunk| Block {
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
        let block_index = self.find_block(entry).min(self.blocks.len() - 1);
        let block = &mut self.blocks[block_index];
        let offset = block.rank(entry);
        if block.keys.len() == block.keys.capacity() {
            block.keys.reserve_exact(CAPACITY_STEP);
        }
        if block.slots.len() == block.slots.capacity() {
            block.slots.reserve_exact(CAPACITY_STEP);
        }
        block.keys.insert(offset, key);
        block.slots.insert(offset, slot);
        if block.keys.len() > MAX_BLOCK_LEN {
            // An even split would leave the lower block half empty if keys only grow, as times do.
            let split_at = if block_index + 1 == self.blocks.len() && offset == MAX_BLOCK_LEN {
                INITIAL_BLOCK_LEN
            } else {
                MAX_BLOCK_LEN / 2
            };
            let block = &mut self.blocks[block_index];
            let upper = Block { keys: block.keys.split_off(split_at), slots: block.slots.split_off(split_at) };
            block.keys.shrink_to_fit();
            block.slots.shrink_to_fit();
            self.blocks.insert(block_index + 1, upper);
        }
    }

    /// Removes an entry.
    pub fn remove(&mut self, key: K, slot: u32) {
        let block_index = self.find_block((key, slot));
        let Some(block) = self.blocks.get_mut(block_index) else { return };
        let offset = block.rank((key, slot));
        if offset < block.keys.len() && block.entry(offset) == (key, slot) {
            block.keys.remove(offset);
            block.slots.remove(offset);
            self.len -= 1;
            if block.keys.is_empty() {
                self.blocks.remove(block_index);
            }
        }
    }

    /// Positions of the keys in this range.
    pub fn positions(&self, range: &impl RangeBounds<K>) -> Range<usize> {
        let start = match range.start_bound() {
            Bound::Unbounded => 0,
            Bound::Included(key) => self.count_keys(|other| *other < *key),
            Bound::Excluded(key) => self.count_keys(|other| *other <= *key),
        };
        let end = match range.end_bound() {
            Bound::Unbounded => self.len,
            Bound::Included(key) => self.count_keys(|other| *other <= *key),
            Bound::Excluded(key) => self.count_keys(|other| *other < *key),
        };
        start..end.max(start)
    }

    /// Number of entries below this one.
    pub fn rank(&self, entry: (K, u32)) -> usize {
        let block_index = self.find_block(entry);
        self.len_before(block_index) + self.blocks.get(block_index).map_or(0, |block| block.rank(entry))
    }

    pub fn entry(&self, position: usize) -> Option<(K, u32)> {
        let (block_index, offset) = self.locate(position)?;
        Some(self.blocks[block_index].entry(offset))
    }

    /// Slots at these positions, block by block.
    pub fn slots(&self, positions: Range<usize>) -> impl Iterator<Item = &[u32]> {
        self.block_ranges(positions).map(|(block, range)| &block.slots[range])
    }

    /// Entries at these positions, ascending.
    pub fn entries(&self, positions: Range<usize>) -> impl Iterator<Item = (K, u32)> {
        self.block_ranges(positions).flat_map(|(block, offsets)| offsets.map(|offset| block.entry(offset)))
    }

    /// Entries at these positions, descending.
    pub fn entries_descending(&self, positions: Range<usize>) -> impl Iterator<Item = (K, u32)> {
        let last = positions.end.checked_sub(1).and_then(|last| self.locate(last));
        let mut remaining = positions.len();
        let (mut block_index, mut offset) = last.unwrap_or((0, 0));
        std::iter::from_fn(move || {
            remaining = remaining.checked_sub(1)?;
            let entry = self.blocks[block_index].entry(offset);
            if offset > 0 {
                offset -= 1;
            } else if remaining > 0 {
                block_index -= 1;
                offset = self.blocks[block_index].keys.len() - 1;
            }
            Some(entry)
        })
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let block_bytes = |block: &Block<K>| {
            block.keys.capacity() * size_of::<K>() + block.slots.capacity() * 4 + 2 * crate::memory::ALLOCATION_OVERHEAD
        };
        self.blocks.iter().map(block_bytes).sum::<usize>() + self.blocks.capacity() * size_of::<Block<K>>()
    }

    fn block_ranges(&self, positions: Range<usize>) -> impl Iterator<Item = (&Block<K>, Range<usize>)> {
        let (first_block, mut offset) =
            self.locate(positions.start).filter(|_| !positions.is_empty()).unwrap_or((self.blocks.len(), 0));
        let mut remaining = positions.len();
        self.blocks[first_block..].iter().map_while(move |block| {
            let end = block.keys.len().min(offset + remaining);
            let range = std::mem::take(&mut offset)..end;
            remaining -= range.len();
            (!range.is_empty()).then_some((block, range))
        })
    }

    /// Index of the block that contains the entry or would contain it; the number of blocks if the entry is above all others.
    fn find_block(&self, entry: (K, u32)) -> usize {
        self.blocks.partition_point(|block| block.last() < entry)
    }

    /// Number of entries in the blocks before this one.
    fn len_before(&self, block_index: usize) -> usize {
        self.blocks[..block_index].iter().map(|block| block.keys.len()).sum()
    }

    /// Number of leading keys for which `is_below` is true.
    fn count_keys(&self, is_below: impl Fn(&K) -> bool) -> usize {
        let block_index = self.blocks.partition_point(|block| is_below(&block.last().0));
        self.len_before(block_index)
            + self.blocks.get(block_index).map_or(0, |block| block.keys.partition_point(is_below))
    }

    /// Index of the block with the entry at this position, and the entry's offset in the block.
    fn locate(&self, position: usize) -> Option<(usize, usize)> {
        let mut offset = position;
        for (block_index, block) in self.blocks.iter().enumerate() {
            match offset.checked_sub(block.keys.len()) {
                Some(remaining) => offset = remaining,
                None => return Some((block_index, offset)),
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

    fn assert_same(blocks: &Blocks<i64>, expected: &BTreeSet<(i64, u32)>, range: (Bound<i64>, Bound<i64>)) {
        let entries: Vec<_> = expected.iter().copied().collect();
        assert_eq!(blocks.len(), entries.len());
        let positions = blocks.positions(&range);
        let in_range: Vec<_> = entries.iter().copied().filter(|(key, _)| range.contains(key)).collect();
        assert_eq!(blocks.entries(positions.clone()).collect::<Vec<_>>(), in_range);
        assert!(blocks.entries_descending(positions.clone()).eq(in_range.iter().rev().copied()));
        let slots: Vec<_> = in_range.iter().map(|(_, slot)| *slot).collect();
        assert_eq!(blocks.slots(positions.clone()).flatten().copied().collect::<Vec<_>>(), slots);
        for position in [positions.start, positions.end] {
            assert_eq!(blocks.entry(position), entries.get(position).copied());
            assert!(blocks.entry(position).is_none_or(|entry| blocks.rank(entry) == position));
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
                assert_same(&blocks, &expected, range);
            }
            for (key, slot) in std::mem::take(&mut expected) {
                blocks.remove(key, slot);
            }
            assert_same(&blocks, &expected, (Bound::Unbounded, Bound::Unbounded));
        }
    }

    #[test]
    fn blocks_growing_at_the_end_stay_nearly_full() {
        let mut blocks = Blocks::default();
        (0..20_000_u32).for_each(|slot| blocks.insert(i64::from(slot), slot));
        assert!(blocks.blocks.len() <= 20_000 / INITIAL_BLOCK_LEN + 1);
    }
}
