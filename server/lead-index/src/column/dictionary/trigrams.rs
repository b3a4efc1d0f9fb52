//! Trigram index: hashes of the three-byte sequences in each block of a dictionary's memory. A search reads only the blocks that have every
//! trigram of the needle.
//!
//! The bits of all blocks for one hash are adjacent, so a search reads a few rows of bits instead of some data of every block. There are
//! false positives but no false negatives.

use std::ops::Range;

const TRIGRAM_BYTES: usize = 3;

/// Base-2 logarithm of the number of hash values. One bit per value takes 64 bytes per block, an eighth of its 512 bytes. A block of
/// addresses sets a third of the bits, a block of phone numbers half.
const HASH_BITS: u32 = 9;

/// Number of blocks per page: the bits of one cache line. A page fits into the L1 cache while it is filled.
const BLOCKS_PER_PAGE: usize = 512;

/// Maximum number of trigrams of the needle to check. Even among phone numbers, few blocks match this many by chance.
const MAX_NEEDLE_TRIGRAMS: usize = 12;

#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct BlockBits([u64; BLOCKS_PER_PAGE / 64]);

/// Trigrams of all blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct TrigramIndex {
    /// One row per hash, in pages, so that rows never move when pages are added.
    pages: Vec<Box<[BlockBits; 1 << HASH_BITS]>>,
}

impl TrigramIndex {
    /// Records the trigrams of a lower-case text that starts in this block.
    pub fn record(&mut self, block: usize, text: &[u8]) {
        let page = block / BLOCKS_PER_PAGE;
        while self.pages.len() <= page {
            self.pages.push(Box::new([BlockBits::default(); 1 << HASH_BITS]));
        }
        let (rows, word, bit) = (&mut self.pages[page], block % BLOCKS_PER_PAGE / 64, 1 << (block % 64));
        text.windows(TRIGRAM_BYTES).for_each(|trigram| rows[hash(trigram)].0[word] |= bit);
    }

    /// Blocks that may contain the needle, as ascending runs; `None` if the needle is too short.
    pub fn candidate_blocks(&self, needle: &[u8]) -> Option<Vec<Range<usize>>> {
        let mut hashes: Vec<usize> = needle.windows(TRIGRAM_BYTES).take(MAX_NEEDLE_TRIGRAMS).map(hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        let (first, others) = hashes.split_first()?;
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (page, rows) in self.pages.iter().enumerate() {
            let mut matching = rows[*first].0;
            for hash in others {
                matching.iter_mut().zip(rows[*hash].0).for_each(|(matching, row)| *matching &= row);
            }
            for (word, mut bits) in matching.into_iter().enumerate() {
                while bits != 0 {
                    let block = page * BLOCKS_PER_PAGE + word * 64 + bits.trailing_zeros() as usize;
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
        self.pages.capacity() * size_of::<usize>() + self.pages.len() * (size_of::<BlockBits>() << HASH_BITS)
    }
}

fn hash(trigram: &[u8]) -> usize {
    let trigram = trigram.iter().fold(0, |trigram, byte| trigram << 8 | u32::from(*byte));
    (trigram.wrapping_mul(0x9E37_79B1) >> (u32::BITS - HASH_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_runs_of_blocks_with_every_trigram() {
        let mut trigrams = TrigramIndex::default();
        for block in [3, 4, 6, 70, BLOCKS_PER_PAGE - 1, BLOCKS_PER_PAGE, 3 * BLOCKS_PER_PAGE + 9] {
            trigrams.record(block, b"some text");
        }
        trigrams.record(9, b"ome tom");
        trigrams.record(2 * BLOCKS_PER_PAGE, b"so");
        let runs = [
            3..5,
            6..7,
            70..71,
            BLOCKS_PER_PAGE - 1..BLOCKS_PER_PAGE + 1,
            3 * BLOCKS_PER_PAGE + 9..3 * BLOCKS_PER_PAGE + 10,
        ];
        assert_eq!(trigrams.candidate_blocks(b"me text"), Some(runs.to_vec()));
        assert_eq!(trigrams.candidate_blocks(b"some text, and more"), Some(Vec::new()));
        assert_eq!(trigrams.candidate_blocks(b"so"), None);
    }
}
