//! Which part of a recording is asked for: `Range` with one range of bytes (RFC 9110, section 14).

use std::ops::Range;

/// What a `Range` header asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Everything: there is no range, or none that this server serves. RFC 9110 lets a server ignore such a header.
    Whole,
    /// These bytes, which are all there.
    Bytes(Range<u64>),
    /// Bytes that aren't there.
    Outside,
}

/// Reads a `Range` header for something of `length` bytes. Several ranges at once aren't served; players ask for one.
pub fn part(header: Option<&str>, length: u64) -> Part {
    let Some((unit, spec)) = header.and_then(|header| header.split_once('=')) else { return Part::Whole };
    let spec = spec.trim();
    let Some((first, last)) = spec.split_once('-').filter(|_| unit.trim().eq_ignore_ascii_case("bytes")) else {
        return Part::Whole;
    };
    let range = match (number(first), number(last)) {
        (Number::Given(first), Number::None) => first..length,
        (Number::Given(first), Number::Given(last)) if first <= last => first..last.saturating_add(1).min(length),
        // The last so many bytes, or all when there are fewer.
        (Number::None, Number::Given(last)) => length.saturating_sub(last)..length,
        _ => return Part::Whole,
    };
    if range.is_empty() { Part::Outside } else { Part::Bytes(range) }
}

enum Number {
    None,
    Given(u64),
    Wrong,
}

fn number(text: &str) -> Number {
    let text = text.trim();
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if text.is_empty() => Number::None,
        // A number too large to be counted lies behind every end.
        true => Number::Given(text.parse().unwrap_or(u64::MAX)),
        false => Number::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_served() {
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
            assert_eq!(part(Some(header), 1_000), expected, "{header}");
        }
    }

    #[test]
    fn a_range_behind_the_end_is_refused() {
        for header in ["bytes=1000-", "bytes=1000-2000", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(part(Some(header), 1_000), Part::Outside, "{header}");
        }
        assert_eq!(part(Some("bytes=0-"), 0), Part::Outside);
    }

    #[test]
    fn anything_else_is_ignored() {
        for header in
            ["", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=9-1", "bytes=0-1,5-6", "seconds=0-1", "bytes=+1-2"]
        {
            assert_eq!(part(Some(header), 1_000), Part::Whole, "{header}");
        }
        assert_eq!(part(None, 1_000), Part::Whole);
    }
}
