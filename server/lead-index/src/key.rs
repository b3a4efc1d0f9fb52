//! Order-preserving integer keys for numbers and times, and ranges of keys.

use std::ops::{Bound, RangeBounds};

use chrono::{NaiveDate, NaiveTime};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::filter::predicate::{Comparison, Value};

/// Key of a timestamp: microseconds since 1970; finer parts are cut off.
pub(crate) fn from_time(time: Timestamp) -> i64 {
    time.timestamp_micros()
}

/// Key of a date: that of its midnight in UTC.
pub(crate) fn from_date(date: NaiveDate) -> i64 {
    from_time(date.and_time(NaiveTime::MIN).and_utc())
}

/// Key of a double, which must not be NaN. Larger numbers have larger keys.
pub(crate) fn from_number(number: f64) -> i64 {
    // Both zeros are equal. For negative numbers, the bits besides the sign decrease as the number increases.
    let bits = (number + 0.0).to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// Key of a value of an integer, number or time field; `None` if no stored value can equal it.
pub(crate) fn from_value(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(integer) => Some(*integer),
        Value::Number(number) => Some(from_number(*number)),
        Value::Time(time) => has_whole_micros(*time).then(|| from_time(*time)),
        Value::Text(_) | Value::Boolean(_) => None,
    }
}

/// True if the timestamp has whole microseconds, as stored timestamps do.
fn has_whole_micros(time: Timestamp) -> bool {
    time.timestamp_subsec_nanos().is_multiple_of(1_000)
}

/// Inclusive range of keys; empty if `min` is above `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyRange {
    /// Smallest key.
    pub min: i64,
    /// Largest key.
    pub max: i64,
}

impl KeyRange {
    const FULL: Self = Self { min: i64::MIN, max: i64::MAX };
    const EMPTY: Self = Self { min: 1, max: 0 };

    /// Keys of the values for which the comparison with this value holds.
    pub fn from_comparison(comparison: Comparison, value: &Value) -> Self {
        let (key, is_exact) = match value {
            Value::Time(time) => (from_time(*time), has_whole_micros(*time)),
            value => match from_value(value) {
                Some(key) => (key, true),
                None => return Self::EMPTY,
            },
        };
        let range = match comparison {
            Comparison::Less if is_exact => key.checked_sub(1).map(|max| Self { max, ..Self::FULL }),
            Comparison::Less | Comparison::LessOrEqual => Some(Self { max: key, ..Self::FULL }),
            Comparison::GreaterOrEqual if is_exact => Some(Self { min: key, ..Self::FULL }),
            Comparison::Greater | Comparison::GreaterOrEqual => {
                key.checked_add(1).map(|min| Self { min, ..Self::FULL })
            }
        };
        range.unwrap_or(Self::EMPTY)
    }

    /// Range of this key alone.
    pub fn single(key: i64) -> Self {
        Self { min: key, max: key }
    }

    /// Intersection.
    pub fn intersect(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// True if the range is empty.
    pub fn is_empty(self) -> bool {
        self.min > self.max
    }
}

impl RangeBounds<i64> for KeyRange {
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
    pub fn from_integer(integer: i64) -> Self {
        Self(integer, from_number(0.0))
    }

    /// Key of a double.
    pub fn from_number(number: f64) -> Self {
        const TWO_POW_63: f64 = 9_223_372_036_854_775_808.0; // 2^63, the first double above all 64-bit integers
        let fraction = if (-TWO_POW_63..TWO_POW_63).contains(&number) { number.fract() } else { number };
        Self(number.trunc() as i64, from_number(fraction))
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
        assert!(numbers.iter().map(|number| from_number(*number)).is_sorted_by(|previous, next| previous < next));
        assert!(
            numbers
                .iter()
                .map(|number| CustomNumber::from_number(*number))
                .is_sorted_by(|previous, next| previous < next)
        );
        assert_eq!(from_number(-0.0), from_number(0.0));
    }

    #[test]
    fn custom_integers_and_doubles_compare_exactly() {
        let exact = 9_007_199_254_740_993; // 2^53 + 1, which no double is
        assert!(CustomNumber::from_integer(exact) > CustomNumber::from_number(exact as f64));
        assert!(CustomNumber::from_integer(-1) > CustomNumber::from_number(-1.5));
        assert!(CustomNumber::from_integer(0) > CustomNumber::from_number(-0.5));
        assert_eq!(CustomNumber::from_integer(3), CustomNumber::from_number(3.0));
        assert_eq!(CustomNumber::from_integer(0), CustomNumber::from_number(-0.0));
        assert!(CustomNumber::from_integer(i64::MAX) < CustomNumber::from_number(9_223_372_036_854_775_808.0));
        assert_eq!(CustomNumber::from_integer(i64::MIN), CustomNumber::from_number(-9_223_372_036_854_775_808.0));
    }

    #[test]
    fn submicrosecond_times_bound_ranges_but_equal_nothing() {
        let whole_micros = DateTime::from_timestamp_micros(1_000).unwrap();
        let submicrosecond = Value::Time(whole_micros + TimeDelta::nanoseconds(1));
        assert_eq!(from_value(&submicrosecond), None);
        assert_eq!(KeyRange::from_comparison(Comparison::Less, &submicrosecond).max, 1_000);
        assert_eq!(KeyRange::from_comparison(Comparison::GreaterOrEqual, &submicrosecond).min, 1_001);
        assert_eq!(KeyRange::from_comparison(Comparison::Less, &Value::Time(whole_micros)).max, 999);
    }
}
