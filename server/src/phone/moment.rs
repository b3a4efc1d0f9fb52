//! Recognises times of day and dates next to a number, which aren't part of it.

use super::text::Piece::{self, Digits, Sign, Word};
use super::words;

/// Returns the number of pieces of the opening hours or date that begin at `at`; 0 without one.
///
/// Only unambiguous forms count: with a colon, the word `Uhr`, or a year of four digits. `17.00` alone may be part of a number.
pub fn length(pieces: &[Piece], at: usize) -> usize {
    let (before, moment) = pieces.split_at(at);
    let is_free = match (before, moment) {
        ([.., Digits(_) | Sign('-' | '.' | '/' | '+')], _) => false,
        // `17 00 Uhr`
        ([.., Digits(hour), Sign(' ')], [Digits(minute), rest @ ..]) if is_hour(hour) && is_minute(minute) => {
            matches!(rest.first(), Some(Sign('.' | ':')))
        }
        _ => true,
    };
    let length = is_free.then(|| date(moment).or_else(|| hours(moment)));
    length.flatten().unwrap_or_default()
}

/// `12.05.2026`, `2026-05-12`, `5/12/2026`, `3.5.`, `05/2026`, `2026-05`
fn date(pieces: &[Piece]) -> Option<usize> {
    let is_day = |digits: &str| digits.len() <= 2 && is_between(digits, 1, 31);
    let is_month = |digits: &str| digits.len() <= 2 && is_between(digits, 1, 12);
    let is_year = |digits: &str| digits.len() == 4 && is_between(digits, 1900, 2099);
    match pieces {
        [Digits(first), Sign(sign), Digits(second), Sign(same), Digits(third), rest @ ..] => {
            let is_date = is_year(first) && is_day(third) || is_day(first) && is_year(third);
            let is_even = sign == same && matches!(sign, '-' | '.' | '/');
            (is_date && is_even && is_day(second) && !is_continued(rest)).then_some(5)
        }
        [Digits(day), Sign('.'), Digits(month), Sign('.'), ..] => (is_day(day) && is_month(month)).then_some(4),
        [Digits(first), Sign('.' | '/' | '-'), Digits(second), rest @ ..] => {
            let is_date = is_month(first) && is_year(second) || is_year(first) && is_month(second);
            (is_date && !is_continued(rest) && !words::followed_by_digits(rest)).then_some(3)
        }
        _ => None,
    }
}

/// `17:00`, `9-17 Uhr`, `8:00 bis 16:30`, `9am-5pm`
fn hours(pieces: &[Piece]) -> Option<usize> {
    let mut hours = time(pieces)?;
    while let Some(behind) = separator(&pieces[hours.length..]) {
        let begin = hours.length + behind;
        let Some(next) = time(&pieces[begin..]) else { break };
        let end = begin + next.length;
        // Otherwise it is the start of a number.
        if !next.is_clear && words::followed_by_digits(&pieces[end..]) {
            break;
        }
        let is_clear = hours.is_clear || next.is_clear || hours.has_unit || next.has_unit;
        hours = Time { length: end, is_clear, has_unit: false };
    }
    hours.is_clear.then_some(hours.length)
}

struct Time {
    /// Number of pieces.
    length: usize,
    /// True if it can't be part of a number.
    is_clear: bool,
    /// True if it can't be part of a number when another time follows or precedes it.
    has_unit: bool,
}

fn time(pieces: &[Piece]) -> Option<Time> {
    let (length, has_colon) = match pieces {
        [Digits(hour), Sign(':'), Digits(minute), Sign(':'), Digits(second), ..]
            if is_hour(hour) && is_minute(minute) && is_minute(second) =>
        {
            (5, true)
        }
        [Digits(hour), Sign(':'), Digits(minute), ..] if is_hour(hour) && is_minute(minute) => (3, true),
        [Digits(hour), Word(letter), Digits(minute), ..] if letter == "h" && is_hour(hour) && is_minute(minute) => {
            (3, true)
        }
        [Digits(hour), Sign('.'), Digits(minute), ..] if is_hour(hour) && is_minute(minute) => (3, false),
        [Digits(hour), ..] if is_hour(hour) => (1, false),
        [Digits(both), ..]
            if both.split_at_checked(2).is_some_and(|(hour, minute)| is_hour(hour) && is_minute(minute)) =>
        {
            let (length, is_clear) = unit(&pieces[1..]);
            return is_clear.then_some(Time { length: 1 + length, is_clear, has_unit: true });
        }
        _ => return None,
    };
    let (unit, is_clear) = unit(&pieces[length..]);
    Some(Time { length: length + unit, is_clear: has_colon || is_clear, has_unit: unit > 0 })
}

/// Returns the number of pieces of a time unit, and true if the unit is unambiguous.
fn unit(pieces: &[Piece]) -> (usize, bool) {
    let blanks = blanks(pieces);
    match &pieces[blanks..] {
        [Word(half), Sign('.'), Word(m), rest @ ..] if m == "m" && matches!(half.as_str(), "a" | "p") => {
            (blanks + 3 + usize::from(rest.first() == Some(&Sign('.'))), true)
        }
        // `17 Uhr 30`
        [Word(unit), Sign(' '), Digits(minute), rest @ ..]
            if unit == "uhr" && minute.len() == 2 && !words::followed_by_digits(rest) =>
        {
            (blanks + 3, true)
        }
        [Word(unit), ..] if matches!(unit.as_str(), "uhr" | "hrs" | "pm") => (blanks + 1, true),
        // Otherwise `h` may be a label, and `am` the German word.
        [Word(unit), ..] if blanks == 0 && matches!(unit.as_str(), "h" | "am") => (1, false),
        _ => (0, false),
    }
}

/// Returns the number of pieces between two times.
fn separator(pieces: &[Piece]) -> Option<usize> {
    let before = blanks(pieces);
    let is_separator = match pieces.get(before)? {
        Sign(sign) => matches!(sign, '-' | ','),
        Word(word) => matches!(word.as_str(), "bis" | "to" | "till" | "until" | "und" | "and"),
        Digits(_) => false,
    };
    is_separator.then(|| before + 1 + blanks(&pieces[before + 1..]))
}

fn blanks(pieces: &[Piece]) -> usize {
    pieces.iter().take_while(|piece| matches!(piece, Sign(' ' | '\t'))).count()
}

fn is_continued(rest: &[Piece]) -> bool {
    matches!(rest, [Sign('-' | '.' | '/'), Digits(_), ..])
}

fn is_hour(digits: &str) -> bool {
    digits.len() <= 2 && is_between(digits, 0, 24)
}

fn is_minute(digits: &str) -> bool {
    digits.len() == 2 && is_between(digits, 0, 59)
}

fn is_between(digits: &str, least: u32, most: u32) -> bool {
    digits.parse().is_ok_and(|number: u32| (least..=most).contains(&number))
}
