//! Times and dates as integers.

use chrono::{DateTime, NaiveDate};
use leadscribe_engine::api::Timestamp;

/// Timestamp from microseconds since 1970.
pub(super) fn from_micros(micros: i64) -> Timestamp {
    DateTime::from_timestamp_micros(micros).expect("a row contains valid times")
}

/// Date from days since 1970.
pub(super) fn from_days(days: i32) -> NaiveDate {
    NaiveDate::from_epoch_days(days).expect("a row contains valid dates")
}
