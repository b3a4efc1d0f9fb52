//! Encoding of a text in the arena: ASCII lower case, then one bit per byte that marks capitals. A text without capitals has no bits.

use std::borrow::Cow;

/// Location of a text. From the lowest bit: a flag for capitals, 25 bits of length, 38 bits of position. This allows 256 GiB per column
/// and 32 MiB per text, far more than a record may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextLocation(u64);

impl TextLocation {
    const LENGTH_BITS: u32 = 25;
    const POSITION_BITS: u32 = 38;

    pub fn new(start: usize, length: usize, has_capitals: bool) -> Self {
        assert!(length < 1 << Self::LENGTH_BITS && start < 1 << Self::POSITION_BITS, "text or column is too large");
        Self((start as u64) << (1 + Self::LENGTH_BITS) | (length as u64) << 1 | u64::from(has_capitals))
    }

    pub fn start(self) -> usize {
        (self.0 >> (1 + Self::LENGTH_BITS)) as usize
    }

    pub fn len(self) -> usize {
        (self.0 >> 1) as usize & ((1 << Self::LENGTH_BITS) - 1)
    }

    pub fn end(self) -> usize {
        self.start() + self.len()
    }

    pub fn has_capitals(self) -> bool {
        self.0 & 1 == 1
    }

    /// Stored length, including the bits for capitals.
    pub fn stored_len(self) -> usize {
        self.len() + if self.has_capitals() { self.len().div_ceil(8) } else { 0 }
    }
}

/// A text in its stored form.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedText<'t> {
    /// Stored bytes.
    pub bytes: &'t [u8],
    /// Length of the text itself.
    pub text_len: usize,
    /// True if the bytes include bits for capitals.
    pub has_capitals: bool,
}

impl<'t> PackedText<'t> {
    pub fn new(text: &'t [u8], scratch: &'t mut Vec<u8>) -> Self {
        let has_capitals = text.iter().any(u8::is_ascii_uppercase);
        if !has_capitals {
            return Self { bytes: text, text_len: text.len(), has_capitals };
        }
        scratch.clear();
        scratch.extend(text.iter().map(u8::to_ascii_lowercase));
        scratch.extend(text.chunks(8).map(|bytes| {
            let bits = bytes.iter().enumerate().map(|(index, byte)| u8::from(byte.is_ascii_uppercase()) << index);
            bits.fold(0, |byte, bit| byte | bit)
        }));
        Self { bytes: scratch, text_len: text.len(), has_capitals }
    }
}

/// True if the stored text equals this text.
pub(super) fn equals(arena: &[u8], location: TextLocation, text: PackedText<'_>) -> bool {
    location.len() == text.text_len
        && location.has_capitals() == text.has_capitals
        && arena[location.start()..location.start() + text.bytes.len()] == *text.bytes
}

/// Original text, with capitals.
pub(super) fn unpack(arena: &[u8], text: TextLocation) -> Cow<'_, [u8]> {
    let lower_case = &arena[text.start()..text.end()];
    if !text.has_capitals() {
        return Cow::Borrowed(lower_case);
    }
    let bits = &arena[text.end()..];
    let restored = lower_case.iter().enumerate().map(|(index, byte)| match bits[index / 8] >> (index % 8) & 1 {
        1 => byte.to_ascii_uppercase(),
        _ => *byte,
    });
    Cow::Owned(restored.collect())
}
