//! Substring search in large memory, based on two bytes of the needle that rarely occur at that distance.
//!
//! By default, the finder assumes byte frequencies of typical files. In a column of email addresses, the dot that it considers rare is
//! everywhere, and most time is lost on false candidates.

use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem::{Finder, FinderBuilder};

/// Number of bytes that are sampled for pairs: some fifty texts.
const SAMPLE_BYTES: usize = 2048;

/// Number of leading needle bytes from which pairs are formed.
const MAX_HEAD_BYTES: usize = 8;

/// Finder for this needle, which must not be empty, tuned to this memory.
pub(super) fn build_finder<'p>(needle: &'p [u8], memory: &[u8]) -> Finder<'p> {
    let middle = &memory[memory.len() / 2..];
    let sample = &middle[..middle.len().min(SAMPLE_BYTES)];
    let head = &needle[..needle.len().min(MAX_HEAD_BYTES)];
    // The finder uses the first occurrence of each byte.
    let bytes: Vec<(usize, u8)> =
        head.iter().copied().enumerate().filter(|(position, byte)| !head[..*position].contains(byte)).collect();
    let pairs = bytes
        .iter()
        .enumerate()
        .flat_map(|(index, first)| bytes[index + 1..].iter().map(move |second| (*first, *second)));
    let rarest = pairs.min_by_key(|((position, byte), (other_position, second))| {
        let byte_pairs = sample.iter().zip(sample.iter().skip(other_position - position));
        byte_pairs.filter(|(first, next)| *first == byte && *next == second).count()
    });
    match rarest {
        Some(((_, first), (_, second))) => {
            FinderBuilder::new().build_forward_with_ranker(RareBytes(first, second), needle)
        }
        None => Finder::new(needle),
    }
}

/// Bytes to search for.
struct RareBytes(u8, u8);

impl HeuristicFrequencyRank for RareBytes {
    fn rank(&self, byte: u8) -> u8 {
        if byte == self.0 || byte == self.1 { 0 } else { u8::MAX }
    }
}
