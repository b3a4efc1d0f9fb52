//! The time, as a parameter: so that tests can set it.

use std::sync::Mutex;

use chrono::{DurationRound, TimeDelta};
use leadscribe_engine::api::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Now, in UTC, to the microsecond.
    fn now(&self) -> Timestamp;
}

/// Rounds down to what the databases keep.
fn to_microseconds(time: Timestamp) -> Timestamp {
    time.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(time)
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
    fn now(&self) -> Timestamp {
        to_microseconds(chrono::Utc::now())
    }
}

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub struct MockClock(Mutex<Timestamp>);

impl MockClock {
    /// A clock that stands at `now`.
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
