//! Versions of the IANA database, such as `2026f`.

use std::fmt;
use std::str::FromStr;

use chrono::{Days, NaiveDate};

/// Approximate number of days between two releases. The database has had two to ten releases per year.
const DAYS_PER_RELEASE: u64 = 50;

/// A version: the year of the release, and letters that count the releases of that year: `a`, `b`, … `z`, `za`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    year: i32,
    letters: String,
}

impl Version {
    /// Returns the approximate release date: the year is exact, the day is estimated from the letter.
    pub fn approximate_release_date(&self) -> NaiveDate {
        let letter = self.letters.bytes().next().unwrap_or(b'a');
        let releases_before = u64::from(letter - b'a');
        let first = NaiveDate::from_ymd_opt(self.year, 1, 1).unwrap_or_default();
        let last = NaiveDate::from_ymd_opt(self.year, 12, 31).unwrap_or_default();
        first.checked_add_days(Days::new(releases_before * DAYS_PER_RELEASE)).map_or(last, |date| date.min(last))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.year, self.letters)
    }
}

/// Error for a text that isn't a version of the IANA database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a version of the IANA database such as `2026f`")]
pub struct InvalidVersion;

impl FromStr for Version {
    type Err = InvalidVersion;

    fn from_str(text: &str) -> Result<Self, InvalidVersion> {
        let (year, letters) = text.split_at_checked(4).ok_or(InvalidVersion)?;
        let is_year = year.bytes().all(|byte| byte.is_ascii_digit());
        let has_valid_letters =
            (1..=2).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_lowercase());
        match year.parse() {
            Ok(year) if is_year && has_valid_letters => Ok(Self { year, letters: letters.to_owned() }),
            _ => Err(InvalidVersion),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().expect(text)
    }

    #[test]
    fn newer_versions_compare_greater() {
        let in_order = ["2025b", "2025c", "2026a", "2026f", "2026z", "2026za", "2027a"].map(version);
        assert!(in_order.is_sorted());
        assert_eq!(version("2026f").to_string(), "2026f");
    }

    #[test]
    fn rejects_other_texts() {
        for text in ["", "2026", "2026F", "f2026", "2026abc", "+202a", "2026f-1", "unknown", "202é"] {
            assert_eq!(text.parse::<Version>(), Err(InvalidVersion), "{text}");
        }
    }

    #[test]
    fn release_dates_are_in_the_year_of_the_version() {
        let date = |text: &str| version(text).approximate_release_date().to_string();
        assert_eq!([date("2025a"), date("2025b"), date("2026f")], ["2025-01-01", "2025-02-20", "2026-09-08"]);
        assert_eq!(date("2026z"), "2026-12-31");
    }
}
