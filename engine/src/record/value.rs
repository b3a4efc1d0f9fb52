//! Readers for the values of fields, from JSON or from cells, with their bounds.

use std::borrow::Cow;

use chrono::NaiveDate;

use super::decimal::{DecimalMark, with_decimal_point};
use crate::api::{CallStatus, RecordingState, Timestamp};
use crate::country;
use crate::diacritics;
use crate::diagnostic::{
    Arg, Diagnostic, Message,
    catalog::{common, record as texts},
    describe_json, expected, format_number, format_text, from_time, is_decimal_literal, is_integer_literal,
    new_diagnostic, not_a_number, not_an_integer, not_permitted, wrong_type,
};
use crate::host;
use crate::json::{Node, Value};
use crate::time::{self, TimeError};
use crate::zone;

/// Maximum number of characters of a name, a city or a site.
pub const MAX_NAME_CHARS: usize = 200;
/// Maximum number of characters of a line of text.
pub const MAX_LONG_TEXT_CHARS: usize = 1_000;
/// Maximum number of characters of a phone number as entered, or of a postal code.
pub const MAX_PHONE_CHARS: usize = 50;
/// Maximum number of characters of an email address, as implied by RFC 5321.
pub const MAX_EMAIL_CHARS: usize = 254;
/// Maximum number of characters of a status name.
pub const MAX_STATUS_CHARS: usize = 50;

/// The input value of a field.
pub enum FieldInput<'a> {
    /// A JSON value.
    Json(&'a Node),
    /// The cells of the field's columns, usually one, and the decimal mark of numbers, if the mapping sets it.
    Cells(&'a [&'a str], Option<DecimalMark>),
}

impl<'a> FieldInput<'a> {
    /// Returns true for a missing value.
    pub fn is_null(&self) -> bool {
        match self {
            Self::Json(node) => node.value == Value::Null,
            Self::Cells(cells, _) => cells.iter().all(|cell| cell.is_empty()),
        }
    }

    /// Returns the text of a string or a cell.
    fn text(&self) -> Result<&'a str, Diagnostic> {
        match self {
            Self::Json(Node { value: Value::String(text), .. }) => Ok(text),
            Self::Cells(cells, _) => Ok(cells[0]),
            Self::Json(_) => Err(self.wrong_type(common::string())),
        }
    }

    /// Diagnostic for a value of the wrong kind.
    pub fn wrong_type(&self, expected: Message) -> Diagnostic {
        wrong_type(expected, self.describe())
    }

    /// Describes the value for messages.
    fn describe(&self) -> Arg {
        match self {
            Self::Json(node) => describe_json(&node.value),
            Self::Cells(cells, _) if cells[0].is_empty() => texts::empty_cell().into(),
            Self::Cells(cells, _) => format_text(cells[0]).into(),
        }
    }
}

/// Parses one line of text, up to `max` characters, without control characters.
pub fn text(max: usize) -> impl Fn(&FieldInput<'_>) -> Result<String, Diagnostic> {
    move |input| check_text(input.text()?, max, |c| !c.is_control()).map(str::to_owned)
}

/// Parses a phone number as entered, up to [`MAX_PHONE_CHARS`] characters. In a cell, a tab is a blank, and a line break separates numbers.
pub fn phone(input: &FieldInput<'_>) -> Result<String, Diagnostic> {
    match input {
        FieldInput::Cells(cells, _) if cells[0].contains(['\t', '\r', '\n']) => {
            let lines = cells[0].split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty());
            let cell = lines.collect::<Vec<_>>().join(", ").replace('\t', " ");
            text(MAX_PHONE_CHARS)(&FieldInput::Cells(&[&cell], None))
        }
        _ => text(MAX_PHONE_CHARS)(input),
    }
}

/// Parses text with tabs and line breaks, up to `max` characters.
pub fn lines(max: usize) -> impl Fn(&FieldInput<'_>) -> Result<String, Diagnostic> {
    move |input| {
        check_text(input.text()?, max, |c| !c.is_control() || matches!(c, '\t' | '\n' | '\r')).map(str::to_owned)
    }
}

/// Parses a name: one non-blank line of text.
pub fn name(input: &FieldInput<'_>) -> Result<String, Diagnostic> {
    let name = text(MAX_NAME_CHARS)(input)?;
    if name.trim().is_empty() {
        let found = if name.is_empty() { texts::nothing() } else { texts::only_spaces() };
        return Err(expected("too_short", texts::name_length(MAX_NAME_CHARS), found));
    }
    Ok(name)
}

fn check_text(text: &str, max: usize, is_permitted: impl Fn(char) -> bool) -> Result<&str, Diagnostic> {
    // A character has at least one byte, so most texts needn't be counted.
    if text.len() > max {
        let count = text.chars().count();
        if count > max {
            return Err(expected("too_long", common::at_most_characters(max), count).within(max, count));
        }
    }
    match text.chars().enumerate().find(|(_, c)| !is_permitted(*c)) {
        None => Ok(text),
        Some((index, c)) => {
            let code = format!("U+{:04X}", u32::from(c));
            Err(new_diagnostic("control_character", texts::forbidden_character(code)).within(index, index + 1))
        }
    }
}

/// Parses an email address. Only checks the form: text around a single `@`, without blanks.
pub fn email(input: &FieldInput<'_>) -> Result<String, Diagnostic> {
    let email = check_text(input.text()?, MAX_EMAIL_CHARS, |c| !c.is_control())?;
    let is_valid = email.split_once('@').is_some_and(|(local, domain)| {
        !local.is_empty() && !domain.is_empty() && !domain.contains('@') && !email.contains(char::is_whitespace)
    });
    if !is_valid {
        return Err(expected("invalid_email", texts::email(), format_text(email)));
    }
    Ok(email.to_owned())
}

/// Parses a phone number in E.164: `+`, then 2 to 15 digits without a leading 0.
pub fn e164(input: &FieldInput<'_>) -> Result<String, Diagnostic> {
    let number = input.text()?;
    let digits = number.strip_prefix('+').unwrap_or_default();
    let is_valid =
        (2..=15).contains(&digits.len()) && !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_valid {
        return Err(expected("invalid_phone_number", texts::e164(), format_text(number)));
    }
    Ok(number.to_owned())
}

/// Parses a country as its ISO 3166-1 alpha-2 code in upper case. An unknown country is rejected in JSON but kept in a cell, so that
/// the row isn't lost.
pub fn country(input: &FieldInput<'_>) -> Result<String, Diagnostic> {
    let text = text(MAX_NAME_CHARS)(input)?;
    match (input, country::find(&text)) {
        (_, Some(code)) => Ok(code.to_owned()),
        (FieldInput::Json(_), None) if !text.trim().is_empty() => country::parse(&text),
        _ => Ok(text),
    }
}

/// Parses a time zone as its current name in the IANA database.
pub fn time_zone(input: &FieldInput<'_>) -> Result<String, Diagnostic> {
    Ok(zone::parse_name(input.text()?)?.name().to_owned())
}

/// Returns true for a valid status name: 1 to 50 of the characters `a` to `z`, `0` to `9` and `_`.
pub fn is_status_name(name: &str) -> bool {
    (1..=MAX_STATUS_CHARS).contains(&name.len()) && name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// Parses the name of a status. The store checks whether it exists. A cell may have the name in another spelling: `No answer` is
/// `no_answer`.
pub fn status(input: &FieldInput<'_>) -> Result<String, Diagnostic> {
    let text = input.text()?;
    let name = match input {
        FieldInput::Cells(_, _) if !is_status_name(text) => Cow::Owned(to_status_name(text)),
        _ => Cow::Borrowed(text),
    };
    if !is_status_name(&name) {
        return Err(expected("invalid_status", texts::status(MAX_STATUS_CHARS), format_text(text)));
    }
    Ok(name.into_owned())
}

/// Converts a text to a status name: lower case, Latin letters without diacritics, and one `_` for any other characters between two words.
fn to_status_name(text: &str) -> String {
    let mut unmarked_text = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match diacritics::strip_diacritic(letter) {
            Some(letters_without_marks) => unmarked_text.push_str(letters_without_marks),
            None => unmarked_text.push(letter),
        }
    }
    let words = unmarked_text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// Parses one of a closed list of names.
pub fn named<T: Copy + 'static>(
    variants: &'static [T],
    name: fn(T) -> &'static str,
) -> impl Fn(&FieldInput<'_>) -> Result<T, Diagnostic> {
    move |input| {
        let text = input.text()?;
        variants
            .iter()
            .copied()
            .find(|variant| name(*variant) == text)
            .ok_or_else(|| not_permitted(text, variants.iter().map(|variant| name(*variant))))
    }
}

/// Parses the outcome of a call. A cell may have it in the spelling of users and telephone systems: `No Answer`, `ANSWERED`.
pub fn call_outcome(input: &FieldInput<'_>) -> Result<CallStatus, Diagnostic> {
    named(CallStatus::ALL, CallStatus::as_str)(input).or_else(|error| match input {
        FieldInput::Cells(cells, _) => CallStatus::from_name(&to_status_name(cells[0])).ok_or(error),
        FieldInput::Json(_) => Err(error),
    })
}

/// Parses the name of a call's outcome, like [`call_outcome`].
pub fn call_status(input: &FieldInput<'_>) -> Result<String, Diagnostic> {
    call_outcome(input).map(|status| status.as_str().to_owned())
}

/// Parses the state of a recording.
pub fn recording_state(input: &FieldInput<'_>) -> Result<RecordingState, Diagnostic> {
    named(RecordingState::ALL, RecordingState::as_str)(input)
}

/// Maximum id in a body: the largest integer that every JSON reader preserves (RFC 8259, section 6).
pub const MAX_ID: i64 = (1 << 53) - 1;

/// Maximum id that a new row may specify. The store continues numbering after it; the seven trillion (7 × 10¹²) ids above it stay within
/// [`MAX_ID`].
pub const MAX_NEW_ID: i64 = 9_000_000_000_000_000;

/// Parses the id of a new row.
pub fn new_id<T>(wrap: fn(i64) -> T) -> impl Fn(&FieldInput<'_>) -> Result<T, Diagnostic> {
    move |input| whole(1, MAX_NEW_ID)(input).map(wrap)
}

/// Parses an id.
pub fn id<T>(wrap: fn(i64) -> T) -> impl Fn(&FieldInput<'_>) -> Result<T, Diagnostic> {
    move |input| whole(1, MAX_ID)(input).map(wrap)
}

/// Parses an integer within bounds, in plain digits.
pub fn whole(low: i64, high: i64) -> impl Fn(&FieldInput<'_>) -> Result<i64, Diagnostic> {
    move |input| {
        let digits = match input {
            FieldInput::Json(Node { value: Value::Number(number), .. }) => number.as_str(),
            FieldInput::Cells(cells, _) => cells[0],
            FieldInput::Json(Node { value: Value::String(text), .. }) if !is_integer_literal(text) => {
                return Err(not_an_integer(text, format_text(text)));
            }
            FieldInput::Json(_) => return Err(input.wrong_type(common::integer())),
        };
        if !is_integer_literal(digits) {
            return Err(match input {
                FieldInput::Json(_) => not_an_integer(digits, format_number(digits)),
                FieldInput::Cells(_, _) if digits.is_empty() => input.wrong_type(common::integer()),
                FieldInput::Cells(_, _) => not_an_integer(digits, format_text(digits)),
            });
        }
        let in_range = digits.parse().ok().filter(|value| (low..=high).contains(value));
        in_range.ok_or_else(|| expected("out_of_range", common::integer_within(low, high), format_number(digits)))
    }
}

/// Parses a count within bounds.
pub fn count(low: u32, high: u32) -> impl Fn(&FieldInput<'_>) -> Result<u32, Diagnostic> {
    move |input| {
        let value = whole(low.into(), high.into())(input)?;
        Ok(u32::try_from(value).expect("the bounds are of this type"))
    }
}

/// Parses a number within bounds. Cells must not have an exponent. If the mapping doesn't set the decimal mark, ambiguous cells are
/// rejected.
pub fn number(low: f64, high: f64) -> impl Fn(&FieldInput<'_>) -> Result<f64, Diagnostic> {
    move |input| match input {
        FieldInput::Cells(cells, None) if DecimalMark::is_ambiguous(cells[0]) => {
            Err(expected("ambiguous_number", texts::unambiguous_number(), format_text(cells[0])))
        }
        _ => number_within(low, high, input),
    }
}

fn number_within(low: f64, high: f64, input: &FieldInput<'_>) -> Result<f64, Diagnostic> {
    let point_text = match input {
        FieldInput::Cells(cells, mark) if !cells[0].is_empty() => {
            with_decimal_point(cells[0], *mark).ok_or_else(|| {
                wrong_type(mark.map_or_else(common::number, DecimalMark::describe_number), format_text(cells[0]))
            })?
        }
        _ => Cow::Borrowed(""),
    };
    let number = match input {
        FieldInput::Json(Node { value: Value::Number(number), .. }) => number.as_str(),
        FieldInput::Cells(_, _) if is_decimal_literal(&point_text) => &*point_text,
        FieldInput::Cells(cells, _) if !cells[0].is_empty() => return Err(not_a_number(cells[0])),
        // JSON numbers must not be in quotes. A form sends invalid numbers in quotes.
        FieldInput::Json(Node { value: Value::String(text), .. }) if host::parse_float(text).is_none() => {
            return Err(not_a_number(text));
        }
        _ => return Err(input.wrong_type(common::number())),
    };
    let in_range = host::parse_float(number).filter(|value| (low..=high).contains(value));
    in_range.ok_or_else(|| expected("out_of_range", common::number_within(low, high), format_number(number)))
}

/// Parses an angle in degrees, within bounds below a thousand. In a cell, both marks are decimal marks.
pub fn degrees(low: f64, high: f64) -> impl Fn(&FieldInput<'_>) -> Result<f64, Diagnostic> {
    move |input| match input {
        FieldInput::Cells(cells, _) => {
            number_within(low, high, &FieldInput::Cells(&[&cells[0].replacen(',', ".", 1)], None))
        }
        FieldInput::Json(_) => number_within(low, high, input),
    }
}

/// Words for true in spreadsheets.
const TRUE_WORDS: [&str; 5] = ["true", "yes", "ja", "wahr", "1"];

/// Words for false in spreadsheets.
const FALSE_WORDS: [&str; 5] = ["false", "no", "nein", "falsch", "0"];

/// Parses a boolean. A cell may contain an English or German word in upper or lower case.
pub fn boolean(input: &FieldInput<'_>) -> Result<bool, Diagnostic> {
    match input {
        FieldInput::Json(Node { value: Value::Bool(value), .. }) => Ok(*value),
        FieldInput::Cells(cells, _) if TRUE_WORDS.iter().any(|word| cells[0].eq_ignore_ascii_case(word)) => Ok(true),
        FieldInput::Cells(cells, _) if FALSE_WORDS.iter().any(|word| cells[0].eq_ignore_ascii_case(word)) => Ok(false),
        _ => Err(input.wrong_type(common::true_or_false())),
    }
}

/// Parses a timestamp. In a cell, the day may come first, as in `24.12.2025 13:45`.
pub fn timestamp(input: &FieldInput<'_>) -> Result<Timestamp, Diagnostic> {
    parse_time_input(input, time::parse, texts::write_date_time)
}

/// Parses a date. In a cell, the day may come first, as in `24.12.2025`, and a time of day after it is dropped.
pub fn date(input: &FieldInput<'_>) -> Result<NaiveDate, Diagnostic> {
    match input {
        FieldInput::Cells([cell], mark) => {
            parse_time_input(&FieldInput::Cells(&[strip_time_of_day(cell)], *mark), time::parse_date, texts::write_date)
        }
        _ => parse_time_input(input, time::parse_date, texts::write_date),
    }
}

/// Removes the time of day after a date.
fn strip_time_of_day(cell: &str) -> &str {
    let Some((date, time_of_day)) = cell.split_once([' ', 'T']) else { return cell };
    let is_clock = is_time_of_day(time_of_day.trim());
    if is_clock { date.trim_end_matches(',') } else { cell }
}

/// Returns true for a time of day such as `13:45`, `13:45:06.5` or `1:45 PM`.
fn is_time_of_day(text: &str) -> bool {
    let (time, max_hour) = match text.len().checked_sub(3).and_then(|at| text.split_at_checked(at)) {
        Some((time, suffix)) if [" AM", " PM"].iter().any(|marker| suffix.eq_ignore_ascii_case(marker)) => (time, 12),
        _ => (text, 23),
    };
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let time = time.split_once('.').map_or(time, |(time, fraction)| if are_digits(fraction) { time } else { "" });
    let is_within = |part: &str, max: u8| are_digits(part) && part.parse().is_ok_and(|part: u8| part <= max);
    let mut parts = time.split(':');
    let has_hours = parts.next().is_some_and(|hours| is_within(hours, max_hour));
    let rest: Vec<_> = parts.collect();
    has_hours && (1..=2).contains(&rest.len()) && rest.iter().all(|part| part.len() == 2 && is_within(part, 59))
}

/// Parses a time. For a cell in none of the accepted forms, `forms_hint` is the hint that lists them.
fn parse_time_input<T>(
    input: &FieldInput<'_>,
    parse: fn(&str) -> Result<T, TimeError>,
    forms_hint: fn() -> Message,
) -> Result<T, Diagnostic> {
    let text = input.text()?;
    match input {
        FieldInput::Cells(_, _) => match time::to_year_first(text) {
            // The converted text has different character positions.
            Some(year_first_text) => {
                parse(&year_first_text).map_err(|error| Diagnostic { span: None, ..from_time(error) })
            }
            None => parse(text).map_err(|error| {
                let error = from_time(error);
                // A date that doesn't exist has a valid form, so it gets no hint.
                if error.suggestion.is_some() || error.code == "no_such_time" {
                    error
                } else {
                    error.suggest(forms_hint())
                }
            }),
        },
        FieldInput::Json(_) => parse(text).map_err(from_time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_cells_of_spreadsheets_from_many_countries() {
        let numbers = |cell: &str| number(-1e9, 1e9)(&FieldInput::Cells(&[cell], None)).ok();
        for (cell, value) in [
            ("12,5", 12.5),
            ("-0,75", -0.75),
            ("1.234,50", 1234.5),
            ("1.234.567,890", 1_234_567.89),
            ("1,234.5", 1234.5),
            ("1.234.567", 1_234_567.0),
            ("12.5", 12.5),
        ] {
            assert_eq!(numbers(cell), Some(value), "{cell}");
        }
        // Ambiguous numbers, and texts that aren't numbers.
        let diagnostic = number(-1e9, 1e9)(&FieldInput::Cells(&["1,234"], None)).expect_err("ambiguous");
        assert_eq!(diagnostic.code, "ambiguous_number");
        for cell in ["1,234", "1.234", "1.234 €", "1,2,3", "12.34,5", ",5", "5,", "1,5e3", ""] {
            assert_eq!(numbers(cell), None, "{cell}");
        }
        let date_of = |cell: &str| {
            date(&FieldInput::Cells(&[cell], None))
                .map(|date| date.to_string())
                .map_err(|diagnostic| diagnostic.message.to_string())
        };
        assert_eq!(date_of("24.12.2025"), Ok("2025-12-24".to_owned()));
        assert_eq!(date_of("1.2.2025"), Ok("2025-02-01".to_owned()));
        assert_eq!(date_of("31.4.2025"), Err("31 April 2025 doesn't exist".to_owned()));
        for cell in ["24.12.2025 13:45", "2025-12-24 00:00:00", "24.12.2025, 1:45 PM", "2025-12-24T13:45:06.5"] {
            assert_eq!(date_of(cell), Ok("2025-12-24".to_owned()), "{cell}");
        }
        for cell in ["24.12.25", "12/24/2025", "24.12.2025 x", "24.12.2025 25:00"] {
            assert!(date_of(cell).is_err(), "{cell}");
        }
        let timestamp_of = |cell: &str| timestamp(&FieldInput::Cells(&[cell], None)).map(time::print).ok();
        assert_eq!(timestamp_of("24.12.2025 13:45").as_deref(), Some("2025-12-24T13:45:00Z"));
        assert_eq!(timestamp_of("24.12.2025 13:45:06").as_deref(), Some("2025-12-24T13:45:06Z"));
        assert_eq!(timestamp_of("24.12.2025"), None);
    }
}
