//! Dictionary of distinct texts, adjacent in one memory area that substring searches scan from end to end.
//!
//! Texts are stored in ASCII lower case for the search. If that changed a text, a bit for each of its bytes follows that marks the
//! capitals. A text that no slot has any more stays until the column is rebuilt.

mod finder;
mod grams;
mod packed;
mod search;

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::sort::{self, Order};
use grams::Grams;
use packed::{Packed, Text, exact, is};

/// Block size of a dictionary's memory, and the size from which grams are used.
#[derive(Clone, Copy, Debug)]
struct Division {
    /// Base-2 logarithm of the number of bytes per block.
    block: u32,
    /// Minimum number of arena bytes for grams.
    grams: usize,
}

impl Default for Division {
    fn default() -> Self {
        // A block contains about a dozen addresses. Searching a megabyte takes a tenth of a millisecond.
        Self { block: 9, grams: 1 << 20 }
    }
}

/// Number of distinct texts from which, while building, it may be faster not to detect duplicates: the table no longer fits into the L1
/// cache.
const MANY: usize = 1 << 16;

/// Numbered texts, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    arena: Vec<u8>,
    texts: Vec<Text>,
    division: Division,
    /// Number of the text at the start of each block of the arena.
    marks: Vec<u32>,
    /// Grams of the texts in each block. Only if the arena is large enough, and not while building.
    grams: Option<Grams>,
    /// Text numbers by hash.
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Hashes of the texts while building, so that the table can be built without reading the texts.
    hashes: Vec<u32>,
    /// Number of texts added, including duplicates.
    made: usize,
    scratch: Vec<u8>,
}

/// Result of finishing a dictionary.
#[derive(Debug)]
pub(super) struct Finished {
    /// All numbers, in the order of their texts.
    pub order: Vec<u32>,
    /// New number of each text by its old number, if duplicates had different numbers.
    pub renumbered: Option<Vec<u32>>,
}

impl Dictionary {
    /// Number of numbered texts; all numbers are below.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Number of a text.
    pub fn find(&self, text: &[u8]) -> Option<u32> {
        let mut scratch = Vec::new();
        let packed = Packed::new(text, &mut scratch);
        let hash = hash(&self.hasher, packed.bytes);
        self.table.find(spread(hash), |number| is(&self.arena, self.texts[*number as usize], packed)).copied()
    }

    /// Returns the number of a text, after adding it if necessary, and whether it is new.
    pub fn intern(&mut self, text: &[u8]) -> (u32, bool) {
        self.number_of(text, false)
    }

    /// Returns the number of a text, after adding it if necessary. Only while building: until [`Self::finish`], duplicates may get
    /// different numbers if most texts are distinct.
    pub fn make(&mut self, text: &[u8]) -> u32 {
        self.made += 1;
        if self.texts.len() >= MANY && self.texts.len() > self.made / 4 * 3 {
            return self.make_another(text);
        }
        self.number_of(text, true).0
    }

    /// Adds a text that is assumed to be new. Only while building.
    pub fn make_another(&mut self, text: &[u8]) -> u32 {
        let Self { arena, texts, hasher, hashes, scratch, .. } = self;
        let packed = Packed::new(text, scratch);
        hashes.push(hash(hasher, packed.bytes));
        push(arena, texts, packed)
    }

    /// Text of a number.
    pub fn text(&self, number: u32) -> Cow<'_, [u8]> {
        exact(&self.arena, self.texts[number as usize])
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let numbers = self.marks.capacity() + self.hashes.capacity();
        let texts = self.texts.capacity() * size_of::<Text>();
        let grams = self.grams.as_ref().map_or(0, Grams::bytes);
        self.arena.capacity() + texts + numbers * size_of::<u32>() + self.table.allocation_size() + grams
    }

    /// Eight bytes of a text from `at`, a multiple of eight, as a number that sorts like them, and the length of the text from there.
    pub fn word(&self, number: u32, at: usize) -> (u64, usize) {
        let text = self.texts[number as usize];
        let rest = text.len().saturating_sub(at);
        let start = text.start() + at;
        let mut word = match self.arena.get(start..start + 8) {
            Some(eight) => u64::from_be_bytes(eight.try_into().expect("eight bytes")),
            None => self.arena[start..]
                .iter()
                .zip((0..64).step_by(8).rev())
                .fold(0, |word, (byte, bits)| word | u64::from(*byte) << bits),
        };
        if rest < 8 {
            word &= u64::MAX.checked_shl(64 - 8 * rest as u32).unwrap_or(0);
        }
        if text.has_capitals() {
            let capitals = self.arena[text.end() + at / 8];
            let bits = (0..8).filter(|place| capitals >> place & 1 == 1).map(|place| 0x20 << (56 - 8 * place));
            word &= !bits.fold(0, |all: u64, bit: u64| all | bit);
        }
        (word, rest)
    }

    /// Completes the dictionary after all texts were added, and frees unused capacity.
    pub fn finish(&mut self) -> Finished {
        let Order { mut numbers, equal } = sort::sort(self);
        let renumbered = (!equal.is_empty()).then(|| self.merge(&mut numbers, &equal));
        let Self { arena, texts, division, marks, table, hasher, hashes, .. } = self;
        arena.shrink_to_fit();
        texts.shrink_to_fit();
        (0..).zip(texts.iter()).for_each(|(number, text)| mark(marks, *division, text.start() + text.held(), number));
        marks.shrink_to_fit();
        if table.len() == texts.len() {
            table.shrink_to_fit(|number| hash_of(arena, texts, hasher, hashes, *number));
        } else {
            *table = HashTable::with_capacity(texts.len());
            for (number, hash) in (0..).zip(hashes.iter()) {
                table.insert_unique(spread(*hash), number, |number| hash_of(arena, texts, hasher, hashes, *number));
            }
        }
        *hashes = Vec::new();
        self.note_grams();
        Finished { order: numbers, renumbered }
    }

    /// Merges duplicates into one number and removes the others from the order. Returns the new number of each text by its old number.
    fn merge(&mut self, order: &mut Vec<u32>, equal: &[Range<usize>]) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..self.texts.len() as u32).collect();
        for alike in equal {
            order[alike.clone()].iter().for_each(|number| numbers[*number as usize] = order[alike.start]);
        }
        order.retain(|number| numbers[*number as usize] == *number);
        let (mut kept, mut end) = (0, 0);
        for number in 0..numbers.len() {
            let first = numbers[number] as usize;
            if first < number {
                numbers[number] = numbers[first];
                continue;
            }
            let text = self.texts[number];
            self.arena.copy_within(text.start()..text.start() + text.held(), end);
            self.texts[kept] = Text::new(end, text.len(), text.has_capitals());
            self.hashes[kept] = self.hashes[number];
            numbers[number] = kept as u32;
            (kept, end) = (kept + 1, end + text.held());
        }
        self.arena.truncate(end);
        self.texts.truncate(kept);
        self.hashes.truncate(kept);
        self.table.clear();
        order.iter_mut().for_each(|number| *number = numbers[*number as usize]);
        numbers
    }

    fn number_of(&mut self, text: &[u8], making: bool) -> (u32, bool) {
        let Self { arena, texts, division, marks, table, hasher, hashes, scratch, .. } = self;
        let packed = Packed::new(text, scratch);
        let hash = hash(hasher, packed.bytes);
        if let Some(number) = table.find(spread(hash), |number| is(arena, texts[*number as usize], packed)) {
            return (*number, false);
        }
        let number = push(arena, texts, packed);
        if making {
            hashes.push(hash);
        } else {
            mark(marks, *division, arena.len(), number);
        }
        table.insert_unique(spread(hash), number, |number| hash_of(arena, texts, hasher, hashes, *number));
        if !making {
            self.note_grams();
        }
        (number, true)
    }

    /// Records the grams of the last text, or of all texts when the arena reaches the minimum size.
    fn note_grams(&mut self) {
        let Self { arena, texts, division, grams, .. } = self;
        let note = |grams: &mut Grams, text: &Text| {
            grams.note(text.start() >> division.block, &arena[text.start()..text.end()]);
        };
        match grams {
            Some(grams) => texts.last().into_iter().for_each(|text| note(grams, text)),
            None if arena.len() < division.grams => {}
            None => {
                let grams = grams.insert(Grams::default());
                texts.iter().for_each(|text| note(grams, text));
            }
        }
    }
}

/// Appends a text and returns its number.
fn push(arena: &mut Vec<u8>, texts: &mut Vec<Text>, packed: Packed<'_>) -> u32 {
    let number = u32::try_from(texts.len()).expect("fewer than 2^32 distinct texts");
    if arena.capacity() - arena.len() < packed.bytes.len() {
        // Grows by an eighth instead of doubling: half of a large column would be unused.
        arena.reserve_exact(packed.bytes.len().max(arena.len() / 8));
    }
    if texts.len() == texts.capacity() {
        texts.reserve_exact(4.max(texts.len() / 8));
    }
    texts.push(Text::new(arena.len(), packed.length, packed.capitals));
    arena.extend_from_slice(packed.bytes);
    number
}

/// Records the number of the last text, which ends the arena.
fn mark(marks: &mut Vec<u32>, division: Division, end: usize, number: u32) {
    while marks.len() << division.block < end {
        marks.push(number);
    }
}

fn hash(hasher: &DefaultHashBuilder, packed: &[u8]) -> u32 {
    hasher.hash_one(packed) as u32
}

/// Spreads a hash over the bits that the table uses: the lowest and the highest.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

fn hash_of(arena: &[u8], texts: &[Text], hasher: &DefaultHashBuilder, hashes: &[u32], number: u32) -> u64 {
    spread(hashes.get(number as usize).copied().unwrap_or_else(|| {
        let text = texts[number as usize];
        hash(hasher, &arena[text.start()..text.start() + text.held()])
    }))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::predicate::TextMatch;
    use proptest::prelude::*;

    use super::*;

    /// Returns the number of a text in this list, after adding it if necessary, and whether it is new.
    fn number_in<'t>(text: &'t str, distinct: &mut Vec<&'t str>) -> (usize, bool) {
        let known = distinct.iter().position(|one| *one == text);
        distinct.extend(known.is_none().then_some(text));
        (known.unwrap_or(distinct.len() - 1), known.is_none())
    }

    fn stands_in(place: TextMatch, part: &str, text: &str) -> bool {
        let (part, text) = (part.to_ascii_lowercase(), text.to_ascii_lowercase());
        match place {
            TextMatch::Contains => text.contains(&part),
            TextMatch::StartsWith => text.starts_with(&part),
            TextMatch::EndsWith => text.ends_with(&part),
        }
    }

    proptest! {
        #[test]
        fn texts_round_trip_and_are_found_by_substring(
            texts in proptest::collection::vec("[aAbBéÉ]{0,20}", 1..60), part in "[aAbé]{1,9}",
            (made, looked_for) in (0_usize..60, any::<bool>()),
            (block, grams) in (1_u32..6, prop_oneof![Just(0), 1_usize..400, Just(usize::MAX)]),
        ) {
            let mut dictionary = Dictionary { division: Division { block, grams }, ..Dictionary::default() };
            let mut distinct: Vec<&str> = Vec::new();
            let (made, interned) = texts.split_at(made.min(texts.len()));
            let make = |text: &String| match looked_for {
                true => dictionary.make(text.as_bytes()),
                false => dictionary.make_another(text.as_bytes()),
            };
            let numbers: Vec<u32> = made.iter().map(make).collect();
            let Finished { order, renumbered } = dictionary.finish();
            for (text, number) in made.iter().zip(numbers) {
                let number = renumbered.as_ref().map_or(number, |renumbered| renumbered[number as usize]);
                prop_assert_eq!(number as usize, number_in(text, &mut distinct).0);
            }
            prop_assert!(order.iter().map(|number| distinct[*number as usize]).is_sorted_by(|one, next| one < next));
            prop_assert_eq!((order.len(), dictionary.len()), (distinct.len(), distinct.len()));
            for text in interned {
                let (number, new) = dictionary.intern(text.as_bytes());
                prop_assert_eq!((number as usize, new), number_in(text, &mut distinct));
            }
            for (number, text) in distinct.iter().enumerate() {
                prop_assert_eq!(&*dictionary.text(number as u32), text.as_bytes());
                prop_assert_eq!(dictionary.find(text.as_bytes()), Some(number as u32));
            }
            prop_assert_eq!(dictionary.find(b"another"), None);
            for place in [TextMatch::Contains, TextMatch::StartsWith, TextMatch::EndsWith] {
                let expected = (0..distinct.len()).filter(|number| stands_in(place, &part, distinct[*number]));
                let found = dictionary.search(place, &part);
                prop_assert!(found.iter().map(|number| *number as usize).eq(expected), "{:?}", place);
            }
        }
    }

    #[test]
    fn substring_search_works_with_and_without_grams() {
        let mut dictionary = Dictionary::default();
        let text = |number: u32| {
            format!("{}text {number}, {}", if number.is_multiple_of(3) { "A " } else { "" }, number % 977)
        };
        let mut texts: Vec<String> = Vec::new();
        for finished in [20_000, 90_000, 100_000] {
            while texts.len() < finished {
                texts.push(text(texts.len() as u32));
                dictionary.intern(texts[texts.len() - 1].as_bytes());
            }
            for part in ["99", "123", "A Text 777", "4, 4", "text 89999,", "nothing", "text"] {
                for place in [TextMatch::Contains, TextMatch::StartsWith, TextMatch::EndsWith] {
                    let expected = (0..).zip(&texts).filter(|(_, text)| stands_in(place, part, text));
                    let found = dictionary.search(place, part);
                    assert!(found.into_iter().eq(expected.map(|(number, _): (u32, _)| number)), "{part} {place:?}");
                }
            }
            assert_eq!(dictionary.grams.is_some(), finished > 20_000);
        }
    }
}
