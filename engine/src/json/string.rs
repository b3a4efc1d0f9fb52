//! JSON strings: their escapes, and the position of a substring in the source text.

use crate::diagnostic::{CharRange, Span};

/// One character of a string, as written.
pub(super) struct Unit {
    /// The character; U+FFFD if it is invalid.
    pub value: char,
    /// Number of bytes in the source.
    pub length: usize,
    /// Error of the character.
    pub broken: Option<Broken>,
}

/// Error in a character of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// U+0000.
    Nul,
    /// A lone surrogate.
    LoneSurrogate,
    /// An escape that JSON doesn't support.
    Escape,
    /// An unescaped control character.
    Control(u32),
}

/// Reads the first character of `raw`, which isn't empty.
pub(super) fn unit(raw: &str) -> Unit {
    let good = |value, length| Unit { value, length, broken: None };
    let bad = |broken, length| Unit { value: char::REPLACEMENT_CHARACTER, length, broken: Some(broken) };
    let mut chars = raw.chars();
    let first = chars.next().unwrap_or(char::REPLACEMENT_CHARACTER);
    match first {
        '\0' => return bad(Broken::Nul, 1),
        '\\' => {}
        '\u{1}'..='\u{1f}' => return Unit { value: first, length: 1, broken: Some(Broken::Control(first.into())) },
        _ => return good(first, first.len_utf8()),
    }
    match chars.next() {
        Some(same @ ('"' | '\\' | '/')) => good(same, 2),
        Some('b') => good('\u{8}', 2),
        Some('f') => good('\u{c}', 2),
        Some('n') => good('\n', 2),
        Some('r') => good('\r', 2),
        Some('t') => good('\t', 2),
        Some('u') => match hex(&raw[2..]) {
            None => bad(Broken::Escape, 2),
            Some(0) => bad(Broken::Nul, 6),
            Some(high @ 0xd800..0xdc00) => match raw[6..].strip_prefix("\\u").and_then(hex) {
                Some(low @ 0xdc00..0xe000) => {
                    let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    good(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
                }
                _ => bad(Broken::LoneSurrogate, 6),
            },
            Some(code) => char::from_u32(code).map_or_else(|| bad(Broken::LoneSurrogate, 6), |c| good(c, 6)),
        },
        // The end of the line ends the string and isn't part of the escape.
        Some('\n' | '\r') | None => bad(Broken::Escape, 1),
        Some(other) => bad(Broken::Escape, 1 + other.len_utf8()),
    }
}

fn hex(text: &str) -> Option<u32> {
    let digits = text.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// Returns the byte range in `text` for some characters of a string value. `literal` is the byte range of the string including quotes.
///
/// Returns `literal` if it isn't a string, so that the result is always a valid range.
pub fn narrow(text: &str, literal: Span, part: CharRange) -> Span {
    let Some(raw) = text.get(literal.start..literal.end).and_then(|written| written.strip_prefix('"')) else {
        return literal;
    };
    let (mut at, mut start) = (0, None);
    for index in 0..part.end {
        if index == part.start {
            start = Some(at);
        }
        if at >= raw.len() || raw[at..].starts_with('"') {
            break;
        }
        at += unit(&raw[at..]).length;
    }
    let base = literal.start + 1;
    Span::new(base + start.unwrap_or(at), base + at)
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
