//! Rows of the leads by slot, in chunks that clones of the index share until one of them changes.

use std::sync::Arc;

use crate::row::Row;

/// Number of slots per chunk. A change of a shared row copies one chunk and the list of chunks; a million leads have 2,000.
const CHUNK_SLOTS: usize = 512;

type Chunk = [Option<Row>; CHUNK_SLOTS];

/// Rows by slot. A deleted lead has none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows(Vec<Arc<Chunk>>);

impl Rows {
    pub fn get(&self, slot: u32) -> Option<&Row> {
        self.0.get(slot as usize / CHUNK_SLOTS)?[slot as usize % CHUNK_SLOTS].as_ref()
    }

    /// Replaces the row of this slot, and returns the old one.
    pub fn replace(&mut self, slot: u32, row: Option<Row>) -> Option<Row> {
        let chunk = slot as usize / CHUNK_SLOTS;
        while self.0.len() <= chunk {
            self.0.push(Arc::new([const { None }; CHUNK_SLOTS]));
        }
        std::mem::replace(&mut Arc::make_mut(&mut self.0[chunk])[slot as usize % CHUNK_SLOTS], row)
    }

    /// All rows, by slot.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.0.iter().flat_map(|chunk| chunk.iter().flatten())
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let chunk_bytes = size_of::<Chunk>() + crate::memory::ARC_OVERHEAD + crate::memory::ALLOCATION_OVERHEAD;
        self.iter().map(Row::bytes).sum::<usize>()
            + self.0.len() * chunk_bytes
            + self.0.capacity() * size_of::<Arc<Chunk>>()
    }

    /// Frees unused capacity.
    pub fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}
