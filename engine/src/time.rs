//! Date-times and dates: the accepted forms and the output formats.
//!
//! Two forms of date-time are accepted:
//!
//! - `YYYY-MM-DD hh:mm:ss`, in UTC;
//! - RFC 3339, as used in responses: `2026-05-01T09:30:00Z`, `2026-05-01T11:30:00.25+02:00`. The offset is required, `t` and `z` may be in
//!   lower case, and the fraction has at most six digits, because timestamps are stored in microseconds.
//!
//! Dates must exist in the calendar. The year is 1 to 9999, including after the conversion to UTC, so that every
//! timestamp can be written in the same form. Leap seconds aren't accepted. Databases differ in all of these rules;
//! here they are defined once.

use std::fmt;

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, TimeDelta, Timelike};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

use crate::api::Timestamp;
use crate::diagnostic::{
    Arg, CharRange, Message,
    catalog::{common, time as texts},
};
use crate::wording::Language;

/// Error of an invalid date-time or date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TimeError {
    /// The wrong characters.
    pub range: CharRange,
    /// Stable code: `invalid_time` for a wrong form, `no_such_time` for a date or time that doesn't exist.
    pub code: &'static str,
    /// Message with the expected and the found text.
    pub message: Message,
}

/// Parses a date-time.
///
/// # Errors
/// The first error in the text.
pub fn parse(text: &str) -> Result<Timestamp, TimeError> {
    let mut parser = TimeParser { text, offset: 0, expected_form: texts::date_time_forms };
    let date = parser.parse_date()?;
    let is_rfc3339 = match parser.peek() {
        Some(b'T' | b't') => true,
        Some(b' ') => false,
        None => return Err(parser.form_error(texts::time_after_date())),
        Some(_) => return Err(parser.form_error(texts::space_after_date())),
    };
    parser.offset += 1;

    let hour = parser.parse_number(texts::hour(), 2, 0..=23)?;
    parser.expect_byte(b':')?;
    let minute = parser.parse_number(texts::minute(), 2, 0..=59)?;
    parser.expect_byte(b':')?;
    let second = parser.parse_number(texts::second(), 2, 0..=59)?;
    let micros = if is_rfc3339 { parser.parse_fraction()? } else { 0 };
    let offset = if is_rfc3339 { parser.parse_offset()? } else { TimeDelta::zero() };
    if !is_rfc3339 && parser.offset < text.len() {
        return Err(parser.form_error(texts::nothing_after_seconds()));
    }
    parser.expect_end()?;

    let local = date.and_hms_micro_opt(hour, minute, second, micros).expect("each part was checked");
    local.checked_sub_signed(offset).map(|utc| utc.and_utc()).filter(|utc| is_supported_year(*utc)).ok_or_else(|| {
        TimeError {
            range: CharRange { start: 0, end: text.len() },
            code: "no_such_time",
            message: texts::outside_years(),
        }
    })
}

/// Returns true if a timestamp is in the years 1 to 9999 in UTC, which every store and format supports.
pub(crate) fn is_supported_year(time: Timestamp) -> bool {
    (1..=9999).contains(&time.year())
}

/// Deserializes a date-time, or null. Serde's own form for times is RFC 3339 only, and has more years and digits.
///
/// # Errors
/// The value isn't null or a text that [`parse`] accepts.
pub(crate) fn deserialize_optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    Ok(Option::<DateTimeText>::deserialize(deserializer)?.map(|DateTimeText(time)| time))
}

/// Date-time in a text.
struct DateTimeText(Timestamp);

impl<'de> Deserialize<'de> for DateTimeText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(DateTimeVisitor)
    }
}

struct DateTimeVisitor;

impl Visitor<'_> for DateTimeVisitor {
    type Value = DateTimeText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a date-time")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<DateTimeText, E> {
        parse(text).map(DateTimeText).map_err(E::custom)
    }
}

/// Parses a date, `YYYY-MM-DD`.
///
/// # Errors
/// The first error in the text.
pub fn parse_date(text: &str) -> Result<NaiveDate, TimeError> {
    let mut parser = TimeParser { text, offset: 0, expected_form: texts::date_form };
    let date = parser.parse_date()?;
    parser.expect_end()?;
    Ok(date)
}

/// Converts a date or date-time with the day first (`24.12.2025`, `24.12.2025 13:45`) to the accepted form; `None` for another text. With
/// dots as separators, the day comes first in every country.
pub(crate) fn to_year_first(text: &str) -> Option<String> {
    let (date, time_of_day) =
        text.split_once(' ').map_or((text, None), |(date, time_of_day)| (date, Some(time_of_day)));
    let mut parts = date.splitn(3, '.');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let are_digits = [(day, 1..=2), (month, 1..=2), (year, 4..=4)]
        .into_iter()
        .all(|(part, length)| length.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()));
    let time_of_day = time_of_day.map(|time_of_day| {
        if time_of_day.len() == "13:45".len() { format!(" {time_of_day}:00") } else { format!(" {time_of_day}") }
    });
    are_digits.then(|| format!("{year}-{month:0>2}-{day:0>2}{}", time_of_day.unwrap_or_default()))
}

/// Returns the start of a date in UTC.
pub(crate) fn start_of_day(date: NaiveDate) -> Timestamp {
    date.and_time(NaiveTime::MIN).and_utc()
}

/// Formats a timestamp as in responses: RFC 3339 in UTC, with a fraction of three or six digits only if needed.
pub fn print(time: Timestamp) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// Formats a timestamp in words: `1 May 2026, 09:30 UTC`, with seconds and fraction only if needed.
pub fn describe(time: Timestamp, language: Language) -> String {
    describe_local(time.naive_utc(), language) + " UTC"
}

/// Formats a local time in words.
pub fn describe_local(time: NaiveDateTime, language: Language) -> String {
    let mut text = format!("{}, {:02}:{:02}", describe_date(time.date(), language), time.hour(), time.minute());
    let micros = time.and_utc().timestamp_subsec_micros();
    if time.second() != 0 || micros != 0 {
        text += &format!(":{:02}", time.second());
    }
    if micros != 0 {
        text += format!(".{micros:06}").trim_end_matches('0');
    }
    text
}

/// Formats a date in words: `1 May 2026`, in German `1. Mai 2026`.
pub fn describe_date(date: NaiveDate, language: Language) -> String {
    words::date(language, date.day(), MONTH_NAMES[date.month0() as usize]().text(language), date.year())
}

mod words {
    crate::wording::wording! {
        date(day, month, year): "{day} {month} {year}" | "{day}. {month} {year}";
    }
}

const MONTH_NAMES: [fn() -> Message; 12] = [
    texts::january,
    texts::february,
    texts::march,
    texts::april,
    texts::may,
    texts::june,
    texts::july,
    texts::august,
    texts::september,
    texts::october,
    texts::november,
    texts::december,
];

/// Parses a text from left to right. Everything before `offset` is ASCII, so `offset` counts both characters and bytes.
struct TimeParser<'a> {
    text: &'a str,
    offset: usize,
    /// Describes the permitted forms.
    expected_form: fn() -> Message,
}

impl TimeParser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    /// Parses a year, month and day that exist.
    fn parse_date(&mut self) -> Result<NaiveDate, TimeError> {
        if self.text.is_empty() {
            return Err(self.error_in(0, 0, common::expected((self.expected_form)(), common::empty_text())));
        }
        let year = self.parse_number(texts::year(), 4, 1..=9999)?;
        self.expect_byte(b'-')?;
        let month = self.parse_number(texts::month(), 2, 1..=12)?;
        self.expect_byte(b'-')?;
        let start = self.offset;
        let day = self.parse_number(texts::day(), 2, 1..=31)?;
        let year = i32::try_from(year).expect("a year of four digits");
        NaiveDate::from_ymd_opt(year, month, day)
            .ok_or_else(|| self.nonexistent(start, texts::no_such_day(day, MONTH_NAMES[month as usize - 1](), year)))
    }

    /// Parses a number with exactly this many digits, within bounds.
    fn parse_number(
        &mut self,
        part: Message,
        digits: usize,
        bounds: std::ops::RangeInclusive<u32>,
    ) -> Result<u32, TimeError> {
        let start = self.offset;
        let mut value = 0;
        for _ in 0..digits {
            match self.peek() {
                Some(digit @ b'0'..=b'9') => value = value * 10 + u32::from(digit - b'0'),
                _ => return Err(self.form_error(texts::digits_for(digits, part))),
            }
            self.offset += 1;
        }
        if bounds.contains(&value) {
            return Ok(value);
        }
        let (low, high) = bounds.into_inner();
        let digits_text = &self.text[start..self.offset];
        let range = texts::range_for(format!("{low:0digits$}"), format!("{high:0digits$}"), part);
        Err(self.nonexistent(start, common::expected(range, digits_text)))
    }

    /// Consumes this byte. Fails if something else follows.
    fn expect_byte(&mut self, expected_byte: u8) -> Result<(), TimeError> {
        if self.peek() != Some(expected_byte) {
            return Err(self.form_error(format!("`{}`", char::from(expected_byte))));
        }
        self.offset += 1;
        Ok(())
    }

    /// Parses the optional fraction after the seconds, as microseconds.
    fn parse_fraction(&mut self) -> Result<u32, TimeError> {
        if self.peek() != Some(b'.') {
            return Ok(0);
        }
        self.offset += 1;
        let start = self.offset;
        let mut micros = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            if self.offset - start < 6 {
                micros = micros * 10 + u32::from(digit - b'0');
            }
            self.offset += 1;
        }
        match self.offset - start {
            0 => Err(self.form_error(texts::digit_after_point())),
            digits @ 1..=6 => Ok(micros * 10_u32.pow(6 - u32::try_from(digits).expect("at most 6"))),
            digits => Err(self.error_in(start, self.offset, common::expected(texts::at_most_6_digits(), digits))),
        }
    }

    /// Parses `Z` or an offset from UTC.
    fn parse_offset(&mut self) -> Result<TimeDelta, TimeError> {
        let sign = match self.peek() {
            Some(b'Z' | b'z') => 0,
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return Err(self.form_error(texts::offset())),
        };
        self.offset += 1;
        if sign == 0 {
            return Ok(TimeDelta::zero());
        }
        let hours = self.parse_number(texts::offset_hours(), 2, 0..=23)?;
        self.expect_byte(b':')?;
        let minutes = self.parse_number(texts::offset_minutes(), 2, 0..=59)?;
        Ok(TimeDelta::minutes(sign * i64::from(hours * 60 + minutes)))
    }

    fn expect_end(&self) -> Result<(), TimeError> {
        if self.offset < self.text.len() { Err(self.form_error(texts::nothing_more())) } else { Ok(()) }
    }

    /// Error for a wrong form at the next character.
    fn form_error(&self, expected_item: impl Into<Arg>) -> TimeError {
        match self.text[self.offset..].chars().next() {
            Some(found_text) => {
                let found_text = format!("`{}`", found_text.escape_debug());
                self.error_in(self.offset, self.offset + 1, common::expected(expected_item, found_text))
            }
            None => self.error_in(self.offset, self.offset, common::expected(expected_item, texts::the_end())),
        }
    }

    fn error_in(&self, start: usize, end: usize, message: Message) -> TimeError {
        TimeError { range: CharRange { start, end }, code: "invalid_time", message }
    }

    /// Error for a date or time, from `start` to here, that doesn't exist.
    fn nonexistent(&self, start: usize, message: Message) -> TimeError {
        TimeError { range: CharRange { start, end: self.offset }, code: "no_such_time", message }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn error_text<T: std::fmt::Debug>(result: Result<T, TimeError>) -> String {
        let error = result.expect_err("the text is wrong");
        format!("{}..{} {}: {error}", error.range.start, error.range.end, error.code)
    }

    #[test]
    fn both_forms_parse_to_the_same_time() {
        for text in [
            "2026-05-01 09:30:00",
            "2026-05-01T09:30:00Z",
            "2026-05-01t09:30:00z",
            "2026-05-01T09:30:00.0Z",
            "2026-05-01T11:30:00+02:00",
            "2026-05-01T04:00:00-05:30",
            "2026-05-01T09:30:00-00:00",
        ] {
            assert_eq!(parse(text).map(print), Ok("2026-05-01T09:30:00Z".to_owned()), "{text}");
        }
        assert_eq!(parse("2026-05-01T09:30:00.25Z").map(print), Ok("2026-05-01T09:30:00.250Z".to_owned()));
        assert_eq!(parse("2026-05-01T09:30:00.000001Z").map(print), Ok("2026-05-01T09:30:00.000001Z".to_owned()));
        assert!(parse("2024-02-29 00:00:00").is_ok());
        assert!(parse("0001-01-01 00:00:00").is_ok());
        assert!(parse("9999-12-31T23:59:59.999999Z").is_ok());
    }

    #[test]
    fn reports_the_position_of_wrong_forms() {
        for (text, expected) in [
            (
                "",
                "0..0 invalid_time: expected `YYYY-MM-DD hh:mm:ss` (UTC) or RFC 3339 such as `2026-05-01T09:30:00Z`, found an empty string",
            ),
            ("yesterday", "0..1 invalid_time: expected 4 digits for the year, found `y`"),
            (" 2026-05-01 09:30:00", "0..1 invalid_time: expected 4 digits for the year, found ` `"),
            ("26-05-01 09:30:00", "2..3 invalid_time: expected 4 digits for the year, found `-`"),
            ("12026-05-01 09:30:00", "4..5 invalid_time: expected `-`, found `6`"),
            ("2026/05/01 09:30:00", "4..5 invalid_time: expected `-`, found `/`"),
            ("2026-5-01 09:30:00", "6..7 invalid_time: expected 2 digits for the month, found `-`"),
            ("2026-05-01", "10..10 invalid_time: expected a time after the date, found the end"),
            ("2026-05-01_09:30:00", "10..11 invalid_time: expected a space or `T` after the date, found `_`"),
            ("2026-05-01é09:30:00", "10..11 invalid_time: expected a space or `T` after the date, found `é`"),
            ("2026-05-01 09:30", "16..16 invalid_time: expected `:`, found the end"),
            ("2026-05-01 9:30:00", "12..13 invalid_time: expected 2 digits for the hour, found `:`"),
            ("2026-05-01T09:30:00", "19..19 invalid_time: expected `Z` or an offset such as `+02:00`, found the end"),
            ("2026-05-01T09:30:00+0200", "22..23 invalid_time: expected `:`, found `0`"),
            ("2026-05-01T09:30:00.Z", "20..21 invalid_time: expected a digit after the `.`, found `Z`"),
            (
                "2026-05-01T09:30:00.1234567Z",
                "20..27 invalid_time: expected at most 6 digits after the `.`, for microseconds, found 7",
            ),
            (
                "2026-05-01 09:30:00Z",
                "19..20 invalid_time: expected nothing after the seconds (this form is always UTC), found `Z`",
            ),
            ("2026-05-01T09:30:00ZZ", "20..21 invalid_time: expected nothing more, found `Z`"),
            (
                "2026-05-01T09:30:00\u{2212}01:00",
                "19..20 invalid_time: expected `Z` or an offset such as `+02:00`, found `\u{2212}`",
            ),
        ] {
            assert_eq!(error_text(parse(text)), expected, "{text}");
        }
    }

    #[test]
    fn rejects_nonexistent_dates_and_times() {
        for (text, expected) in [
            ("2024-02-30 00:00:00", "8..10 no_such_time: 30 February 2024 doesn't exist"),
            ("2023-02-29 00:00:00", "8..10 no_such_time: 29 February 2023 doesn't exist"),
            ("2026-04-31 00:00:00", "8..10 no_such_time: 31 April 2026 doesn't exist"),
            ("2026-13-01 00:00:00", "5..7 no_such_time: expected 01 to 12 for the month, found 13"),
            ("2026-00-01 00:00:00", "5..7 no_such_time: expected 01 to 12 for the month, found 00"),
            ("0000-01-01 00:00:00", "0..4 no_such_time: expected 0001 to 9999 for the year, found 0000"),
            ("2026-05-01 24:00:00", "11..13 no_such_time: expected 00 to 23 for the hour, found 24"),
            ("2026-05-01 23:59:60", "17..19 no_such_time: expected 00 to 59 for the second, found 60"),
            ("2026-05-01T09:30:00+24:00", "20..22 no_such_time: expected 00 to 23 for the offset's hours, found 24"),
            ("0001-01-01T00:00:00+00:01", "0..25 no_such_time: the time is outside the years 1 to 9999 in UTC"),
            ("9999-12-31T23:59:59-00:01", "0..25 no_such_time: the time is outside the years 1 to 9999 in UTC"),
        ] {
            assert_eq!(error_text(parse(text)), expected, "{text}");
        }
    }

    #[test]
    fn parses_and_describes_dates() {
        assert_eq!(
            parse_date("2024-02-29").map(|date| describe_date(date, Language::English)),
            Ok("29 February 2024".to_owned())
        );
        assert_eq!(
            error_text(parse_date("")),
            "0..0 invalid_time: expected a date as `YYYY-MM-DD`, found an empty string"
        );
        assert_eq!(error_text(parse_date("2024-02-29T")), "10..11 invalid_time: expected nothing more, found `T`");
        assert_eq!(error_text(parse_date("2100-02-29")), "8..10 no_such_time: 29 February 2100 doesn't exist");
    }

    #[test]
    fn describes_times_without_unneeded_parts() {
        for (text, expected) in [
            ("2026-05-01T09:30:00Z", "1 May 2026, 09:30 UTC"),
            ("2026-12-31T00:00:07Z", "31 December 2026, 00:00:07 UTC"),
            ("2026-05-01T09:30:00.25Z", "1 May 2026, 09:30:00.25 UTC"),
        ] {
            assert_eq!(parse(text).map(|time| describe(time, Language::English)), Ok(expected.to_owned()));
        }
        let german = parse("2026-03-01T09:30:05Z").map(|time| describe(time, Language::German));
        assert_eq!(german, Ok("1. März 2026, 09:30:05 UTC".to_owned()));
    }

    proptest! {
        #[test]
        fn parser_never_panics(text in "\\PC{0,30}") {
            let _ = parse(&text);
            let _ = parse_date(&text);
        }

        #[test]
        fn nearly_valid_texts_never_panic(text in "[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,7})?(Z|[+-][0-9]{2}:[0-9]{2})?\\PC?") {
            let _ = parse(&text);
        }

        #[test]
        fn printed_times_round_trip(micros in -62_135_596_800_000_000_i64..253_402_300_800_000_000) {
            let time = Timestamp::from_timestamp_micros(micros).expect("within the years 1 to 9999");
            prop_assert_eq!(parse(&print(time)), Ok(time));
        }
    }
}
