//! How a part is looked for in much memory: by two of its bytes that rarely stand so far apart there.
//!
//! Left to itself the finder judges bytes by how rare they are in all kinds of files. In a column of addresses the dot it
//! takes for rare stands everywhere, and most of the time goes into places that only look like the part.

use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem::{Finder, FinderBuilder};

/// Bytes of the memory in which pairs are counted: some fifty texts.
const SAMPLE: usize = 2048;

/// First bytes of a part of which pairs are made.
const HEAD: usize = 8;

/// A finder of this part, which isn't empty, in this memory.
pub(super) fn finder<'p>(part: &'p [u8], memory: &[u8]) -> Finder<'p> {
    let middle = &memory[memory.len() / 2..];
    let sample = &middle[..middle.len().min(SAMPLE)];
    let head = &part[..part.len().min(HEAD)];
    // The finder takes each byte where it first stands.
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

/// The bytes to look for.
struct Pair(u8, u8);

impl HeuristicFrequencyRank for Pair {
    fn rank(&self, byte: u8) -> u8 {
        if byte == self.0 || byte == self.1 { 0 } else { u8::MAX }
    }
}
