//! Injectable clock, so that tests can control the time.

use std::sync::Mutex;

use chrono::{DurationRound, TimeDelta};
use leadscribe_engine::api::Timestamp;

/// Source of the current time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Returns the current time in UTC, truncated to microseconds.
    fn now(&self) -> Timestamp;
}

/// Truncates to the precision of the databases.
fn to_microseconds(time: Timestamp) -> Timestamp {
    time.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(time)
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
    fn now(&self) -> Timestamp {
        to_microseconds(chrono::Utc::now())
    }
}

/// A clock for tests that stands still until it is moved.
#[derive(Debug)]
pub struct MockClock(Mutex<Timestamp>);

impl MockClock {
    /// Creates a clock that shows `now`.
    pub fn at(now: Timestamp) -> Self {
        Self(Mutex::new(to_microseconds(now)))
    }

    /// Moves the clock by `by`, back if negative.
    pub fn advance(&self, by: TimeDelta) {
        *self.0.lock().expect("no thread panics while it moves the clock") += by;
    }
}

impl Clock for MockClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().expect("no thread panics while it moves the clock")
    }
}
