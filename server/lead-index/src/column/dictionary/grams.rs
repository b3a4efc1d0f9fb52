//! Index of *grams*, hashed sequences of three bytes, for the blocks of a dictionary's memory. A search reads only blocks that have every
//! gram of the needle.
//!
//! The bits of all blocks for one hash are adjacent, so a search reads a few rows of bits instead of some data of every block. There are
//! false positives but no false negatives.

use std::ops::Range;

/// Number of bytes of a gram.
const GRAM: usize = 3;

/// Base-2 logarithm of the number of hashes. One bit for each is an eighth of a 512-byte block. A block of addresses sets a third of them,
/// a block of telephone numbers half.
const HASH: u32 = 9;

/// Number of blocks per page: the bits of one cache line. A page fits into the L1 cache while it is filled.
const BLOCKS: usize = 512;

/// Maximum number of needle grams that are checked. Even among telephone numbers, hardly any block matches so many by chance.
const MOST: usize = 12;

/// One bit for each block of a page.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Row([u64; BLOCKS / 64]);

/// Grams of all blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Grams {
    /// One row per hash, in pages, so that rows never move when pages are added.
    pages: Vec<Box<[Row; 1 << HASH]>>,
}

impl Grams {
    /// Records the grams of a text, in its folded form, that starts in this block.
    pub fn note(&mut self, block: usize, text: &[u8]) {
        let page = block / BLOCKS;
        while self.pages.len() <= page {
            self.pages.push(Box::new([Row::default(); 1 << HASH]));
        }
        let (rows, word, bit) = (&mut self.pages[page], block % BLOCKS / 64, 1 << (block % 64));
        text.windows(GRAM).for_each(|gram| rows[hash(gram)].0[word] |= bit);
    }

    /// Blocks that may contain the needle, as ascending runs; `None` if the needle is too short.
    pub fn blocks(&self, part: &[u8]) -> Option<Vec<Range<usize>>> {
        let mut hashes: Vec<usize> = part.windows(GRAM).take(MOST).map(hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        let (first, others) = hashes.split_first()?;
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (page, rows) in self.pages.iter().enumerate() {
            let mut found = rows[*first].0;
            for hash in others {
                found.iter_mut().zip(rows[*hash].0).for_each(|(found, row)| *found &= row);
            }
            for (word, mut bits) in found.into_iter().enumerate() {
                while bits != 0 {
                    let block = page * BLOCKS + word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    match runs.last_mut() {
                        Some(run) if block == run.end => run.end += 1,
                        _ => runs.push(block..block + 1),
                    }
                }
            }
        }
        Some(runs)
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<usize>() + self.pages.len() * (size_of::<Row>() << HASH)
    }
}

fn hash(gram: &[u8]) -> usize {
    let gram = gram.iter().fold(0, |gram, byte| gram << 8 | u32::from(*byte));
    (gram.wrapping_mul(0x9E37_79B1) >> (u32::BITS - HASH)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_runs_of_blocks_with_every_gram() {
        let mut grams = Grams::default();
        for block in [3, 4, 6, 70, BLOCKS - 1, BLOCKS, 3 * BLOCKS + 9] {
            grams.note(block, b"some text");
        }
        grams.note(9, b"ome tom");
        grams.note(2 * BLOCKS, b"so");
        let runs = [3..5, 6..7, 70..71, BLOCKS - 1..BLOCKS + 1, 3 * BLOCKS + 9..3 * BLOCKS + 10];
        assert_eq!(grams.blocks(b"me text"), Some(runs.to_vec()));
        assert_eq!(grams.blocks(b"some text, and more"), Some(Vec::new()));
        assert_eq!(grams.blocks(b"so"), None);
    }
}
