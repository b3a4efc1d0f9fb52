//! Patterns for the names of extensions and trunks: `1XX`, `200-299`, `line-*`, `alice`.

use crate::fault::Fault;
use crate::message::texts::record as texts;
use crate::message::{expected, fault, shown};

/// Most patterns of one list.
pub(crate) const MAX_PATTERNS: usize = 200;

/// Longest pattern, in characters.
const MAX_PATTERN: usize = 80;

/// A pattern that the name of a channel's owner may match.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pattern {
    /// Digits and the classes of Asterisk's dial plan: `X` 0–9, `Z` 1–9, `N` 2–9.
    Digits(String),
    /// Numbers of one length, both bounds included.
    Range(String, String),
    /// The name, in any case.
    Name(String),
    /// Longer names that begin with this, in any case.
    Prefix(String),
}

impl Pattern {
    /// Reads `1XX`, `_1XX`, `200-299`, `line-*`, `030.` or a name.
    fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = || expected("invalid_pattern", texts::channel_pattern(), shown(text));
        let pattern = text.trim();
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let pattern = pattern.strip_prefix('_').filter(|rest| is_dial_plan(rest)).unwrap_or(pattern);
        if pattern.is_empty() || pattern.chars().count() > MAX_PATTERN || pattern.contains(char::is_whitespace) {
            return Err(wrong());
        }
        if let Some((low, high)) = pattern.split_once('-').filter(|(low, high)| is_digits(low) && is_digits(high)) {
            let is_range = low.len() == high.len() && low <= high;
            return if is_range { Ok(Self::Range(low.to_owned(), high.to_owned())) } else { Err(wrong()) };
        }
        if is_dial_plan(pattern) {
            return Ok(Self::Digits(pattern.to_ascii_uppercase()));
        }
        let (name, is_prefix) = match pattern.strip_suffix(['*', '.']) {
            Some(prefix) => (prefix, true),
            None => (pattern, false),
        };
        if name.is_empty() || name.contains(['*', '/']) {
            return Err(wrong());
        }
        Ok(if is_prefix { Self::Prefix(name.to_lowercase()) } else { Self::Name(name.to_lowercase()) })
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Digits(classes) => {
                let in_class = |(class, digit): (u8, u8)| match class {
                    b'X' => digit.is_ascii_digit(),
                    b'Z' => matches!(digit, b'1'..=b'9'),
                    b'N' => matches!(digit, b'2'..=b'9'),
                    own => own == digit,
                };
                name.len() == classes.len() && classes.bytes().zip(name.bytes()).all(in_class)
            }
            Self::Range(low, high) => {
                name.len() == low.len()
                    && name.bytes().all(|b| b.is_ascii_digit())
                    && (low.as_str()..=high.as_str()).contains(&name)
            }
            Self::Name(own) => name.to_lowercase() == *own,
            Self::Prefix(prefix) => name.len() > prefix.len() && name.to_lowercase().starts_with(prefix.as_str()),
        }
    }
}

/// Returns whether a pattern consists of digits and classes only.
fn is_dial_plan(pattern: &str) -> bool {
    !pattern.is_empty() && pattern.bytes().all(|b| matches!(b.to_ascii_uppercase(), b'0'..=b'9' | b'X' | b'Z' | b'N'))
}

/// A list of patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patterns(Vec<Pattern>);

impl Patterns {
    /// Reads each pattern.
    ///
    /// # Errors
    /// The first that is none; or there are more than [`MAX_PATTERNS`].
    pub(crate) fn parse(texts: &[impl AsRef<str>]) -> Result<Self, Fault> {
        if texts.len() > MAX_PATTERNS {
            return Err(fault("too_many", texts::too_many_patterns(MAX_PATTERNS)));
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
        for (pattern, yes, no) in [
            ("101", "101", "1010"),
            ("1XX", "199", "200"),
            ("_1xx", "100", "1000"),
            ("NZX", "210", "110"),
            ("200-299", "250", "300"),
            ("line-*", "line-berlin", "line-"),
            ("Line", "line", "line2"),
            ("trunk.", "trunk1", "trunk"),
            ("X-Ray", "x-ray", "1-ray"),
        ] {
            assert!(matches(pattern, yes), "{pattern} {yes}");
            assert!(!matches(pattern, no), "{pattern} {no}");
        }
    }

    #[test]
    fn rejects_patterns_that_match_nothing() {
        for wrong in ["", " ", "*", "299-200", "20-100", "a*b", "PJSIP/101", "1 2"] {
            assert_eq!(Patterns::parse(&[wrong]).unwrap_err().code, "invalid_pattern", "{wrong:?}");
        }
        assert_eq!(Patterns::parse(&vec!["1"; MAX_PATTERNS + 1]).unwrap_err().code, "too_many");
    }
}
