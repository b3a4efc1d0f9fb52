//! Injectable clock, so that tests can control the time.

use std::sync::Mutex;
use std::time::Duration;

use chrono::{DurationRound, TimeDelta};
use leadscribe_engine::api::Timestamp;
use tokio::time::Instant;

/// Source of the current time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Returns the current time in UTC, truncated to microseconds.
    fn now(&self) -> Timestamp;

    /// Returns the time since an arbitrary start. It never goes back and ignores changes of the system clock.
    ///
    /// On Linux it includes the time for which the machine was suspended.
    fn monotonic(&self) -> Duration;
}

/// Truncates to the precision of the databases.
fn to_microseconds(time: Timestamp) -> Timestamp {
    time.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(time)
}

/// The system clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only access to the system clock")]
    fn now(&self) -> Timestamp {
        to_microseconds(chrono::Utc::now())
    }

    #[cfg(target_os = "linux")]
    fn monotonic(&self) -> Duration {
        let since_boot = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        since_boot.try_into().expect("the boot-time clock is never negative")
    }

    #[cfg(not(target_os = "linux"))]
    fn monotonic(&self) -> Duration {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        START.elapsed()
    }
}

/// A clock for tests that stands still until it is moved. Its monotonic time is Tokio's.
#[derive(Debug)]
pub struct MockClock {
    now: Mutex<Timestamp>,
    start: Instant,
}

impl MockClock {
    /// Creates a clock that shows `now`.
    pub fn at(now: Timestamp) -> Self {
        Self { now: Mutex::new(to_microseconds(now)), start: Instant::now() }
    }

    /// Moves the clock by `delta`, back if negative.
    pub fn advance(&self, delta: TimeDelta) {
        *self.now.lock().expect("no thread panics while it moves the clock") += delta;
    }
}

impl Clock for MockClock {
    fn now(&self) -> Timestamp {
        *self.now.lock().expect("no thread panics while it moves the clock")
    }

    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }
}
