//! Moments and dates as whole numbers.

use chrono::{DateTime, NaiveDate};
use leadscribe_engine::api::Timestamp;

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
