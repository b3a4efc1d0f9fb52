//! Times and dates as integers.

use chrono::{DateTime, NaiveDate};
use leadscribe_engine::api::Timestamp;

/// Timestamp of these microseconds since 1970.
pub(super) fn from_micros(micros: i64) -> Timestamp {
    DateTime::from_timestamp_micros(micros).expect("every stored time was a time")
}

/// Date of these days since 1970.
pub(super) fn from_days(days: i32) -> NaiveDate {
    NaiveDate::from_epoch_days(days).expect("every stored date was a date")
}

/// Days from 1970 to a date.
pub(super) fn to_days(date: NaiveDate) -> i32 {
    date.to_epoch_days()
}
