//! Words of a JSON text: recognizes numbers, and suggests corrections for invalid words.

use super::string;
use crate::diagnostic::{
    Message,
    catalog::{common, json as texts},
};

/// Formats `text` for a message: in backticks, shortened, and on one line.
pub(super) fn quote_for_message(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let mut excerpt: String =
        text.chars().take(MAX_CHARS).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if excerpt.len() < text.len() && text.chars().count() > MAX_CHARS {
        excerpt.push('…');
    }
    format!("`{excerpt}`")
}

/// Returns the suggested correction of an invalid word.
pub(super) fn suggest_correction(word: &str) -> Message {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" => common::write("`true`"),
        "false" | "no" => common::write("`false`"),
        "null" | "none" | "nil" | "undefined" | "nan" => common::write("`null`"),
        _ if word.starts_with('\u{feff}') => texts::byte_order_mark(),
        _ if word.starts_with('+') => texts::no_plus(),
        _ if word.starts_with("//") || word.starts_with("/*") => texts::no_comments(),
        _ if word.starts_with(|first: char| first.is_ascii_digit() || first == '-' || first == '.') => {
            texts::number_forms()
        }
        _ => texts::string_in_quotes(string::quote(word)),
    }
}

/// Returns true for a JSON number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
pub(crate) fn is_number(word: &str) -> bool {
    let count_digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = word.as_bytes();
    rest = rest.strip_prefix(b"-").unwrap_or(rest);
    match count_digits(rest) {
        0 => return false,
        1 => rest = &rest[1..],
        _ if rest[0] == b'0' => return false,
        digit_count => rest = &rest[digit_count..],
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        match count_digits(fraction) {
            0 => return false,
            digit_count => rest = &fraction[digit_count..],
        }
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or(rest.strip_prefix(b"E")) {
        let exponent = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-")).unwrap_or(exponent);
        match count_digits(exponent) {
            0 => return false,
            digit_count => rest = &exponent[digit_count..],
        }
    }
    rest.is_empty()
}
