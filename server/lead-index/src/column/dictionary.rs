//! Distinct texts, one after the other in one piece of memory, so that a search for a part of them reads it from end to
//! end.
//!
//! A text is kept with A to Z in lower case, as it is searched; where that changed it, a bit for each of its bytes
//! follows, which tells the capitals. A text that no slot has any more stays until the column is made anew.

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};
use leadscribe_engine::filter::predicate::TextMatch;
use memchr::memmem::Finder;

/// Texts with numbers, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    arena: Vec<u8>,
    texts: Vec<Text>,
    /// Numbers by the texts' hashes.
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

/// Where a text stands: from the lowest bit, whether it has capitals, 25 bits of length, 38 bits of place. So a column
/// may have 256 GiB, and a text 32 MiB, far more than a record may have.
#[derive(Clone, Copy, Debug)]
struct Text(u64);

impl Text {
    const LENGTH: u32 = 25;
    const PLACE: u32 = 38;

    fn new(start: usize, length: usize, capitals: bool) -> Self {
        assert!(length < 1 << Self::LENGTH && start < 1 << Self::PLACE, "expected texts that fit in a column");
        Self((start as u64) << (1 + Self::LENGTH) | (length as u64) << 1 | u64::from(capitals))
    }

    fn start(self) -> usize {
        (self.0 >> (1 + Self::LENGTH)) as usize
    }

    fn len(self) -> usize {
        (self.0 >> 1) as usize & ((1 << Self::LENGTH) - 1)
    }

    fn end(self) -> usize {
        self.start() + self.len()
    }

    fn has_capitals(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Dictionary {
    /// How many texts have a number; all numbers are below.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The number of a text.
    pub fn find(&self, text: &[u8]) -> Option<u32> {
        self.table.find(self.hasher.hash_one(text), |number| self.is(*number, text)).copied()
    }

    /// The number of a text, which has one from now on; and whether it is new.
    pub fn intern(&mut self, text: &[u8]) -> (u32, bool) {
        let hash = self.hasher.hash_one(text);
        if let Some(number) = self.table.find(hash, |number| self.is(*number, text)) {
            return (*number, false);
        }
        let number = u32::try_from(self.texts.len()).expect("fewer than 2^32 distinct texts");
        let capitals = text.iter().any(u8::is_ascii_uppercase);
        let needed = text.len() + if capitals { text.len().div_ceil(8) } else { 0 };
        if self.arena.capacity() - self.arena.len() < needed {
            // An eighth more, not twice as much: of a large column half would stand empty.
            self.arena.reserve_exact(needed.max(self.arena.len() / 8));
        }
        if self.texts.len() == self.texts.capacity() {
            self.texts.reserve_exact(4.max(self.texts.len() / 8));
        }
        self.texts.push(Text::new(self.arena.len(), text.len(), capitals));
        self.arena.extend(text.iter().map(u8::to_ascii_lowercase));
        if capitals {
            self.arena.extend(text.chunks(8).map(|bytes| {
                let bits = bytes.iter().enumerate().map(|(place, byte)| u8::from(byte.is_ascii_uppercase()) << place);
                bits.fold(0, |all, bit| all | bit)
            }));
        }
        let Self { arena, texts, table, hasher } = self;
        table.insert_unique(hash, number, |number| hasher.hash_one(&*exact(arena, texts[*number as usize])));
        (number, true)
    }

    /// The text of a number.
    pub fn text(&self, number: u32) -> Cow<'_, [u8]> {
        exact(&self.arena, self.texts[number as usize])
    }

    /// Calls `found` with the number of each text in which the part stands so, A to Z without case.
    pub fn search(&self, place: TextMatch, part: &str, mut found: impl FnMut(u32)) {
        let part = part.to_ascii_lowercase();
        let finder = Finder::new(&part);
        let (mut at, mut number) = (0, 0);
        while let Some(hit) = self.arena.get(at..).and_then(|rest| finder.find(rest)) {
            let hit = at + hit;
            number += self.steps_to(number, hit);
            let text = self.texts[number];
            let matches = match place {
                // Beyond the end stand the bits of the capitals, and the next text.
                TextMatch::Contains => hit + part.len() <= text.end(),
                TextMatch::StartsWith => hit == text.start() && part.len() <= text.len(),
                TextMatch::EndsWith => hit + part.len() == text.end(),
            };
            if matches {
                found(number as u32);
            }
            // Only the end of the same text can still be met after a hit elsewhere in it.
            let next = self.texts.get(number + 1).map_or(self.arena.len(), |next| next.start());
            at = if !matches && place == TextMatch::EndsWith { hit + 1 } else { next };
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.arena.capacity() + self.texts.capacity() * size_of::<Text>() + self.table.allocation_size()
    }

    /// Gives back what was reserved for more.
    pub fn shrink(&mut self) {
        let Self { arena, texts, table, hasher } = self;
        arena.shrink_to_fit();
        texts.shrink_to_fit();
        table.shrink_to_fit(|number| hasher.hash_one(&*exact(arena, texts[*number as usize])));
    }

    fn is(&self, number: u32, text: &[u8]) -> bool {
        let held = self.texts[number as usize];
        let folded = &self.arena[held.start()..held.end()];
        match held.has_capitals() {
            false => folded == text,
            true => folded.eq_ignore_ascii_case(text) && *exact(&self.arena, held) == *text,
        }
    }

    /// How many texts after this one the byte at `place` of the arena is; found in steps that double.
    fn steps_to(&self, number: usize, place: usize) -> usize {
        let texts = &self.texts[number..];
        let mut step = 1;
        while step < texts.len() && texts[step].start() <= place {
            step *= 2;
        }
        let start = step / 2;
        start + texts[start..texts.len().min(step)].partition_point(|text| text.start() <= place) - 1
    }
}

fn exact(arena: &[u8], text: Text) -> Cow<'_, [u8]> {
    let folded = &arena[text.start()..text.end()];
    if !text.has_capitals() {
        return Cow::Borrowed(folded);
    }
    let bits = &arena[text.end()..];
    let restored = folded.iter().enumerate().map(|(place, byte)| match bits[place / 8] >> (place % 8) & 1 {
        1 => byte.to_ascii_uppercase(),
        _ => *byte,
    });
    Cow::Owned(restored.collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
        fn texts_come_back_and_are_found_by_their_parts(
            texts in proptest::collection::vec("[aAbBéÉ]{0,20}", 1..60), part in "[aAbé]{1,4}",
        ) {
            let mut dictionary = Dictionary::default();
            let mut distinct: Vec<&String> = Vec::new();
            for text in &texts {
                let known = distinct.iter().position(|one| *one == text);
                let (number, new) = dictionary.intern(text.as_bytes());
                prop_assert_eq!((number as usize, new), (known.unwrap_or(distinct.len()), known.is_none()));
                distinct.extend(new.then_some(text));
            }
            for (number, text) in distinct.iter().enumerate() {
                prop_assert_eq!(&*dictionary.text(number as u32), text.as_bytes());
                prop_assert_eq!(dictionary.find(text.as_bytes()), Some(number as u32));
            }
            prop_assert_eq!(dictionary.find(b"another"), None);
            for place in [TextMatch::Contains, TextMatch::StartsWith, TextMatch::EndsWith] {
                let mut found = Vec::new();
                dictionary.search(place, &part, |number| found.push(number as usize));
                let expected = (0..distinct.len()).filter(|number| stands_in(place, &part, distinct[*number]));
                prop_assert!(found.iter().copied().eq(expected), "{:?}", place);
            }
        }
    }
}
