//! Substring search in large memory, based on two bytes of the needle that rarely occur at that distance.
//!
//! By default, the finder assumes byte frequencies of typical files. In a column of email addresses, the dot that it considers rare is
//! everywhere, and most time is lost on false candidates.

use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem::{Finder, FinderBuilder};

/// Number of bytes that are sampled for pairs: some fifty texts.
const SAMPLE: usize = 2048;

/// Number of leading needle bytes from which pairs are formed.
const HEAD: usize = 8;

/// Finder for this needle, which must not be empty, tuned to this memory.
pub(super) fn finder<'p>(part: &'p [u8], memory: &[u8]) -> Finder<'p> {
    let middle = &memory[memory.len() / 2..];
    let sample = &middle[..middle.len().min(SAMPLE)];
    let head = &part[..part.len().min(HEAD)];
    // The finder uses the first occurrence of each byte.
    let bytes: Vec<(usize, u8)> =
        head.iter().copied().enumerate().filter(|(place, byte)| !head[..*place].contains(byte)).collect();
    let pairs = bytes.iter().enumerate().flat_map(|(at, one)| bytes[at + 1..].iter().map(move |other| (*one, *other)));
    let rarest = pairs.min_by_key(|((place, byte), (other_place, other))| {
        let both = sample.iter().zip(sample.iter().skip(other_place - place));
        both.filter(|(one, two)| *one == byte && *two == other).count()
    });
    match rarest {
        Some(((_, one), (_, other))) => FinderBuilder::new().build_forward_with_ranker(Pair(one, other), part),
        None => Finder::new(part),
    }
}

/// Bytes to search for.
struct Pair(u8, u8);

impl HeuristicFrequencyRank for Pair {
    fn rank(&self, byte: u8) -> u8 {
        if byte == self.0 || byte == self.1 { 0 } else { u8::MAX }
    }
}
