//! Functions that a JavaScript engine already provides. The WebAssembly build calls the host, because the tables that Rust needs for them,
//! powers of five and Unicode letters, would add 60 kB to the download.

use std::borrow::Cow;

/// Parses a decimal number with optional sign, point and exponent to the nearest double. Returns infinity beyond
/// the range of doubles, and `None` for any other text.
pub fn parse_float(text: &str) -> Option<f64> {
    let is_digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    if text.is_empty() || !is_digits { None } else { host_parse_float(text) }
}

/// Returns the text in Unicode normalization form D: base letters, each followed by its combining marks.
pub fn decompose(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { text.into() } else { host_normalize(text).into() }
}

/// Returns the text in lower case.
pub fn to_lower(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { host_to_lower(text) }
}

/// Returns the text in upper case.
fn to_upper(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_uppercase() } else { host_to_upper(text) }
}

/// Returns the text with its first letter in upper case.
pub fn capitalize_first(text: &str) -> String {
    let second_start = text.char_indices().nth(1).map_or(text.len(), |(index, _)| index);
    let (first, rest) = text.split_at(second_start);
    to_upper(first) + rest
}

#[cfg(not(target_arch = "wasm32"))]
fn host_parse_float(text: &str) -> Option<f64> {
    text.parse().ok()
}

#[cfg(target_arch = "wasm32")]
fn host_parse_float(text: &str) -> Option<f64> {
    let number = wasm_bindgen::JsValue::from_str(text).unchecked_into_f64();
    (!number.is_nan()).then_some(number)
}

#[cfg(not(target_arch = "wasm32"))]
fn host_normalize(text: &str) -> String {
    unicode_normalization::UnicodeNormalization::nfd(text).collect()
}

#[cfg(target_arch = "wasm32")]
fn host_normalize(text: &str) -> String {
    js_sys::JsString::from(text).normalize("NFD").into()
}

#[cfg(not(target_arch = "wasm32"))]
fn host_to_lower(text: &str) -> String {
    text.to_lowercase()
}

#[cfg(target_arch = "wasm32")]
fn host_to_lower(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

#[cfg(not(target_arch = "wasm32"))]
fn host_to_upper(text: &str) -> String {
    text.to_uppercase()
}

#[cfg(target_arch = "wasm32")]
fn host_to_upper(text: &str) -> String {
    js_sys::JsString::from(text).to_upper_case().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_all_forms_of_decimal_numbers() {
        for (text, number) in [
            ("0", 0.0),
            ("-0.5", -0.5),
            ("+.5", 0.5),
            ("7.", 7.0),
            ("1e2", 100.0),
            ("1E-2", 0.01),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("1e400", f64::INFINITY),
        ] {
            assert_eq!(parse_float(text), Some(number), "{text}");
        }
        for text in
            ["", " 1", "1 ", ".", "-", "e5", "1e", "1.2.3", "0x10", "inf", "Infinity", "nan", "1_000", "1,5", "١"]
        {
            assert_eq!(parse_float(text), None, "{text}");
        }
    }

    #[test]
    fn converts_letter_case() {
        assert_eq!((to_lower("Zoë ÄRGER ΟΔΟΣ"), to_lower("Ada")), ("zoë ärger οδος".to_owned(), "ada".to_owned()));
        assert_eq!((to_upper("straße"), to_upper("ada")), ("STRASSE".to_owned(), "ADA".to_owned()));
        assert_eq!(["über", "ada lovelace", "", "ß"].map(capitalize_first), ["Über", "Ada lovelace", "", "SS"]);
    }

    #[test]
    fn decomposes_letters_before_marks() {
        assert_eq!(decompose("Zoë"), "Zoe\u{308}");
        assert_eq!(decompose("각"), "\u{1100}\u{1161}\u{11a8}");
        assert_eq!(decompose("ø plain"), "ø plain");
    }
}
