//! JSON strings: their escapes, and the position of a substring in the source text.

use crate::diagnostic::{CharRange, Span};

/// One character of a string, as written.
pub(super) struct StringChar {
    /// The character; U+FFFD if it is invalid.
    pub value: char,
    /// Number of bytes in the source.
    pub byte_len: usize,
    /// Error of the character.
    pub error: Option<CharError>,
}

/// Error in a character of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharError {
    /// U+0000.
    Nul,
    /// A lone surrogate.
    LoneSurrogate,
    /// An escape that JSON doesn't support.
    Escape,
    /// An unescaped control character.
    Control(u32),
}

/// Parses the first character of `raw`, which isn't empty.
pub(super) fn next_char(raw: &str) -> StringChar {
    let valid = |value, length| StringChar { value, byte_len: length, error: None };
    let invalid =
        |error, length| StringChar { value: char::REPLACEMENT_CHARACTER, byte_len: length, error: Some(error) };
    let mut chars = raw.chars();
    let first = chars.next().unwrap_or(char::REPLACEMENT_CHARACTER);
    match first {
        '\0' => return invalid(CharError::Nul, 1),
        '\\' => {}
        '\u{1}'..='\u{1f}' => {
            return StringChar { value: first, byte_len: 1, error: Some(CharError::Control(first.into())) };
        }
        _ => return valid(first, first.len_utf8()),
    }
    match chars.next() {
        Some(literal @ ('"' | '\\' | '/')) => valid(literal, 2),
        Some('b') => valid('\u{8}', 2),
        Some('f') => valid('\u{c}', 2),
        Some('n') => valid('\n', 2),
        Some('r') => valid('\r', 2),
        Some('t') => valid('\t', 2),
        Some('u') => match parse_hex(&raw[2..]) {
            None => invalid(CharError::Escape, 2),
            Some(0) => invalid(CharError::Nul, 6),
            Some(high @ 0xd800..0xdc00) => match raw[6..].strip_prefix("\\u").and_then(parse_hex) {
                Some(low @ 0xdc00..0xe000) => {
                    let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    valid(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
                }
                _ => invalid(CharError::LoneSurrogate, 6),
            },
            Some(code) => char::from_u32(code).map_or_else(|| invalid(CharError::LoneSurrogate, 6), |c| valid(c, 6)),
        },
        // The end of the line ends the string and isn't part of the escape.
        Some('\n' | '\r') | None => invalid(CharError::Escape, 1),
        Some(other) => invalid(CharError::Escape, 1 + other.len_utf8()),
    }
}

fn parse_hex(text: &str) -> Option<u32> {
    let digits = text.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// Returns the byte range in `text` for some characters of a string value. `literal` is the byte range of the string including quotes.
///
/// Returns `literal` if it isn't a string, so that the result is always a valid range.
pub fn substring_span(text: &str, literal: Span, char_range: CharRange) -> Span {
    let Some(raw) = text.get(literal.start..literal.end).and_then(|source| source.strip_prefix('"')) else {
        return literal;
    };
    let (mut offset, mut start) = (0, None);
    for index in 0..char_range.end {
        if index == char_range.start {
            start = Some(offset);
        }
        if offset >= raw.len() || raw[offset..].starts_with('"') {
            break;
        }
        offset += next_char(&raw[offset..]).byte_len;
    }
    let base = literal.start + 1;
    Span::new(base + start.unwrap_or(offset), base + offset)
}

/// Returns `text` as a JSON string.
pub fn quote(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    push_quoted(&mut json, text);
    json
}

/// Appends `text` as a JSON string.
pub fn push_quoted(json: &mut String, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\0'..='\u{1f}' => {
                json.push_str("\\u00");
                json.push(char::from(HEX[(c as usize) >> 4]));
                json.push(char::from(HEX[(c as usize) & 15]));
            }
            _ => json.push(c),
        }
    }
    json.push('"');
}
