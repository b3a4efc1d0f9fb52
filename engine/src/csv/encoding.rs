//! Detects the character encoding of a file, and decodes its bytes to UTF-8.

use crate::api::named_enum;

named_enum! {
    /// The character encoding of a file.
    Encoding {
        /// UTF-8, including plain ASCII.
        Utf8 = "utf-8",
        /// UTF-16, little-endian, as in Excel's "Unicode text".
        Utf16Le = "utf-16le",
        /// UTF-16, big-endian.
        Utf16Be = "utf-16be",
        /// Windows-1252, the encoding of CSV files from spreadsheets in western Europe. It includes Latin-1.
        Windows1252 = "windows-1252",
    }
}

impl Encoding {
    /// Returns the display name.
    pub const fn display_name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le | Self::Utf16Be => "UTF-16",
            Self::Windows1252 => "Windows-1252",
        }
    }
}

/// Error for a file that isn't text in a supported encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingError {
    /// UTF-32.
    Utf32,
    /// A workbook, an archive or another binary file.
    Binary,
}

/// Detects the encoding of a file.
///
/// A byte order mark decides, then NUL bytes at every other position (UTF-16). Otherwise the whole file counts: it is Windows-1252 if it
/// has bytes beyond ASCII and none of them form valid UTF-8.
#[derive(Debug)]
pub struct EncodingDetector {
    encoding: Option<Encoding>,
    bom_bytes: usize,
    /// The start of a character whose remaining bytes are still missing.
    partial_char: Vec<u8>,
    has_invalid_utf8: bool,
}

/// Number of bytes in which NULs are counted.
const NUL_SAMPLE_BYTES: usize = 4 * 1024;

/// Magic numbers of workbooks: a zip archive, and the older Excel format.
const BINARY_MAGIC: [&[u8]; 2] = [b"PK\x03\x04", &[0xd0, 0xcf, 0x11, 0xe0]];

impl EncodingDetector {
    /// Inspects the beginning of a file. The beginning must still be passed to [`EncodingDetector::feed`].
    ///
    /// # Errors
    /// The file isn't text.
    pub fn new(beginning: &[u8]) -> Result<Self, EncodingError> {
        let detector =
            |encoding, bom_bytes| Self { encoding, bom_bytes, partial_char: Vec::new(), has_invalid_utf8: false };
        match beginning {
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return Err(EncodingError::Utf32),
            [0xff, 0xfe, ..] => return Ok(detector(Some(Encoding::Utf16Le), 2)),
            [0xfe, 0xff, ..] => return Ok(detector(Some(Encoding::Utf16Be), 2)),
            [0xef, 0xbb, 0xbf, ..] => return Ok(detector(Some(Encoding::Utf8), 3)),
            _ => {}
        }
        if BINARY_MAGIC.iter().any(|magic| beginning.starts_with(magic)) {
            return Err(EncodingError::Binary);
        }
        // Trailing zeros of a file are padding.
        let end = beginning.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let sample = &beginning[..end.min(NUL_SAMPLE_BYTES)];
        let count_zeros = |parity: usize| sample.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
        let (even, odd, pairs) = (count_zeros(0), count_zeros(1), sample.len() / 2);
        // In UTF-16, delimiters, digits and line endings have one zero byte, whatever the script.
        match even.max(odd) {
            max_zeros if max_zeros < 2 || max_zeros * 25 < pairs => Ok(detector(None, 0)),
            _ if odd > 4 * even => Ok(detector(Some(Encoding::Utf16Le), 0)),
            _ if even > 4 * odd => Ok(detector(Some(Encoding::Utf16Be), 0)),
            _ => Err(if even + odd > pairs + pairs / 3 { EncodingError::Utf32 } else { EncodingError::Binary }),
        }
    }

    /// Returns true once the rest of the file can't change the result.
    pub fn is_decided(&self) -> bool {
        self.encoding.is_some()
    }

    /// Processes the next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.is_decided() || (self.partial_char.is_empty() && bytes.is_ascii()) {
            return;
        }
        let mut text = std::mem::take(&mut self.partial_char);
        text.extend_from_slice(bytes);
        for chunk in text.utf8_chunks() {
            if !chunk.valid().is_ascii() {
                self.encoding = Some(Encoding::Utf8);
                return;
            }
            match std::str::from_utf8(chunk.invalid()) {
                Err(error) if error.error_len().is_none() => self.partial_char = chunk.invalid().to_vec(),
                Err(_) => self.has_invalid_utf8 = true,
                Ok(_) => {}
            }
        }
        // Only the last character may be incomplete.
        if !text.ends_with(&self.partial_char) {
            self.has_invalid_utf8 = true;
            self.partial_char.clear();
        }
    }

    /// Returns the encoding and the length of the byte order mark. Call it after the whole file was fed, or when the encoding is decided.
    pub fn finish(self) -> (Encoding, usize) {
        let is_other_encoding = self.has_invalid_utf8 || !self.partial_char.is_empty();
        let fallback = if is_other_encoding { Encoding::Windows1252 } else { Encoding::Utf8 };
        (self.encoding.unwrap_or(fallback), self.bom_bytes)
    }
}

/// Incremental decoder from a file's encoding to UTF-8.
///
/// Invalid UTF-8 is kept, and invalid UTF-16 becomes the byte [`INVALID_BYTE`]. The reader decides later whether the affected cell matters.
#[derive(Debug)]
pub struct Decoder {
    encoding: Encoding,
    /// The start of a character whose remaining bytes are still missing.
    partial_char: Vec<u8>,
}

/// A byte that never occurs in UTF-8.
const INVALID_BYTE: u8 = 0xff;

impl Decoder {
    /// Creates a decoder for input after the byte order mark.
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding, partial_char: Vec::new() }
    }

    /// Decodes the next bytes of the file and appends them to `text`.
    pub fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        match self.encoding {
            Encoding::Utf8 => text.extend_from_slice(bytes),
            Encoding::Windows1252 => bytes.iter().for_each(|byte| push(windows_1252(*byte), text)),
            Encoding::Utf16Le => self.decode_utf16(bytes, u16::from_le_bytes, text),
            Encoding::Utf16Be => self.decode_utf16(bytes, u16::from_be_bytes, text),
        }
    }

    /// Ends the input. An incomplete character becomes an invalid byte.
    pub fn end(&mut self, text: &mut Vec<u8>) {
        if !std::mem::take(&mut self.partial_char).is_empty() {
            text.push(INVALID_BYTE);
        }
    }

    fn decode_utf16(&mut self, bytes: &[u8], to_unit: fn([u8; 2]) -> u16, text: &mut Vec<u8>) {
        let mut buffer = std::mem::take(&mut self.partial_char);
        buffer.extend_from_slice(bytes);
        let (pairs, rest) = buffer.as_chunks::<2>();
        let is_high_surrogate = |pair: &[u8; 2]| matches!(to_unit(*pair), 0xd800..=0xdbff);
        let (pairs, partial) = match pairs.split_last() {
            Some((last, before)) if is_high_surrogate(last) => (before, &buffer[before.len() * 2..]),
            _ => (pairs, rest),
        };
        for decoded in char::decode_utf16(pairs.iter().map(|pair| to_unit(*pair))) {
            match decoded {
                Ok(decoded) => push(decoded, text),
                Err(_) => text.push(INVALID_BYTE),
            }
        }
        self.partial_char = partial.to_vec();
    }
}

fn push(character: char, text: &mut Vec<u8>) {
    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Decodes a byte of Windows-1252, as in the WHATWG Encoding Standard. Five bytes are control characters, which no field accepts.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the encoding and the text of a file that is fed in chunks of `chunk_size` bytes.
    fn decode(file: &[u8], chunk_size: usize) -> Result<(Encoding, String), EncodingError> {
        let mut detector = EncodingDetector::new(&file[..file.len().min(1_000)])?;
        file.chunks(chunk_size).for_each(|bytes| detector.feed(bytes));
        let (encoding, bom_bytes) = detector.finish();
        let (mut decoder, mut text) = (Decoder::new(encoding), Vec::new());
        file[bom_bytes..].chunks(chunk_size).for_each(|bytes| decoder.decode(bytes, &mut text));
        decoder.end(&mut text);
        Ok((encoding, String::from_utf8_lossy(&text).into_owned()))
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn detects_and_decodes_each_encoding_in_chunks() {
        let text = "id;name\n1;Zoë 😀 €\n";
        let marked = format!("\u{feff}{text}");
        for (file, encoding) in [
            (text.as_bytes().to_vec(), Encoding::Utf8),
            (marked.as_bytes().to_vec(), Encoding::Utf8),
            (utf16(text, u16::to_le_bytes), Encoding::Utf16Le),
            (utf16(&marked, u16::to_le_bytes), Encoding::Utf16Le),
            (utf16(text, u16::to_be_bytes), Encoding::Utf16Be),
            (utf16(&marked, u16::to_be_bytes), Encoding::Utf16Be),
        ] {
            for chunk_size in [1, 2, 3, 5, 1_000] {
                assert_eq!(
                    decode(&file, chunk_size),
                    Ok((encoding, text.to_owned())),
                    "{encoding} in chunks of {chunk_size}"
                );
            }
        }
        let western = b"name\nJ\xf6rg \x80\n";
        assert_eq!(decode(western, 2), Ok((Encoding::Windows1252, "name\nJörg €\n".to_owned())));
    }

    #[test]
    fn one_valid_character_makes_a_file_utf8() {
        for file in ["M\u{fc}ller".as_bytes().to_vec(), b"\xf6 M\xc3\xbcller \xf6".to_vec(), b"id".to_vec(), vec![]] {
            for chunk_size in [1, 2, 100] {
                assert_eq!(decode(&file, chunk_size).map(|(encoding, _)| encoding), Ok(Encoding::Utf8), "{file:?}");
            }
        }
        for file in [&b"x\xc3"[..], b"x\xc3,y", b"\xe2\x82,y", b"\xe2\x82\xc3"] {
            for chunk_size in [1, 2, 100] {
                let encoding = decode(file, chunk_size).map(|(encoding, _)| encoding);
                assert_eq!(encoding, Ok(Encoding::Windows1252), "{file:?}");
            }
        }
    }

    #[test]
    fn detects_utf16_without_byte_order_mark() {
        for text in ["имя;телефон\r\nАда;123\r\n", "名前\t電話\r\n花子\t0312345678\r\n"] {
            assert_eq!(decode(&utf16(text, u16::to_le_bytes), 7), Ok((Encoding::Utf16Le, text.to_owned())));
            assert_eq!(decode(&utf16(text, u16::to_be_bytes), 7), Ok((Encoding::Utf16Be, text.to_owned())));
        }
    }

    #[test]
    fn replaces_incomplete_characters() {
        let mut file = utf16("a,b\n1,", u16::to_le_bytes);
        file.extend([0x3d, 0xd8, 0x0a, 0x00, 0x78]);
        assert_eq!(decode(&file, 3), Ok((Encoding::Utf16Le, "a,b\n1,\u{fffd}\n\u{fffd}".to_owned())));
    }

    #[test]
    fn rejects_binary_files() {
        assert_eq!(decode(b"\xff\xfe\0\0i\0\0\0", 9), Err(EncodingError::Utf32));
        assert_eq!(decode(b"i\0\0\0d\0\0\0,\0\0\0x\0\0\0\n\0\0\0", 9), Err(EncodingError::Utf32));
        assert_eq!(decode(b"PK\x03\x04\x14\0\x06\0", 9), Err(EncodingError::Binary));
        // Zero padding doesn't make a file binary.
        assert_eq!(decode(b"id\n1\n\0\0\0\0\0\0\0\0\0\0", 9).map(|decoded| decoded.0), Ok(Encoding::Utf8));
    }
}
