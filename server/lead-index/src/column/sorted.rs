//! Numbers of a dictionary's texts, sorted by the texts' bytes, in chunks that split when they are full. [`super::sort`] sorts many texts
//! at once.

use std::ops::Bound;

use super::dictionary::Dictionary;

/// Maximum number of entries in a chunk.
const FULL: usize = 1024;

/// Number of entries in a newly built chunk.
const BUILT: usize = 896;

/// Numbers sorted by their texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorted(Vec<Vec<u32>>);

/// Position between two numbers: the chunk, and the number of its entries before the position.
pub(super) type Place = (usize, usize);

impl Sorted {
    /// Builds the order from sorted numbers.
    pub fn of(numbers: &[u32]) -> Self {
        Self(numbers.chunks(BUILT).map(<[u32]>::to_vec).collect())
    }

    /// Inserts the number of a new text.
    pub fn insert(&mut self, number: u32, values: &Dictionary) {
        let text = values.text(number);
        let (mut at, mut inside) = self.place(values, |one| *one < *text);
        if at == self.0.len() {
            match self.0.last() {
                Some(last) => (at, inside) = (at - 1, last.len()),
                None => self.0.push(Vec::new()),
            }
        }
        let piece = &mut self.0[at];
        piece.insert(inside, number);
        if piece.len() > FULL {
            let upper = piece.split_off(FULL / 2);
            self.0.insert(at + 1, upper);
        }
    }

    /// Position of the first text in a range that starts at this bound.
    pub fn start(&self, from: Bound<&[u8]>, values: &Dictionary) -> Place {
        match from {
            Bound::Unbounded => (0, 0),
            Bound::Included(from) => self.place(values, |one| one < from),
            Bound::Excluded(from) => self.place(values, |one| one <= from),
        }
    }

    /// Position after the last text in a range that ends at this bound.
    pub fn end(&self, till: Bound<&[u8]>, values: &Dictionary) -> Place {
        match till {
            Bound::Unbounded => (self.0.len(), 0),
            Bound::Included(till) => self.place(values, |one| one <= till),
            Bound::Excluded(till) => self.place(values, |one| one < till),
        }
    }

    /// Numbers between two positions.
    pub fn range(&self, start: Place, end: Place) -> impl DoubleEndedIterator<Item = u32> {
        (start.0..self.0.len().min(end.0 + 1)).flat_map(move |at| {
            let piece = &self.0[at];
            let from = if at == start.0 { start.1 } else { 0 };
            let till = if at == end.0 { end.1 } else { piece.len() };
            piece[from.min(till)..till].iter().copied()
        })
    }

    /// Count of numbers between two positions.
    pub fn count(&self, start: Place, end: Place) -> usize {
        let whole = self.0.get(start.0..end.0).unwrap_or_default().iter().map(Vec::len).sum::<usize>();
        (whole + end.1).saturating_sub(start.1)
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let of = |piece: &Vec<u32>| piece.capacity() * 4 + size_of::<Vec<u32>>() + crate::memory::ALLOCATION;
        self.0.iter().map(of).sum()
    }

    fn place(&self, values: &Dictionary, below: impl Fn(&[u8]) -> bool) -> Place {
        let is_below = |number: &u32| below(&values.text(*number));
        let at = self.0.partition_point(|piece| piece.last().is_some_and(is_below));
        (at, self.0.get(at).map_or(0, |piece| piece.partition_point(is_below)))
    }
}
