//! Encoding of a text in the arena: in ASCII lower case, followed by a bit for each of its bytes if that changed it.

use std::borrow::Cow;

/// Location of a text. From the lowest bit: whether it has capitals, 25 bits of length, 38 bits of position. This allows 256 GiB per column
/// and 32 MiB per text, far more than a record may have.
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

    /// Stored length, including the bits for capitals.
    pub fn held(self) -> usize {
        self.len() + if self.has_capitals() { self.len().div_ceil(8) } else { 0 }
    }
}

/// A text in its stored form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<'t> {
    /// Stored bytes.
    pub bytes: &'t [u8],
    /// Length of the text itself.
    pub length: usize,
    /// True if the bytes include bits for capitals.
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

/// True if the stored text equals this text.
pub(super) fn is(arena: &[u8], held: Text, text: Packed<'_>) -> bool {
    held.len() == text.length
        && held.has_capitals() == text.capitals
        && arena[held.start()..held.start() + text.bytes.len()] == *text.bytes
}

/// Original text, with capitals.
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
