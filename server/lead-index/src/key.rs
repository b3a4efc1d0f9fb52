//! Order-preserving integer keys for numbers and times, and ranges of keys.

use std::ops::{Bound, RangeBounds};

use chrono::{NaiveDate, NaiveTime};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::predicate::{Comparison, Value};

/// Key of a timestamp: microseconds since 1970; finer parts are cut off.
pub(crate) fn of_time(time: Timestamp) -> i64 {
    time.timestamp_micros()
}

/// Key of a date: that of its midnight in UTC.
pub(crate) fn of_date(date: NaiveDate) -> i64 {
    of_time(date.and_time(NaiveTime::MIN).and_utc())
}

/// Key of a double, which must not be NaN. Larger numbers have larger keys.
pub(crate) fn of_number(number: f64) -> i64 {
    // Both zeros are equal. For negative numbers, the bits besides the sign decrease as the number increases.
    let bits = (number + 0.0).to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// Key of a value of an integer, number or time field; `None` if no stored value can equal it.
pub(crate) fn of_value(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(integer) => Some(*integer),
        Value::Number(number) => Some(of_number(*number)),
        Value::Time(time) => is_stored(*time).then(|| of_time(*time)),
        Value::Text(_) | Value::Boolean(_) => None,
    }
}

/// True if the timestamp has whole microseconds, as stored timestamps do.
fn is_stored(time: Timestamp) -> bool {
    time.timestamp_subsec_nanos().is_multiple_of(1_000)
}

/// Inclusive range of keys; empty if `min` is above `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Smallest key.
    pub min: i64,
    /// Largest key.
    pub max: i64,
}

impl Span {
    const ALL: Self = Self { min: i64::MIN, max: i64::MAX };
    const NONE: Self = Self { min: 1, max: 0 };

    /// Keys of the values for which the comparison with this value holds.
    pub fn of(comparison: Comparison, value: &Value) -> Self {
        let (key, exact) = match value {
            Value::Time(time) => (of_time(*time), is_stored(*time)),
            value => match of_value(value) {
                Some(key) => (key, true),
                None => return Self::NONE,
            },
        };
        let span = match comparison {
            Comparison::Less if exact => key.checked_sub(1).map(|max| Self { max, ..Self::ALL }),
            Comparison::Less | Comparison::LessOrEqual => Some(Self { max: key, ..Self::ALL }),
            Comparison::GreaterOrEqual if exact => Some(Self { min: key, ..Self::ALL }),
            Comparison::Greater | Comparison::GreaterOrEqual => key.checked_add(1).map(|min| Self { min, ..Self::ALL }),
        };
        span.unwrap_or(Self::NONE)
    }

    /// Range of this key alone.
    pub fn only(key: i64) -> Self {
        Self { min: key, max: key }
    }

    /// Intersection.
    pub fn and(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// True if the range is empty.
    pub fn is_empty(self) -> bool {
        self.min > self.max
    }
}

impl RangeBounds<i64> for Span {
    fn start_bound(&self) -> Bound<&i64> {
        Bound::Included(&self.min)
    }

    fn end_bound(&self) -> Bound<&i64> {
        Bound::Included(&self.max)
    }
}

/// Key of a custom field's number, integer or not. Equal numbers have equal keys, and larger numbers larger keys.
///
/// The first part is the integer part. The second is the fraction, or the whole number if it is outside the integer range. Neither is
/// rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CustomNumber(i64, i64);

impl CustomNumber {
    /// Key of an integer.
    pub fn of_integer(integer: i64) -> Self {
        Self(integer, of_number(0.0))
    }

    /// Key of a double.
    pub fn of_number(number: f64) -> Self {
        const BEYOND: f64 = 9_223_372_036_854_775_808.0; // 2^63, the first double above all whole numbers
        let rest = if (-BEYOND..BEYOND).contains(&number) { number.fract() } else { number };
        Self(number.trunc() as i64, of_number(rest))
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};

    use super::*;

    #[test]
    fn number_keys_preserve_order() {
        let numbers =
            [f64::MIN, -1e19, -2.5, -1.0, -1e-300, 0.0, 1e-300, 0.5, 1.0, 9_007_199_254_740_992.0, 1e19, f64::MAX];
        assert!(numbers.iter().map(|number| of_number(*number)).is_sorted_by(|one, next| one < next));
        assert!(numbers.iter().map(|number| CustomNumber::of_number(*number)).is_sorted_by(|one, next| one < next));
        assert_eq!(of_number(-0.0), of_number(0.0));
    }

    #[test]
    fn custom_integers_and_doubles_compare_exactly() {
        let exact = 9_007_199_254_740_993; // 2^53 + 1, which no double is
        assert!(CustomNumber::of_integer(exact) > CustomNumber::of_number(exact as f64));
        assert!(CustomNumber::of_integer(-1) > CustomNumber::of_number(-1.5));
        assert!(CustomNumber::of_integer(0) > CustomNumber::of_number(-0.5));
        assert_eq!(CustomNumber::of_integer(3), CustomNumber::of_number(3.0));
        assert_eq!(CustomNumber::of_integer(0), CustomNumber::of_number(-0.0));
        assert!(CustomNumber::of_integer(i64::MAX) < CustomNumber::of_number(9_223_372_036_854_775_808.0));
        assert_eq!(CustomNumber::of_integer(i64::MIN), CustomNumber::of_number(-9_223_372_036_854_775_808.0));
    }

    #[test]
    fn submicrosecond_times_bound_ranges_but_equal_nothing() {
        let whole = DateTime::from_timestamp_micros(1_000).unwrap();
        let between = Value::Time(whole + TimeDelta::nanoseconds(1));
        assert_eq!(of_value(&between), None);
        assert_eq!(Span::of(Comparison::Less, &between).max, 1_000);
        assert_eq!(Span::of(Comparison::GreaterOrEqual, &between).min, 1_001);
        assert_eq!(Span::of(Comparison::Less, &Value::Time(whole)).max, 999);
    }
}
