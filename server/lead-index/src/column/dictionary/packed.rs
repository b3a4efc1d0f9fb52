//! How a text stands in the arena: with A to Z in lower case, and after it a bit for each of its bytes where that changed it.

use std::borrow::Cow;

/// Where a text stands: from the lowest bit, whether it has capitals, 25 bits of length, 38 bits of place. So a column
/// may have 256 GiB, and a text 32 MiB, far more than a record may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text(u64);

impl Text {
    const LENGTH: u32 = 25;
    const PLACE: u32 = 38;

    pub fn new(start: usize, length: usize, capitals: bool) -> Self {
        assert!(length < 1 << Self::LENGTH && start < 1 << Self::PLACE, "expected texts that fit in a column");
        Self((start as u64) << (1 + Self::LENGTH) | (length as u64) << 1 | u64::from(capitals))
    }

    pub fn start(self) -> usize {
        (self.0 >> (1 + Self::LENGTH)) as usize
    }

    pub fn len(self) -> usize {
        (self.0 >> 1) as usize & ((1 << Self::LENGTH) - 1)
    }

    pub fn end(self) -> usize {
        self.start() + self.len()
    }

    pub fn has_capitals(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its length, with the bits of its capitals.
    pub fn held(self) -> usize {
        self.len() + if self.has_capitals() { self.len().div_ceil(8) } else { 0 }
    }
}

/// A text as the arena has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<'t> {
    /// What is held of it.
    pub bytes: &'t [u8],
    /// Its own length.
    pub length: usize,
    /// Whether the bits of its capitals are among the bytes.
    pub capitals: bool,
}

impl<'t> Packed<'t> {
    pub fn new(text: &'t [u8], scratch: &'t mut Vec<u8>) -> Self {
        let capitals = text.iter().any(u8::is_ascii_uppercase);
        if !capitals {
            return Self { bytes: text, length: text.len(), capitals };
        }
        scratch.clear();
        scratch.extend(text.iter().map(u8::to_ascii_lowercase));
        scratch.extend(text.chunks(8).map(|bytes| {
            let bits = bytes.iter().enumerate().map(|(place, byte)| u8::from(byte.is_ascii_uppercase()) << place);
            bits.fold(0, |all, bit| all | bit)
        }));
        Self { bytes: scratch, length: text.len(), capitals }
    }
}

/// Whether this is the text that is held there.
pub(super) fn is(arena: &[u8], held: Text, text: Packed<'_>) -> bool {
    held.len() == text.length
        && held.has_capitals() == text.capitals
        && arena[held.start()..held.start() + text.bytes.len()] == *text.bytes
}

/// The text as it was, capitals included.
pub(super) fn exact(arena: &[u8], text: Text) -> Cow<'_, [u8]> {
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
