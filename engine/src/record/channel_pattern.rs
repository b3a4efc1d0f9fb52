//! Patterns for the names of extensions and trunks: `1XX`, `200-299`, `line-*`, `alice`.

use crate::diagnostic::{Diagnostic, catalog::record as texts, expected, format_text, new_diagnostic};

/// Maximum number of patterns in a list.
pub(crate) const MAX_PATTERNS: usize = 200;

/// Maximum length of a pattern, in characters.
const MAX_PATTERN_CHARS: usize = 80;

/// A pattern for the name of a channel's owner.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pattern {
    /// Numbers, as in Asterisk's dial plan.
    Digits {
        /// The permitted digits at each position.
        positions: Vec<Vec<u8>>,
        /// Minimum number of additional characters; `None` if the number ends there.
        min_extra_chars: Option<usize>,
    },
    /// Numbers of the same length, with inclusive bounds.
    Range(String, String),
    /// The name, case-insensitive.
    Name(String),
    /// Longer names with this prefix, case-insensitive.
    Prefix(String),
}

impl Pattern {
    /// Parses `1XX`, `_1[0-3]X`, `200-299`, `line-*`, `030.` or a name.
    fn parse(text: &str) -> Result<Self, Diagnostic> {
        let invalid = || expected("invalid_pattern", texts::channel_pattern(), format_text(text));
        let pattern = text.trim();
        if pattern.is_empty() || pattern.chars().count() > MAX_PATTERN_CHARS {
            return Err(invalid());
        }
        if let Some(digits) = parse_dial_plan(pattern.strip_prefix('_').unwrap_or(pattern)) {
            return Ok(digits);
        }
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if let Some((low, high)) = pattern.split_once('-').filter(|(low, high)| is_digits(low) && is_digits(high)) {
            let is_range = low.len() == high.len() && low <= high;
            return if is_range { Ok(Self::Range(low.to_owned(), high.to_owned())) } else { Err(invalid()) };
        }
        let (name, is_prefix) = match pattern.strip_suffix(['*', '.']) {
            Some(prefix) => (prefix, true),
            None => (pattern, false),
        };
        // A trailing dash indicates a truncated range or prefix.
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '@' | ':' | '#');
        if name.is_empty() || !name.chars().all(is_name) || (!is_prefix && name.ends_with('-')) {
            return Err(invalid());
        }
        Ok(if is_prefix { Self::Prefix(name.to_lowercase()) } else { Self::Name(name.to_lowercase()) })
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Digits { positions, min_extra_chars } => {
                let extra_chars = name.len().checked_sub(positions.len());
                let has_length = match min_extra_chars {
                    None => extra_chars == Some(0),
                    Some(min_extra) => extra_chars.is_some_and(|extra_chars| extra_chars >= *min_extra),
                };
                has_length && positions.iter().zip(name.bytes()).all(|(digits, digit)| digits.contains(&digit))
            }
            Self::Range(low, high) => {
                name.len() == low.len()
                    && name.bytes().all(|b| b.is_ascii_digit())
                    && (low.as_str()..=high.as_str()).contains(&name)
            }
            Self::Name(expected_name) => name.to_lowercase() == *expected_name,
            Self::Prefix(prefix) => name.len() > prefix.len() && name.to_lowercase().starts_with(prefix.as_str()),
        }
    }
}

/// Parses a pattern of Asterisk's dial plan: digits; `X` 0–9, `Z` 1–9, `N` 2–9; sets such as `[13-5]`; and at the end `.` for at least one
/// more character or `!` for any number. `None` for anything else.
fn parse_dial_plan(pattern: &str) -> Option<Pattern> {
    let (classes, min_extra) = match pattern.as_bytes() {
        [classes @ .., b'.'] => (classes, Some(1)),
        [classes @ .., b'!'] => (classes, Some(0)),
        classes => (classes, None),
    };
    let mut positions = Vec::new();
    let mut rest = classes;
    while let [class, after @ ..] = rest {
        rest = after;
        positions.push(match class.to_ascii_uppercase() {
            digit @ b'0'..=b'9' => vec![digit],
            b'X' => (b'0'..=b'9').collect(),
            b'Z' => (b'1'..=b'9').collect(),
            b'N' => (b'2'..=b'9').collect(),
            b'[' => {
                let end = rest.iter().position(|byte| *byte == b']')?;
                let digits = parse_digit_set(&rest[..end])?;
                rest = &rest[end + 1..];
                digits
            }
            _ => return None,
        });
    }
    (!positions.is_empty()).then_some(Pattern::Digits { positions, min_extra_chars: min_extra })
}

/// Parses the digits of a set such as `13-5`.
fn parse_digit_set(mut set: &[u8]) -> Option<Vec<u8>> {
    let mut digits = Vec::new();
    loop {
        set = match set {
            [low, b'-', high, rest @ ..] if low.is_ascii_digit() && high.is_ascii_digit() && low <= high => {
                digits.extend(*low..=*high);
                rest
            }
            [digit, rest @ ..] if digit.is_ascii_digit() => {
                digits.push(*digit);
                rest
            }
            [] if !digits.is_empty() => return Some(digits),
            _ => return None,
        };
    }
}

/// A list of patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patterns(Vec<Pattern>);

impl Patterns {
    /// Parses each pattern.
    ///
    /// # Errors
    /// The first invalid pattern, or more than [`MAX_PATTERNS`] patterns.
    pub(crate) fn parse(texts: &[impl AsRef<str>]) -> Result<Self, Diagnostic> {
        if texts.len() > MAX_PATTERNS {
            return Err(new_diagnostic("too_many", texts::too_many_patterns(MAX_PATTERNS)));
        }
        texts.iter().map(|text| Pattern::parse(text.as_ref())).collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| pattern.matches(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_the_dial_plan() {
        let matches = |pattern: &str, name| Patterns::parse(&[pattern]).expect(pattern).matches(name);
        for (pattern, matching, other) in [
            ("101", "101", "1010"),
            ("1XX", "199", "200"),
            ("_1xx", "100", "1000"),
            ("NZX", "210", "110"),
            ("_1[0-3]X", "139", "140"),
            ("10[12]", "102", "103"),
            ("[13-5]0", "40", "20"),
            ("X.", "10", "1"),
            ("030!", "030", "03"),
            ("200-299", "250", "300"),
            ("line-*", "line-berlin", "line-"),
            ("Line", "line", "line2"),
            ("trunk.", "trunk1", "trunk"),
            ("X-Ray", "x-ray", "1-ray"),
        ] {
            assert!(matches(pattern, matching), "{pattern} {matching}");
            assert!(!matches(pattern, other), "{pattern} {other}");
        }
    }

    #[test]
    fn rejects_patterns_that_match_nothing() {
        for pattern in [
            "",
            " ",
            "*",
            "299-200",
            "20-100",
            "a*b",
            "PJSIP/101",
            "1 2",
            "100-",
            "101;102",
            "1[0-",
            "[]1",
            "[3-1]",
            ".",
        ] {
            assert_eq!(Patterns::parse(&[pattern]).unwrap_err().code, "invalid_pattern", "{pattern:?}");
        }
        assert_eq!(Patterns::parse(&vec!["1"; MAX_PATTERNS + 1]).unwrap_err().code, "too_many");
    }
}
