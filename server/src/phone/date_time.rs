//! Recognizes times of day and dates next to a number, which aren't part of it.

use super::tokenizer::Token::{self, Digits, Punctuation, Word};
use super::words;

/// Returns the number of tokens of the opening hours or date that begin at `start`; 0 if there are none.
///
/// Only unambiguous forms count: with a colon, the word `Uhr`, or a year of four digits. `17.00` alone may be part of a number.
pub fn date_time_length(tokens: &[Token], start: usize) -> usize {
    let (before, following) = tokens.split_at(start);
    let is_free = match (before, following) {
        ([.., Digits(_) | Punctuation('-' | '.' | '/' | '+')], _) => false,
        // `17 00 Uhr`
        ([.., Digits(hour), Punctuation(' ')], [Digits(minute), rest @ ..]) if is_hour(hour) && is_minute(minute) => {
            matches!(rest.first(), Some(Punctuation('.' | ':')))
        }
        _ => true,
    };
    let length = is_free.then(|| date_length(following).or_else(|| hours_length(following)));
    length.flatten().unwrap_or_default()
}

/// Returns the number of tokens of a date: `12.05.2026`, `2026-05-12`, `5/12/2026`, `3.5.`, `05/2026`, `2026-05`
fn date_length(tokens: &[Token]) -> Option<usize> {
    let is_day = |digits: &str| digits.len() <= 2 && is_between(digits, 1, 31);
    let is_month = |digits: &str| digits.len() <= 2 && is_between(digits, 1, 12);
    let is_year = |digits: &str| digits.len() == 4 && is_between(digits, 1900, 2099);
    match tokens {
        [Digits(first), Punctuation(symbol), Digits(second), Punctuation(second_symbol), Digits(third), rest @ ..] => {
            let is_date = is_year(first) && is_day(third) || is_day(first) && is_year(third);
            let is_consistent = symbol == second_symbol && matches!(symbol, '-' | '.' | '/');
            (is_date && is_consistent && is_day(second) && !is_continued(rest)).then_some(5)
        }
        [Digits(day), Punctuation('.'), Digits(month), Punctuation('.'), ..] => {
            (is_day(day) && is_month(month)).then_some(4)
        }
        [Digits(first), Punctuation('.' | '/' | '-'), Digits(second), rest @ ..] => {
            let is_date = is_month(first) && is_year(second) || is_year(first) && is_month(second);
            (is_date && !is_continued(rest) && !words::is_followed_by_digits(rest)).then_some(3)
        }
        _ => None,
    }
}

/// Returns the number of tokens of opening hours: `17:00`, `9-17 Uhr`, `8:00 bis 16:30`, `9am-5pm`
fn hours_length(tokens: &[Token]) -> Option<usize> {
    let mut hours = parse_time(tokens)?;
    while let Some(gap_length) = separator_length(&tokens[hours.length..]) {
        let start = hours.length + gap_length;
        let Some(next) = parse_time(&tokens[start..]) else { break };
        let end = start + next.length;
        // These digits may be the start of a number.
        if !next.is_clear && words::is_followed_by_digits(&tokens[end..]) {
            break;
        }
        let is_clear = hours.is_clear || next.is_clear || hours.has_unit || next.has_unit;
        hours = Time { length: end, is_clear, has_unit: false };
    }
    hours.is_clear.then_some(hours.length)
}

struct Time {
    /// Number of tokens.
    length: usize,
    /// True if it can't be part of a number.
    is_clear: bool,
    /// True if it can't be part of a number when another time follows or precedes it.
    has_unit: bool,
}

fn parse_time(tokens: &[Token]) -> Option<Time> {
    let (length, has_colon) = match tokens {
        [Digits(hour), Punctuation(':'), Digits(minute), Punctuation(':'), Digits(second), ..]
            if is_hour(hour) && is_minute(minute) && is_minute(second) =>
        {
            (5, true)
        }
        [Digits(hour), Punctuation(':'), Digits(minute), ..] if is_hour(hour) && is_minute(minute) => (3, true),
        [Digits(hour), Word(letter), Digits(minute), ..] if letter == "h" && is_hour(hour) && is_minute(minute) => {
            (3, true)
        }
        [Digits(hour), Punctuation('.'), Digits(minute), ..] if is_hour(hour) && is_minute(minute) => (3, false),
        [Digits(hour), ..] if is_hour(hour) => (1, false),
        [Digits(hour_and_minute), ..]
            if hour_and_minute.split_at_checked(2).is_some_and(|(hour, minute)| is_hour(hour) && is_minute(minute)) =>
        {
            let (length, is_clear) = unit_length(&tokens[1..]);
            return is_clear.then_some(Time { length: 1 + length, is_clear, has_unit: true });
        }
        _ => return None,
    };
    let (unit, is_clear) = unit_length(&tokens[length..]);
    Some(Time { length: length + unit, is_clear: has_colon || is_clear, has_unit: unit > 0 })
}

/// Returns the number of tokens of a time unit, and true if the unit is unambiguous.
fn unit_length(tokens: &[Token]) -> (usize, bool) {
    let spaces = count_spaces(tokens);
    match &tokens[spaces..] {
        [Word(half), Punctuation('.'), Word(m), rest @ ..] if m == "m" && matches!(half.as_str(), "a" | "p") => {
            (spaces + 3 + usize::from(rest.first() == Some(&Punctuation('.'))), true)
        }
        // `17 Uhr 30`
        [Word(unit), Punctuation(' '), Digits(minute), rest @ ..]
            if unit == "uhr" && minute.len() == 2 && !words::is_followed_by_digits(rest) =>
        {
            (spaces + 3, true)
        }
        [Word(unit), ..] if matches!(unit.as_str(), "uhr" | "hrs" | "pm") => (spaces + 1, true),
        // After a space, `h` may be a label and `am` the German word.
        [Word(unit), ..] if spaces == 0 && matches!(unit.as_str(), "h" | "am") => (1, false),
        _ => (0, false),
    }
}

/// Returns the number of tokens between two times.
fn separator_length(tokens: &[Token]) -> Option<usize> {
    let before = count_spaces(tokens);
    let is_separator = match tokens.get(before)? {
        Punctuation(symbol) => matches!(symbol, '-' | ','),
        Word(word) => matches!(word.as_str(), "bis" | "to" | "till" | "until" | "und" | "and"),
        Digits(_) => false,
    };
    is_separator.then(|| before + 1 + count_spaces(&tokens[before + 1..]))
}

fn count_spaces(tokens: &[Token]) -> usize {
    tokens.iter().take_while(|token| matches!(token, Punctuation(' ' | '\t'))).count()
}

fn is_continued(rest: &[Token]) -> bool {
    matches!(rest, [Punctuation('-' | '.' | '/'), Digits(_), ..])
}

fn is_hour(digits: &str) -> bool {
    digits.len() <= 2 && is_between(digits, 0, 24)
}

fn is_minute(digits: &str) -> bool {
    digits.len() == 2 && is_between(digits, 0, 59)
}

fn is_between(digits: &str, min: u32, max: u32) -> bool {
    digits.parse().is_ok_and(|number: u32| (min..=max).contains(&number))
}
