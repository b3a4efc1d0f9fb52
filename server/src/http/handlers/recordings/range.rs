//! Parser for `Range` headers with a single byte range (RFC 9110, section 14).

use std::ops::Range;

/// Part of a recording that a `Range` header requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Everything: no range, or one that this server doesn't support. RFC 9110 lets a server ignore such a header.
    Whole,
    /// These bytes, all within the recording.
    Bytes(Range<u64>),
    /// Bytes outside the recording.
    Outside,
}

/// Parses a `Range` header for content of `length` bytes. Multiple ranges are not supported; players request a single one.
pub fn parse(header: Option<&str>, length: u64) -> Part {
    let Some((unit, spec)) = header.and_then(|header| header.split_once('=')) else { return Part::Whole };
    let spec = spec.trim();
    let Some((first, last)) = spec.split_once('-').filter(|_| unit.trim().eq_ignore_ascii_case("bytes")) else {
        return Part::Whole;
    };
    let range = match (parse_number(first), parse_number(last)) {
        (Number::Value(first), Number::None) => first..length,
        (Number::Value(first), Number::Value(last)) if first <= last => first..last.saturating_add(1).min(length),
        // A suffix range: the last bytes, or everything if there are fewer.
        (Number::None, Number::Value(suffix_length)) => length.saturating_sub(suffix_length)..length,
        _ => return Part::Whole,
    };
    if range.is_empty() { Part::Outside } else { Part::Bytes(range) }
}

enum Number {
    None,
    Value(u64),
    Invalid,
}

fn parse_number(text: &str) -> Number {
    let text = text.trim();
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if text.is_empty() => Number::None,
        // A number that overflows is beyond any length.
        true => Number::Value(text.parse().unwrap_or(u64::MAX)),
        false => Number::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_single_range() {
        for (header, expected) in [
            ("bytes=0-99", Part::Bytes(0..100)),
            ("bytes=0-0", Part::Bytes(0..1)),
            ("bytes=900-", Part::Bytes(900..1_000)),
            ("bytes=900-5000", Part::Bytes(900..1_000)),
            ("bytes=-100", Part::Bytes(900..1_000)),
            ("bytes=-5000", Part::Bytes(0..1_000)),
            ("Bytes = 0 - 1", Part::Bytes(0..2)),
            ("bytes=5-99999999999999999999999", Part::Bytes(5..1_000)),
        ] {
            assert_eq!(parse(Some(header), 1_000), expected, "{header}");
        }
    }

    #[test]
    fn rejects_range_beyond_end() {
        for header in ["bytes=1000-", "bytes=1000-2000", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(parse(Some(header), 1_000), Part::Outside, "{header}");
        }
        assert_eq!(parse(Some("bytes=0-"), 0), Part::Outside);
    }

    #[test]
    fn ignores_unsupported_ranges() {
        for header in
            ["", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=9-1", "bytes=0-1,5-6", "seconds=0-1", "bytes=+1-2"]
        {
            assert_eq!(parse(Some(header), 1_000), Part::Whole, "{header}");
        }
        assert_eq!(parse(None, 1_000), Part::Whole);
    }
}
