//! Sorted column of many values: [`Blocks`], with a *mark* at regular intervals: the set of all lower slots. A wide range is the difference
//! of two marks, adjusted by the entries between them and its ends; a narrow range is built from its entries.

use std::ops::{Range, RangeBounds};

use roaring::RoaringBitmap;

use crate::blocks::{Blocks, Key};
use crate::set::{Gather, Set, odd};

/// Minimum number of entries between two marks. A mark of a million slots takes as much memory as 10,000 entries.
const STEP: usize = 16_384;

/// Maximum number of marks when they are created. More would save little time each, and their total memory would matter.
const MARKS: usize = 64;

/// Sorted keys with their slots. No slot has two keys.
#[derive(Clone, Debug)]
pub(crate) struct Ranges<K> {
    blocks: Blocks<K>,
    marks: Vec<Mark<K>>,
    /// Pushed entries, until all are sorted.
    pushed: Vec<(K, u32)>,
}

/// Slots of all entries below one entry.
#[derive(Clone, Debug)]
struct Mark<K> {
    end: (K, u32),
    below: RoaringBitmap,
}

impl<K> Default for Ranges<K> {
    fn default() -> Self {
        Self { blocks: Blocks::default(), marks: Vec::new(), pushed: Vec::new() }
    }
}

impl<K: Key> Ranges<K> {
    /// Maximum distance between the result of [`Self::seek`] and the sought slot, counted in slots of any key.
    pub const NEAR: usize = 256;

    /// Adds an entry while building; [`Self::finish`] sorts all entries.
    pub fn push(&mut self, key: K, slot: u32) {
        self.pushed.push((key, slot));
    }

    /// Sorts the pushed entries; all slots are below `slots`.
    pub fn finish(&mut self, slots: usize) {
        self.blocks = Blocks::build(std::mem::take(&mut self.pushed));
        self.mark(slots);
    }

    /// Sorted entries.
    pub fn blocks(&self) -> &Blocks<K> {
        &self.blocks
    }

    /// Adds an entry for a slot that has none; all slots are below `slots`.
    pub fn insert(&mut self, key: K, slot: u32, slots: usize) {
        let above = self.marks.partition_point(|mark| mark.end <= (key, slot));
        self.marks[above..].iter_mut().for_each(|mark| _ = mark.below.insert(slot));
        self.blocks.insert(key, slot);
        if self.blocks.len().is_multiple_of(STEP / 4) && self.is_out_of_step() {
            self.mark(slots);
        }
    }

    /// Removes an entry.
    pub fn remove(&mut self, key: K, slot: u32) {
        let above = self.marks.partition_point(|mark| mark.end <= (key, slot));
        self.marks[above..].iter_mut().for_each(|mark| _ = mark.below.remove(slot));
        self.blocks.remove(key, slot);
    }

    /// Slots whose keys are in the range; all slots are below `slots`.
    pub fn within(&self, range: &impl RangeBounds<K>, slots: usize) -> Set<'_> {
        self.at(self.blocks.places(range), slots)
    }

    /// Slots at these positions of the order; all slots are below `slots`.
    pub fn at(&self, places: Range<usize>, slots: usize) -> Set<'_> {
        let (start, end) = (self.nearest(places.start), self.nearest(places.end));
        let edges = [edge(places.start, start.at), edge(places.end, end.at)];
        let through_marks = edges.iter().map(Range::len).sum::<usize>() + slots / 64;
        if places.len() <= through_marks {
            let mut gather = Gather::new(slots);
            self.blocks.slots(places).for_each(|piece| gather.extend(piece));
            return gather.finish();
        }
        let mut set = odd(slots, edges.into_iter().flat_map(|edge| self.blocks.slots(edge)));
        for below in [start.below, end.below].into_iter().flatten() {
            set ^= below;
        }
        Set::Bits(std::borrow::Cow::Owned(set))
    }

    /// Finds a slot near the one with rank `rank` among the slots at these positions. Returns it with its own rank, which is at most
    /// `rank`. All slots are below `slots`.
    pub fn seek(&self, places: Range<usize>, rank: usize, slots: usize) -> (u32, usize) {
        let (start, end) = (self.nearest(places.start), self.nearest(places.end));
        // Corrections of the mark difference by the edges, for every interval of slots.
        let mut added = vec![0_i32; slots / Self::NEAR + 2];
        for (edge, add) in
            [(edge(places.start, start.at), places.start < start.at), (edge(places.end, end.at), end.at < places.end)]
        {
            let add = if add { 1 } else { -1 };
            self.blocks.slots(edge).flatten().for_each(|slot| added[*slot as usize / Self::NEAR + 1] += add);
        }
        for next in 1..added.len() {
            added[next] += added[next - 1];
        }
        let marked = |mark: &Nearest<'_>, slot: u32| mark.below.map_or(0, |below| Set::of(below).rank(slot) as i64);
        let below = |at: usize| {
            let slot = (at * Self::NEAR) as u32;
            (marked(&end, slot) - marked(&start, slot) + i64::from(added[at])) as usize
        };
        let (mut at, mut above) = (0, added.len());
        while above - at > 1 {
            let middle = at.midpoint(above);
            if below(middle) <= rank { at = middle } else { above = middle }
        }
        ((at * Self::NEAR) as u32, below(at))
    }

    /// Adds the slots at these positions to a collector.
    pub fn gather(&self, places: Range<usize>, slots: usize, into: &mut Gather) {
        if places.len() > 2 * STEP && !self.marks.is_empty() {
            into.add_set(&self.at(places, slots));
        } else {
            self.blocks.slots(places).for_each(|piece| into.extend(piece));
        }
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let marks = self.marks.iter().map(|mark| size_of::<Mark<K>>() + crate::memory::of_bitmap(&mark.below));
        self.blocks.bytes() + marks.sum::<usize>()
    }

    /// Mark nearest to a position; none if the start is nearer.
    fn nearest(&self, place: usize) -> Nearest<'_> {
        let after = match self.blocks.entry(place) {
            Some(entry) => self.marks.partition_point(|mark| mark.end <= entry),
            None => self.marks.len(),
        };
        let of = |mark: &'_ Mark<K>| self.blocks.rank(mark.end);
        let before = match after.checked_sub(1).map(|before| &self.marks[before]) {
            Some(mark) => Nearest { at: of(mark), below: Some(&mark.below) },
            None => Nearest { at: 0, below: None },
        };
        match self.marks.get(after).map(|mark| Nearest { at: of(mark), below: Some(&mark.below) }) {
            Some(next) if next.at.abs_diff(place) < place - before.at => next,
            _ => before,
        }
    }

    /// True if entries were added so unevenly that the marks are too far apart.
    fn is_out_of_step(&self) -> bool {
        let step = step(self.blocks.len());
        let ends = self.marks.iter().map(|mark| self.blocks.rank(mark.end)).chain([self.blocks.len()]);
        let widest = ends.scan(0, |last, end| Some(end - std::mem::replace(last, end))).max();
        widest.is_some_and(|widest| widest > 3 * step)
    }

    fn mark(&mut self, slots: usize) {
        let step = step(self.blocks.len());
        self.marks.clear();
        let mut dense = vec![0_u8; slots.div_ceil(8)];
        for end in (step..self.blocks.len().saturating_sub(step / 2)).step_by(step) {
            for slot in self.blocks.slots(end - step..end).flatten() {
                dense[*slot as usize / 8] |= 1 << (slot % 8);
            }
            let below = RoaringBitmap::from_lsb0_bytes(0, &dense);
            self.marks.extend(self.blocks.entry(end).map(|end| Mark { end, below }));
        }
    }
}

struct Nearest<'a> {
    at: usize,
    below: Option<&'a RoaringBitmap>,
}

fn step(entries: usize) -> usize {
    STEP.max(entries / MARKS)
}

/// Positions between two.
fn edge(one: usize, other: usize) -> Range<usize> {
    one.min(other)..one.max(other)
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
        for (from, till) in ends.iter().flat_map(|from| ends.iter().map(move |till| (*from, *till))) {
            let found: Vec<u32> = ranges.within(&(from..till), keys.len()).iter().collect();
            let in_range = |key: &Option<i64>| key.is_some_and(|key| (from..till).contains(&key));
            let expected = keys.iter().enumerate().filter(|(_, key)| in_range(key)).map(|(slot, _)| slot as u32);
            assert!(found.iter().copied().eq(expected), "{from}..{till}");
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
        assert!(!ranges.is_out_of_step());
    }
}
