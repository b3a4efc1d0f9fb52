//! The character encoding of a file: how it is found, and how its bytes become UTF-8.

use crate::api::named_enum;

named_enum! {
    /// The character encoding of a file.
    Encoding {
        /// UTF-8, or ASCII alone.
        Utf8 = "utf-8",
        /// UTF-16, low byte first, as Excel's "Unicode text" has it.
        Utf16Le = "utf-16le",
        /// UTF-16, high byte first.
        Utf16Be = "utf-16be",
        /// Windows-1252, as spreadsheets save CSV in western Europe; Latin-1 is a part of it.
        Windows1252 = "windows-1252",
    }
}

impl Encoding {
    /// Its name, for people.
    pub const fn spelled(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le | Self::Utf16Be => "UTF-16",
            Self::Windows1252 => "Windows-1252",
        }
    }
}

/// A file that isn't text in any encoding that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingError {
    /// UTF-32.
    Utf32,
    /// A workbook, an archive or another file with binary data.
    Binary,
}

/// Finds the encoding of a file.
///
/// A byte order mark decides, then NUL bytes at every other place (UTF-16). Otherwise the whole file counts: it is Windows-1252
/// if it has bytes beyond ASCII and none of them are valid UTF-8.
#[derive(Debug)]
pub struct EncodingScan {
    encoding: Option<Encoding>,
    mark_bytes: usize,
    /// The start of a character whose end wasn't fed yet.
    partial: Vec<u8>,
    has_other: bool,
}

/// Bytes in which NULs are counted.
const NUL_SAMPLE_BYTES: usize = 4 * 1024;

/// First bytes of workbooks: a zip archive, and the format before it.
const WORKBOOK_MARKS: [&[u8]; 2] = [b"PK\x03\x04", &[0xd0, 0xcf, 0x11, 0xe0]];

impl EncodingScan {
    /// Looks at the beginning of a file, which isn't fed by this.
    ///
    /// # Errors
    /// The file is no text.
    pub fn new(beginning: &[u8]) -> Result<Self, EncodingError> {
        let scan = |encoding, mark_bytes| Self { encoding, mark_bytes, partial: Vec::new(), has_other: false };
        match beginning {
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return Err(EncodingError::Utf32),
            [0xff, 0xfe, ..] => return Ok(scan(Some(Encoding::Utf16Le), 2)),
            [0xfe, 0xff, ..] => return Ok(scan(Some(Encoding::Utf16Be), 2)),
            [0xef, 0xbb, 0xbf, ..] => return Ok(scan(Some(Encoding::Utf8), 3)),
            _ => {}
        }
        if WORKBOOK_MARKS.iter().any(|mark| beginning.starts_with(mark)) {
            return Err(EncodingError::Binary);
        }
        // Zeros at the end of a file are padding.
        let end = beginning.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let sample = &beginning[..end.min(NUL_SAMPLE_BYTES)];
        let zeros = |parity: usize| sample.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
        let (even, odd, pairs) = (zeros(0), zeros(1), sample.len() / 2);
        // In any script, delimiters, digits and line ends have one byte that is zero.
        match even.max(odd) {
            zeros if zeros < 2 || zeros * 25 < pairs => Ok(scan(None, 0)),
            _ if odd > 4 * even => Ok(scan(Some(Encoding::Utf16Le), 0)),
            _ if even > 4 * odd => Ok(scan(Some(Encoding::Utf16Be), 0)),
            _ => Err(if even + odd > pairs + pairs / 3 { EncodingError::Utf32 } else { EncodingError::Binary }),
        }
    }

    /// Returns true once the rest of the file doesn't matter.
    pub fn is_decided(&self) -> bool {
        self.encoding.is_some()
    }

    /// Looks at the next bytes of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.is_decided() || (self.partial.is_empty() && bytes.is_ascii()) {
            return;
        }
        let mut text = std::mem::take(&mut self.partial);
        text.extend_from_slice(bytes);
        for chunk in text.utf8_chunks() {
            if !chunk.valid().is_ascii() {
                self.encoding = Some(Encoding::Utf8);
                return;
            }
            match std::str::from_utf8(chunk.invalid()) {
                Err(error) if error.error_len().is_none() => self.partial = chunk.invalid().to_vec(),
                Err(_) => self.has_other = true,
                Ok(_) => {}
            }
        }
        // Only the last may be cut off; what is followed by something was not.
        if !text.ends_with(&self.partial) {
            self.has_other = true;
            self.partial.clear();
        }
    }

    /// The encoding, and the bytes of the byte order mark. To be asked once the whole file was fed, or it is decided.
    pub fn finish(self) -> (Encoding, usize) {
        let has_other = self.has_other || !self.partial.is_empty();
        let otherwise = if has_other { Encoding::Windows1252 } else { Encoding::Utf8 };
        (self.encoding.unwrap_or(otherwise), self.mark_bytes)
    }
}

/// Turns the bytes of a file into UTF-8, piece by piece.
///
/// What is wrong in UTF-8 is left as it is, and what is wrong in UTF-16 becomes the byte [`INVALID`]: whether it matters depends
/// on the cell in which it stands.
#[derive(Debug)]
pub struct Decoder {
    encoding: Encoding,
    /// The start of a character whose end wasn't fed yet.
    partial: Vec<u8>,
}

/// A byte that is never part of UTF-8.
const INVALID: u8 = 0xff;

impl Decoder {
    /// For a file of this encoding, from behind its byte order mark.
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding, partial: Vec::new() }
    }

    /// Adds the next bytes of the file to `text`.
    pub fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>) {
        match self.encoding {
            Encoding::Utf8 => text.extend_from_slice(bytes),
            Encoding::Windows1252 => bytes.iter().for_each(|byte| push(windows_1252(*byte), text)),
            Encoding::Utf16Le => self.decode_utf16(bytes, u16::from_le_bytes, text),
            Encoding::Utf16Be => self.decode_utf16(bytes, u16::from_be_bytes, text),
        }
    }

    /// Ends the file: what is left of a character can't be read.
    pub fn end(&mut self, text: &mut Vec<u8>) {
        if !std::mem::take(&mut self.partial).is_empty() {
            text.push(INVALID);
        }
    }

    fn decode_utf16(&mut self, bytes: &[u8], unit: fn([u8; 2]) -> u16, text: &mut Vec<u8>) {
        let mut all = std::mem::take(&mut self.partial);
        all.extend_from_slice(bytes);
        let (pairs, rest) = all.as_chunks::<2>();
        let is_first_half = |pair: &[u8; 2]| matches!(unit(*pair), 0xd800..=0xdbff);
        let (pairs, cut) = match pairs.split_last() {
            Some((last, before)) if is_first_half(last) => (before, &all[before.len() * 2..]),
            _ => (pairs, rest),
        };
        for character in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
            match character {
                Ok(character) => push(character, text),
                Err(_) => text.push(INVALID),
            }
        }
        self.partial = cut.to_vec();
    }
}

fn push(character: char, text: &mut Vec<u8>) {
    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// A byte of Windows-1252, as the WHATWG Encoding Standard maps it: five of them are control characters, which no field takes.
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

    /// The encoding and the text of a file that is fed in pieces of so many bytes.
    fn read(file: &[u8], piece: usize) -> Result<(Encoding, String), EncodingError> {
        let mut scan = EncodingScan::new(&file[..file.len().min(1_000)])?;
        file.chunks(piece).for_each(|bytes| scan.feed(bytes));
        let (encoding, mark) = scan.finish();
        let (mut decoder, mut text) = (Decoder::new(encoding), Vec::new());
        file[mark..].chunks(piece).for_each(|bytes| decoder.decode(bytes, &mut text));
        decoder.end(&mut text);
        Ok((encoding, String::from_utf8_lossy(&text).into_owned()))
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn finds_and_decodes_each_encoding_in_any_pieces() {
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
            for piece in [1, 2, 3, 5, 1_000] {
                assert_eq!(read(&file, piece), Ok((encoding, text.to_owned())), "{encoding} in pieces of {piece}");
            }
        }
        let western = b"name\nJ\xf6rg \x80\n";
        assert_eq!(read(western, 2), Ok((Encoding::Windows1252, "name\nJörg €\n".to_owned())));
    }

    #[test]
    fn a_valid_letter_makes_a_file_utf8() {
        for file in ["M\u{fc}ller".as_bytes().to_vec(), b"\xf6 M\xc3\xbcller \xf6".to_vec(), b"id".to_vec(), vec![]] {
            for piece in [1, 2, 100] {
                assert_eq!(read(&file, piece).map(|(encoding, _)| encoding), Ok(Encoding::Utf8), "{file:?}");
            }
        }
        for file in [&b"x\xc3"[..], b"x\xc3,y", b"\xe2\x82,y", b"\xe2\x82\xc3"] {
            for piece in [1, 2, 100] {
                let found = read(file, piece).map(|(encoding, _)| encoding);
                assert_eq!(found, Ok(Encoding::Windows1252), "{file:?}");
            }
        }
    }

    #[test]
    fn utf16_of_any_script_is_known_without_a_mark() {
        for text in ["имя;телефон\r\nАда;123\r\n", "名前\t電話\r\n花子\t0312345678\r\n"] {
            assert_eq!(read(&utf16(text, u16::to_le_bytes), 7), Ok((Encoding::Utf16Le, text.to_owned())));
            assert_eq!(read(&utf16(text, u16::to_be_bytes), 7), Ok((Encoding::Utf16Be, text.to_owned())));
        }
    }

    #[test]
    fn half_a_character_is_no_text() {
        let mut file = utf16("a,b\n1,", u16::to_le_bytes);
        file.extend([0x3d, 0xd8, 0x0a, 0x00, 0x78]);
        assert_eq!(read(&file, 3), Ok((Encoding::Utf16Le, "a,b\n1,\u{fffd}\n\u{fffd}".to_owned())));
    }

    #[test]
    fn binary_files_are_refused_by_name() {
        assert_eq!(read(b"\xff\xfe\0\0i\0\0\0", 9), Err(EncodingError::Utf32));
        assert_eq!(read(b"i\0\0\0d\0\0\0,\0\0\0x\0\0\0\n\0\0\0", 9), Err(EncodingError::Utf32));
        assert_eq!(read(b"PK\x03\x04\x14\0\x06\0", 9), Err(EncodingError::Binary));
        // A file that was padded with zeros is text.
        assert_eq!(read(b"id\n1\n\0\0\0\0\0\0\0\0\0\0", 9).map(|found| found.0), Ok(Encoding::Utf8));
    }
}
