//! Dictionary of distinct texts, adjacent in one memory area that substring searches scan from end to end.
//!
//! Texts are stored in ASCII lower case for the search. If that changed a text, a bit for each of its bytes follows
//! that marks the capitals. A text that no slot has anymore stays until the column is rebuilt.

mod finder;
mod packed;
mod search;
mod sort;
mod trigrams;

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};

use packed::{PackedText, TextLocation, equals, unpack};
use sort::SortedNumbers;
use trigrams::TrigramIndex;

/// Block size of a dictionary's memory, and the size from which trigrams are used.
#[derive(Clone, Copy, Debug)]
struct BlockConfig {
    /// Base-2 logarithm of the number of bytes per block.
    block_bits: u32,
    /// Minimum number of arena bytes for trigrams.
    min_trigram_bytes: usize,
}

impl Default for BlockConfig {
    fn default() -> Self {
        // A block contains about a dozen addresses. Searching a megabyte takes a tenth of a millisecond.
        Self { block_bits: 9, min_trigram_bytes: 1 << 20 }
    }
}

/// Number of distinct texts above which the table no longer fits into the L1 cache. From there on, finding duplicates only when sorting may
/// be faster.
const DEDUPLICATION_LIMIT: usize = 1 << 16;

/// Numbered texts, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    arena: Vec<u8>,
    texts: Vec<TextLocation>,
    block_config: BlockConfig,
    /// Number of the text at the start of each block of the arena.
    block_starts: Vec<u32>,
    /// Trigrams of the texts in each block. Only if the arena is large enough, and not while building.
    trigrams: Option<TrigramIndex>,
    /// Text numbers by hash.
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Hashes of the texts while building, so that the table can be built without reading the texts.
    hashes: Vec<u32>,
    /// Number of texts added, including duplicates.
    added_count: usize,
    scratch: Vec<u8>,
}

/// Result of finishing a dictionary.
#[derive(Debug)]
pub(super) struct FinishedOrder {
    /// All numbers, in the order of their texts.
    pub order: Vec<u32>,
    /// New number of each text by its old number, if duplicates had different numbers.
    pub new_numbers: Option<Vec<u32>>,
}

impl Dictionary {
    /// Number of texts; every text number is below it.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Number of a text.
    pub fn find(&self, text: &[u8]) -> Option<u32> {
        let mut scratch = Vec::new();
        let packed = PackedText::new(text, &mut scratch);
        let hash = hash_packed(&self.hasher, packed.bytes);
        self.table.find(spread(hash), |number| equals(&self.arena, self.texts[*number as usize], packed)).copied()
    }

    /// Returns the number of a text, after adding it if necessary, and whether it is new.
    pub fn intern(&mut self, text: &[u8]) -> (u32, bool) {
        self.find_or_add(text, false)
    }

    /// Returns the number of a text, after adding it if necessary. Only while building: until [`Self::finish`], duplicates may get
    /// different numbers if most texts are distinct.
    pub fn add(&mut self, text: &[u8]) -> u32 {
        self.added_count += 1;
        if self.texts.len() >= DEDUPLICATION_LIMIT && self.texts.len() > self.added_count / 4 * 3 {
            return self.add_distinct(text);
        }
        self.find_or_add(text, true).0
    }

    /// Adds a text that is assumed to be new. Only while building.
    pub fn add_distinct(&mut self, text: &[u8]) -> u32 {
        let Self { arena, texts, hasher, hashes, scratch, .. } = self;
        let packed = PackedText::new(text, scratch);
        hashes.push(hash_packed(hasher, packed.bytes));
        push(arena, texts, packed)
    }

    pub fn text(&self, number: u32) -> Cow<'_, [u8]> {
        unpack(&self.arena, self.texts[number as usize])
    }

    /// Memory use in bytes.
    pub fn bytes(&self) -> usize {
        let numbers = self.block_starts.capacity() + self.hashes.capacity();
        let texts = self.texts.capacity() * size_of::<TextLocation>();
        let trigram_bytes = self.trigrams.as_ref().map_or(0, TrigramIndex::bytes);
        self.arena.capacity() + texts + numbers * size_of::<u32>() + self.table.allocation_size() + trigram_bytes
    }

    /// Eight bytes of a text from `offset`, as a number that sorts like the bytes, and the length of the text from there. `offset` is a
    /// multiple of eight.
    pub fn word(&self, number: u32, offset: usize) -> (u64, usize) {
        let text = self.texts[number as usize];
        let rest_len = text.len().saturating_sub(offset);
        let start = text.start() + offset;
        let mut word = match self.arena.get(start..start + 8) {
            Some(bytes) => u64::from_be_bytes(bytes.try_into().expect("eight bytes")),
            None => self.arena[start..]
                .iter()
                .zip((0..64).step_by(8).rev())
                .fold(0, |word, (byte, bits)| word | u64::from(*byte) << bits),
        };
        if rest_len < 8 {
            word &= u64::MAX.checked_shl(64 - 8 * rest_len as u32).unwrap_or(0);
        }
        if text.has_capitals() {
            let capitals = self.arena[text.end() + offset / 8];
            let bits = (0..8).filter(|index| capitals >> index & 1 == 1).map(|index| 0x20 << (56 - 8 * index));
            word &= !bits.fold(0, |mask: u64, bit: u64| mask | bit);
        }
        (word, rest_len)
    }

    /// Completes the dictionary after all texts were added, and frees unused capacity.
    pub fn finish(&mut self) -> FinishedOrder {
        let SortedNumbers { mut numbers, duplicates } = sort::sort(self);
        let new_numbers = (!duplicates.is_empty()).then(|| self.merge(&mut numbers, &duplicates));
        let Self { arena, texts, block_config, block_starts, table, hasher, hashes, .. } = self;
        arena.shrink_to_fit();
        texts.shrink_to_fit();
        (0..).zip(texts.iter()).for_each(|(number, text)| {
            record_block_starts(block_starts, *block_config, text.start() + text.stored_len(), number)
        });
        block_starts.shrink_to_fit();
        if table.len() == texts.len() {
            table.shrink_to_fit(|number| table_hash(arena, texts, hasher, hashes, *number));
        } else {
            *table = HashTable::with_capacity(texts.len());
            for (number, hash) in (0..).zip(hashes.iter()) {
                table.insert_unique(spread(*hash), number, |number| table_hash(arena, texts, hasher, hashes, *number));
            }
        }
        *hashes = Vec::new();
        self.record_trigrams();
        FinishedOrder { order: numbers, new_numbers }
    }

    /// Merges duplicates into one number and removes the others from the order. Returns the new number of each text by its old number.
    fn merge(&mut self, order: &mut Vec<u32>, duplicates: &[Range<usize>]) -> Vec<u32> {
        let mut new_numbers: Vec<u32> = (0..self.texts.len() as u32).collect();
        for range in duplicates {
            order[range.clone()].iter().for_each(|number| new_numbers[*number as usize] = order[range.start]);
        }
        order.retain(|number| new_numbers[*number as usize] == *number);
        let (mut next_number, mut end) = (0, 0);
        for number in 0..new_numbers.len() {
            let first = new_numbers[number] as usize;
            if first < number {
                new_numbers[number] = new_numbers[first];
                continue;
            }
            let text = self.texts[number];
            self.arena.copy_within(text.start()..text.start() + text.stored_len(), end);
            self.texts[next_number] = TextLocation::new(end, text.len(), text.has_capitals());
            self.hashes[next_number] = self.hashes[number];
            new_numbers[number] = next_number as u32;
            (next_number, end) = (next_number + 1, end + text.stored_len());
        }
        self.arena.truncate(end);
        self.texts.truncate(next_number);
        self.hashes.truncate(next_number);
        self.table.clear();
        order.iter_mut().for_each(|number| *number = new_numbers[*number as usize]);
        new_numbers
    }

    fn find_or_add(&mut self, text: &[u8], is_building: bool) -> (u32, bool) {
        let Self { arena, texts, block_config, block_starts, table, hasher, hashes, scratch, .. } = self;
        let packed = PackedText::new(text, scratch);
        let hash = hash_packed(hasher, packed.bytes);
        if let Some(number) = table.find(spread(hash), |number| equals(arena, texts[*number as usize], packed)) {
            return (*number, false);
        }
        let number = push(arena, texts, packed);
        if is_building {
            hashes.push(hash);
        } else {
            record_block_starts(block_starts, *block_config, arena.len(), number);
        }
        table.insert_unique(spread(hash), number, |number| table_hash(arena, texts, hasher, hashes, *number));
        if !is_building {
            self.record_trigrams();
        }
        (number, true)
    }

    /// Records the trigrams of the last text, or of all texts when the arena reaches the minimum size.
    fn record_trigrams(&mut self) {
        let Self { arena, texts, block_config, trigrams, .. } = self;
        let record = |trigrams: &mut TrigramIndex, text: &TextLocation| {
            trigrams.record(text.start() >> block_config.block_bits, &arena[text.start()..text.end()]);
        };
        match trigrams {
            Some(trigrams) => texts.last().into_iter().for_each(|text| record(trigrams, text)),
            None if arena.len() < block_config.min_trigram_bytes => {}
            None => {
                let trigrams = trigrams.insert(TrigramIndex::default());
                texts.iter().for_each(|text| record(trigrams, text));
            }
        }
    }
}

/// Appends a text and returns its number.
fn push(arena: &mut Vec<u8>, texts: &mut Vec<TextLocation>, packed: PackedText<'_>) -> u32 {
    let number = u32::try_from(texts.len()).expect("fewer than 2^32 distinct texts");
    if arena.capacity() - arena.len() < packed.bytes.len() {
        // Grows by an eighth instead of doubling: half of a large column would be unused.
        arena.reserve_exact(packed.bytes.len().max(arena.len() / 8));
    }
    if texts.len() == texts.capacity() {
        texts.reserve_exact(4.max(texts.len() / 8));
    }
    texts.push(TextLocation::new(arena.len(), packed.text_len, packed.has_capitals));
    arena.extend_from_slice(packed.bytes);
    number
}

/// Records the number of a text, which ends at `text_end`, for each block that starts within it.
fn record_block_starts(block_starts: &mut Vec<u32>, block_config: BlockConfig, text_end: usize, number: u32) {
    while block_starts.len() << block_config.block_bits < text_end {
        block_starts.push(number);
    }
}

fn hash_packed(hasher: &DefaultHashBuilder, packed: &[u8]) -> u32 {
    hasher.hash_one(packed) as u32
}

/// Spreads a hash over the bits that the table uses: the lowest and the highest.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

fn table_hash(arena: &[u8], texts: &[TextLocation], hasher: &DefaultHashBuilder, hashes: &[u32], number: u32) -> u64 {
    spread(hashes.get(number as usize).copied().unwrap_or_else(|| {
        let text = texts[number as usize];
        hash_packed(hasher, &arena[text.start()..text.start() + text.stored_len()])
    }))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::filter::predicate::TextMatch;
    use proptest::prelude::*;

    use super::*;

    /// Returns the number of a text in this list, after adding it if necessary, and whether it is new.
    fn find_or_push<'t>(text: &'t str, texts: &mut Vec<&'t str>) -> (usize, bool) {
        let position = texts.iter().position(|known_text| *known_text == text);
        texts.extend(position.is_none().then_some(text));
        (position.unwrap_or(texts.len() - 1), position.is_none())
    }

    fn matches(mode: TextMatch, needle: &str, text: &str) -> bool {
        let (needle, text) = (needle.to_ascii_lowercase(), text.to_ascii_lowercase());
        match mode {
            TextMatch::Contains => text.contains(&needle),
            TextMatch::StartsWith => text.starts_with(&needle),
            TextMatch::EndsWith => text.ends_with(&needle),
        }
    }

    proptest! {
        #[test]
        fn texts_round_trip_and_are_found_by_substring(
            texts in proptest::collection::vec("[aAbBéÉ]{0,20}", 1..60), part in "[aAbé]{1,9}",
            (added_count, detects_duplicates) in (0_usize..60, any::<bool>()),
            (block_bits, min_trigram_bytes) in (1_u32..6, prop_oneof![Just(0), 1_usize..400, Just(usize::MAX)]),
        ) {
            let mut dictionary = Dictionary { block_config: BlockConfig { block_bits, min_trigram_bytes }, ..Dictionary::default() };
            let mut distinct: Vec<&str> = Vec::new();
            let (added, interned) = texts.split_at(added_count.min(texts.len()));
            let add = |text: &String| match detects_duplicates {
                true => dictionary.add(text.as_bytes()),
                false => dictionary.add_distinct(text.as_bytes()),
            };
            let numbers: Vec<u32> = added.iter().map(add).collect();
            let FinishedOrder { order, new_numbers } = dictionary.finish();
            for (text, number) in added.iter().zip(numbers) {
                let number = new_numbers.as_ref().map_or(number, |new_numbers| new_numbers[number as usize]);
                prop_assert_eq!(number as usize, find_or_push(text, &mut distinct).0);
            }
            prop_assert!(order.iter().map(|number| distinct[*number as usize]).is_sorted_by(|one, next| one < next));
            prop_assert_eq!((order.len(), dictionary.len()), (distinct.len(), distinct.len()));
            for text in interned {
                let (number, is_new) = dictionary.intern(text.as_bytes());
                prop_assert_eq!((number as usize, is_new), find_or_push(text, &mut distinct));
            }
            for (number, text) in distinct.iter().enumerate() {
                prop_assert_eq!(&*dictionary.text(number as u32), text.as_bytes());
                prop_assert_eq!(dictionary.find(text.as_bytes()), Some(number as u32));
            }
            prop_assert_eq!(dictionary.find(b"another"), None);
            for text_match in [TextMatch::Contains, TextMatch::StartsWith, TextMatch::EndsWith] {
                let expected = (0..distinct.len()).filter(|number| matches(text_match, &part, distinct[*number]));
                let result = dictionary.search(text_match, &part);
                prop_assert!(result.iter().map(|number| *number as usize).eq(expected), "{:?}", text_match);
            }
        }
    }

    #[test]
    fn substring_search_works_with_and_without_trigrams() {
        let mut dictionary = Dictionary::default();
        let text = |number: u32| {
            format!("{}text {number}, {}", if number.is_multiple_of(3) { "A " } else { "" }, number % 977)
        };
        let mut texts: Vec<String> = Vec::new();
        for text_count in [20_000, 90_000, 100_000] {
            while texts.len() < text_count {
                texts.push(text(texts.len() as u32));
                dictionary.intern(texts[texts.len() - 1].as_bytes());
            }
            for needle in ["99", "123", "A Text 777", "4, 4", "text 89999,", "nothing", "text"] {
                for mode in [TextMatch::Contains, TextMatch::StartsWith, TextMatch::EndsWith] {
                    let expected = (0..).zip(&texts).filter(|(_, text)| matches(mode, needle, text));
                    let matches = dictionary.search(mode, needle);
                    assert!(matches.into_iter().eq(expected.map(|(number, _): (u32, _)| number)), "{needle} {mode:?}");
                }
            }
            assert_eq!(dictionary.trigrams.is_some(), text_count > 20_000);
        }
    }
}
