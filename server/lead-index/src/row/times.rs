//! Moments and dates as JSON: the very texts that `serde_json` makes of them, several times as fast.

use chrono::{DateTime, NaiveDate};
use leadscribe_engine::api::Timestamp;

use crate::key::DAY;

/// From 0000-03-01 to 1970-01-01, in days.
const EPOCH: i64 = 719_468;

/// The days of 400 years, after which the calendar repeats itself.
const ERA: i64 = 146_097;

/// The moment so many microseconds after 1970.
pub(super) fn time(micros: i64) -> Timestamp {
    DateTime::from_timestamp_micros(micros).expect("every stored time was a time")
}

/// The date so many days after 1970.
pub(super) fn date(days: i32) -> NaiveDate {
    NaiveDate::from_epoch_days(days).expect("every stored date was a date")
}

/// The days from 1970 to a date.
pub(super) fn days(date: NaiveDate) -> i32 {
    date.to_epoch_days()
}

/// Appends a moment, given in microseconds since 1970.
pub(super) fn write_time(micros: i64, out: &mut Vec<u8>) {
    let (days, rest) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    out.push(b'"');
    if !push_date(days, out) {
        out.pop();
        return serde_json::to_writer(out, &time(micros)).expect("a time is written to memory");
    }
    let (seconds, fraction) = (rest / 1_000_000, rest % 1_000_000);
    let [h, m, s] = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(two);
    out.extend_from_slice(&[b'T', h[0], h[1], b':', m[0], m[1], b':', s[0], s[1]]);
    if fraction != 0 {
        let [a, b, c] = [fraction / 10_000, fraction / 100 % 100, fraction % 100].map(two);
        let digits = [b'.', a[0], a[1], b[0], b[1], c[0], c[1]];
        out.extend_from_slice(if fraction % 1_000 == 0 { &digits[..4] } else { &digits });
    }
    out.extend_from_slice(b"Z\"");
}

/// Appends a date, given in days since 1970.
pub(super) fn write_date(days: i32, out: &mut Vec<u8>) {
    out.push(b'"');
    if !push_date(days.into(), out) {
        out.pop();
        return serde_json::to_writer(out, &date(days)).expect("a date is written to memory");
    }
    out.push(b'"');
}

/// Appends `2026-05-01`; false for a year that doesn't have four digits.
fn push_date(days: i64, out: &mut Vec<u8>) -> bool {
    // Counted from 1 March, the leap day is the last of a year.
    let days = days + EPOCH;
    let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year + i64::from(month >= 10);
    let month = if month < 10 { month + 3 } else { month - 9 };
    if !(0..=9999).contains(&year) {
        return false;
    }
    let [c, y, m, d] = [year / 100, year % 100, month, day].map(two);
    out.extend_from_slice(&[c[0], c[1], y[0], y[1], b'-', m[0], m[1], b'-', d[0], d[1]]);
    true
}

/// A number below 100 as two digits.
fn two(number: i64) -> [u8; 2] {
    [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn times_and_dates_are_written_as_serde_json_does(
            micros in prop_oneof![-62_200_000_000_000_000_i64..=253_500_000_000_000_000, -10_i64..10, Just(951_782_400_000_000)],
            places in 0_u32..7,
        ) {
            let micros = micros / 10_i64.pow(places) * 10_i64.pow(places);
            let mut out = Vec::new();
            write_time(micros, &mut out);
            prop_assert_eq!(&out, &serde_json::to_vec(&time(micros)).unwrap());
            out.clear();
            let day = days(time(micros).date_naive());
            write_date(day, &mut out);
            prop_assert_eq!(out, serde_json::to_vec(&date(day)).unwrap());
        }
    }
}
