//! Numbers of a dictionary's texts, sorted by the texts' bytes, in chunks that split when they are full. `dictionary::sort` sorts all texts
//! at once.

use std::ops::Bound;

use super::dictionary::Dictionary;

/// Maximum number of entries in a chunk.
const MAX_CHUNK_LEN: usize = 1024;

/// Number of entries in a newly built chunk.
const INITIAL_CHUNK_LEN: usize = 896;

/// Numbers sorted by their texts.
#[derive(Clone, Debug, Default)]
pub(super) struct SortedChunks(Vec<Vec<u32>>);

/// Position between two numbers: the chunk, and the number of its entries before the position.
pub(super) type Position = (usize, usize);

impl SortedChunks {
    /// Builds the order from sorted numbers.
    pub fn from_sorted(numbers: &[u32]) -> Self {
        Self(numbers.chunks(INITIAL_CHUNK_LEN).map(<[u32]>::to_vec).collect())
    }

    /// Inserts the number of a new text.
    pub fn insert(&mut self, number: u32, dictionary: &Dictionary) {
        let text = dictionary.text(number);
        let (mut chunk_index, mut offset) = self.position(dictionary, |other| *other < *text);
        if chunk_index == self.0.len() {
            match self.0.last() {
                Some(last) => (chunk_index, offset) = (chunk_index - 1, last.len()),
                None => self.0.push(Vec::new()),
            }
        }
        let chunk = &mut self.0[chunk_index];
        chunk.insert(offset, number);
        if chunk.len() > MAX_CHUNK_LEN {
            let upper = chunk.split_off(MAX_CHUNK_LEN / 2);
            self.0.insert(chunk_index + 1, upper);
        }
    }

    /// Position of the first text in a range that starts at this bound.
    pub fn start(&self, bound: Bound<&[u8]>, dictionary: &Dictionary) -> Position {
        match bound {
            Bound::Unbounded => (0, 0),
            Bound::Included(bound) => self.position(dictionary, |text| text < bound),
            Bound::Excluded(bound) => self.position(dictionary, |text| text <= bound),
        }
    }

    /// Position after the last text in a range that ends at this bound.
    pub fn end(&self, bound: Bound<&[u8]>, dictionary: &Dictionary) -> Position {
        match bound {
            Bound::Unbounded => (self.0.len(), 0),
            Bound::Included(bound) => self.position(dictionary, |text| text <= bound),
            Bound::Excluded(bound) => self.position(dictionary, |text| text < bound),
        }
    }

    /// Numbers between two positions.
    pub fn range(&self, start: Position, end: Position) -> impl DoubleEndedIterator<Item = u32> {
        (start.0..self.0.len().min(end.0 + 1)).flat_map(move |chunk_index| {
            let chunk = &self.0[chunk_index];
            let first = if chunk_index == start.0 { start.1 } else { 0 };
            let end = if chunk_index == end.0 { end.1 } else { chunk.len() };
            chunk[first.min(end)..end].iter().copied()
        })
    }

    /// Number of entries between two positions.
    pub fn count(&self, start: Position, end: Position) -> usize {
        let whole_chunks = self.0.get(start.0..end.0).unwrap_or_default().iter().map(Vec::len).sum::<usize>();
        (whole_chunks + end.1).saturating_sub(start.1)
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let chunk_bytes =
            |chunk: &Vec<u32>| chunk.capacity() * 4 + size_of::<Vec<u32>>() + crate::memory::ALLOCATION_OVERHEAD;
        self.0.iter().map(chunk_bytes).sum()
    }

    fn position(&self, dictionary: &Dictionary, is_text_below: impl Fn(&[u8]) -> bool) -> Position {
        let is_below = |number: &u32| is_text_below(&dictionary.text(*number));
        let chunk_index = self.0.partition_point(|chunk| chunk.last().is_some_and(is_below));
        (chunk_index, self.0.get(chunk_index).map_or(0, |chunk| chunk.partition_point(is_below)))
    }
}
