//! Sorted column of many values: [`Blocks`], with a *mark* at regular intervals: the set of all slots with lower values. A wide range is
//! the difference of two marks, adjusted by the entries between them and its ends; a narrow range is built from its entries.

use std::ops::{Range, RangeBounds};

use roaring::RoaringBitmap;

use crate::blocks::{Blocks, Key};
use crate::set::{Set, SlotCollector, symmetric_difference};

/// Minimum number of entries between two marks. A mark of a million slots takes as much memory as 10,000 entries.
const MIN_MARK_INTERVAL: usize = 16_384;

/// Maximum number of marks when they are created. More would save little time each, and their total memory would matter.
const MAX_MARKS: usize = 64;

/// Sorted keys with their slots. No slot has two keys.
#[derive(Clone, Debug)]
pub(crate) struct Ranges<K> {
    blocks: Blocks<K>,
    marks: Vec<Mark<K>>,
    /// Pushed entries, until all are sorted.
    pushed_entries: Vec<(K, u32)>,
}

/// Slots of all entries below one entry.
#[derive(Clone, Debug)]
struct Mark<K> {
    end: (K, u32),
    below: RoaringBitmap,
}

impl<K> Default for Ranges<K> {
    fn default() -> Self {
        Self { blocks: Blocks::default(), marks: Vec::new(), pushed_entries: Vec::new() }
    }
}

impl<K: Key> Ranges<K> {
    /// Maximum distance between the result of [`Self::seek`] and the sought slot, counted in slots of any key.
    pub const SEEK_INTERVAL: usize = 256;

    /// Adds an entry while building; [`Self::finish`] sorts all entries.
    pub fn push(&mut self, key: K, slot: u32) {
        self.pushed_entries.push((key, slot));
    }

    /// Sorts the pushed entries; all slots are below `slot_count`.
    pub fn finish(&mut self, slot_count: usize) {
        self.blocks = Blocks::build(std::mem::take(&mut self.pushed_entries));
        self.create_marks(slot_count);
    }

    /// Sorted entries.
    pub fn blocks(&self) -> &Blocks<K> {
        &self.blocks
    }

    /// Adds an entry for a slot that has none; all slots are below `slot_count`.
    pub fn insert(&mut self, key: K, slot: u32, slot_count: usize) {
        let first_above = self.marks.partition_point(|mark| mark.end <= (key, slot));
        self.marks[first_above..].iter_mut().for_each(|mark| _ = mark.below.insert(slot));
        self.blocks.insert(key, slot);
        if self.blocks.len().is_multiple_of(MIN_MARK_INTERVAL / 4) && self.has_uneven_marks() {
            self.create_marks(slot_count);
        }
    }

    /// Removes an entry.
    pub fn remove(&mut self, key: K, slot: u32) {
        let first_above = self.marks.partition_point(|mark| mark.end <= (key, slot));
        self.marks[first_above..].iter_mut().for_each(|mark| _ = mark.below.remove(slot));
        self.blocks.remove(key, slot);
    }

    /// Slots whose keys are in the range; all slots are below `slot_count`.
    pub fn slots_in_range(&self, range: &impl RangeBounds<K>, slot_count: usize) -> Set<'_> {
        self.slots_at(self.blocks.positions(range), slot_count)
    }

    /// Slots at these positions of the order; all slots are below `slot_count`.
    pub fn slots_at(&self, positions: Range<usize>, slot_count: usize) -> Set<'_> {
        let (start, end) = (self.nearest_mark(positions.start), self.nearest_mark(positions.end));
        let corrections =
            [positions_between(positions.start, start.position), positions_between(positions.end, end.position)];
        let cost_with_marks = corrections.iter().map(Range::len).sum::<usize>() + slot_count / 64;
        if positions.len() <= cost_with_marks {
            let mut collector = SlotCollector::new(slot_count);
            self.blocks.slots(positions).for_each(|block_slots| collector.extend(block_slots));
            return collector.finish();
        }
        let mut set = symmetric_difference(
            slot_count,
            corrections.into_iter().flat_map(|edge_range| self.blocks.slots(edge_range)),
        );
        for below in [start.below, end.below].into_iter().flatten() {
            set ^= below;
        }
        Set::Bits(std::borrow::Cow::Owned(set))
    }

    /// Finds a slot near the one with rank `rank` among the slots at these positions. Returns it with its own rank, which is at most
    /// `rank`. All slots are below `slot_count`.
    pub fn seek(&self, positions: Range<usize>, rank: usize, slot_count: usize) -> (u32, usize) {
        let (start, end) = (self.nearest_mark(positions.start), self.nearest_mark(positions.end));
        // Corrections of the mark difference by the edges, for every interval of slots.
        let mut corrections = vec![0_i32; slot_count / Self::SEEK_INTERVAL + 2];
        for (edge_range, is_added) in [
            (positions_between(positions.start, start.position), positions.start < start.position),
            (positions_between(positions.end, end.position), end.position < positions.end),
        ] {
            let correction = if is_added { 1 } else { -1 };
            self.blocks
                .slots(edge_range)
                .flatten()
                .for_each(|slot| corrections[*slot as usize / Self::SEEK_INTERVAL + 1] += correction);
        }
        for index in 1..corrections.len() {
            corrections[index] += corrections[index - 1];
        }
        let mark_rank =
            |mark: &NearestMark<'_>, slot: u32| mark.below.map_or(0, |below| Set::from_bitmap(below).rank(slot) as i64);
        let rank_at = |low: usize| {
            let slot = (low * Self::SEEK_INTERVAL) as u32;
            (mark_rank(&end, slot) - mark_rank(&start, slot) + i64::from(corrections[low])) as usize
        };
        let (mut low, mut high) = (0, corrections.len());
        while high - low > 1 {
            let middle = low.midpoint(high);
            if rank_at(middle) <= rank { low = middle } else { high = middle }
        }
        ((low * Self::SEEK_INTERVAL) as u32, rank_at(low))
    }

    /// Adds the slots at these positions to a collector.
    pub fn collect_into(&self, positions: Range<usize>, slot_count: usize, collector: &mut SlotCollector) {
        if positions.len() > 2 * MIN_MARK_INTERVAL && !self.marks.is_empty() {
            collector.add_set(&self.slots_at(positions, slot_count));
        } else {
            self.blocks.slots(positions).for_each(|block_slots| collector.extend(block_slots));
        }
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let marks = self.marks.iter().map(|mark| size_of::<Mark<K>>() + crate::memory::bitmap_bytes(&mark.below));
        self.blocks.bytes() + marks.sum::<usize>()
    }

    /// Mark nearest to a position; none if the start is nearer.
    fn nearest_mark(&self, position: usize) -> NearestMark<'_> {
        let after = match self.blocks.entry(position) {
            Some(entry) => self.marks.partition_point(|mark| mark.end <= entry),
            None => self.marks.len(),
        };
        let mark_position = |mark: &'_ Mark<K>| self.blocks.rank(mark.end);
        let before = match after.checked_sub(1).map(|before| &self.marks[before]) {
            Some(mark) => NearestMark { position: mark_position(mark), below: Some(&mark.below) },
            None => NearestMark { position: 0, below: None },
        };
        match self.marks.get(after).map(|mark| NearestMark { position: mark_position(mark), below: Some(&mark.below) })
        {
            Some(next) if next.position.abs_diff(position) < position - before.position => next,
            _ => before,
        }
    }

    /// True if entries were added so unevenly that the marks are too far apart.
    fn has_uneven_marks(&self) -> bool {
        let interval = mark_interval(self.blocks.len());
        let positions = self.marks.iter().map(|mark| self.blocks.rank(mark.end)).chain([self.blocks.len()]);
        let max_gap = positions.scan(0, |last, end| Some(end - std::mem::replace(last, end))).max();
        max_gap.is_some_and(|max_gap| max_gap > 3 * interval)
    }

    fn create_marks(&mut self, slot_count: usize) {
        let interval = mark_interval(self.blocks.len());
        self.marks.clear();
        let mut bits = vec![0_u8; slot_count.div_ceil(8)];
        for end in (interval..self.blocks.len().saturating_sub(interval / 2)).step_by(interval) {
            for slot in self.blocks.slots(end - interval..end).flatten() {
                bits[*slot as usize / 8] |= 1 << (slot % 8);
            }
            let below = RoaringBitmap::from_lsb0_bytes(0, &bits);
            self.marks.extend(self.blocks.entry(end).map(|end| Mark { end, below }));
        }
    }
}

struct NearestMark<'a> {
    position: usize,
    below: Option<&'a RoaringBitmap>,
}

fn mark_interval(entry_count: usize) -> usize {
    MIN_MARK_INTERVAL.max(entry_count / MAX_MARKS)
}

/// Positions between two positions, given in either order.
fn positions_between(left: usize, right: usize) -> Range<usize> {
    left.min(right)..left.max(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic pseudo-random numbers.
    fn scattered(count: u32) -> impl Iterator<Item = i64> {
        (0..count).map(|n| i64::from(n.wrapping_mul(2_654_435_761) >> 8))
    }

    fn check(ranges: &Ranges<i64>, keys: &[Option<i64>]) {
        let ends = [i64::MIN, -5, 0, 70_000, 1 << 20, 3 << 21, 9_000_000, 1 << 24, i64::MAX];
        for (start, end) in ends.iter().flat_map(|start| ends.iter().map(move |end| (*start, *end))) {
            let slots: Vec<u32> = ranges.slots_in_range(&(start..end), keys.len()).iter().collect();
            let in_range = |key: &Option<i64>| key.is_some_and(|key| (start..end).contains(&key));
            let expected = keys.iter().enumerate().filter(|(_, key)| in_range(key)).map(|(slot, _)| slot as u32);
            assert!(slots.iter().copied().eq(expected), "{start}..{end}");
        }
    }

    #[test]
    fn wide_ranges_agree_with_naive_search_after_changes() {
        const SLOTS: u32 = 120_000;
        let mut keys: Vec<Option<i64>> = scattered(SLOTS).map(Some).collect();
        let entries = keys.iter().enumerate().filter_map(|(slot, key)| key.map(|key| (key, slot as u32)));
        let mut ranges = Ranges::default();
        entries.for_each(|(key, slot)| ranges.push(key, slot));
        ranges.finish(keys.len());
        assert_eq!(ranges.marks.len(), 6);
        check(&ranges, &keys);
        for slot in (0..SLOTS).step_by(3) {
            let key = keys[slot as usize].take().unwrap();
            ranges.remove(key, slot);
        }
        check(&ranges, &keys);
        // All at the end, like times of changes: new marks are created there.
        for slot in (0..SLOTS).step_by(3) {
            let key = 20_000_000 + i64::from(slot);
            keys[slot as usize] = Some(key);
            ranges.insert(key, slot, keys.len());
        }
        check(&ranges, &keys);
        assert!(!ranges.has_uneven_marks());
    }
}
