//! Detects that the system clock was set, by comparison with the monotonic clock, and makes the store correct its times.
//!
//! Each process compares the clocks every five seconds, and workers compare them before each claim.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use tokio::sync::Mutex;
use tokio::time::sleep;

use crate::clock::Clock;
use crate::outage::Outage;
use crate::storage::{ClockStore, CorrectedTimes, MIN_CLOCK_STEP, StoreError};

/// Interval between comparisons. Each one also searches the store for times in the future: the clock may have been set on another machine,
/// or while no process was running.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Compares the system clock of a process with the monotonic clock.
#[derive(Debug)]
pub struct ClockWatch {
    clock: Arc<dyn Clock>,
    store: Arc<dyn ClockStore>,
    /// The last comparison. Its lock delays claims while the store corrects its times.
    last_comparison: Mutex<Comparison>,
}

/// The last comparison of the clocks.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    clocks: ClockPair,
    /// Total clock step since the store last corrected its times.
    pending_step: TimeDelta,
}

/// Both clocks at the same time.
#[derive(Clone, Copy, Debug)]
struct ClockPair {
    clock: Timestamp,
    monotonic: Duration,
}

impl ClockPair {
    fn new(clock: &dyn Clock) -> Self {
        Self { clock: clock.now(), monotonic: clock.monotonic() }
    }

    /// Clock step between `self` and `now`; zero if it is too small to be corrected.
    fn step(self, now: Self) -> TimeDelta {
        let elapsed = TimeDelta::from_std(now.monotonic.saturating_sub(self.monotonic)).unwrap_or(TimeDelta::MAX);
        let expected = self.clock.checked_add_signed(elapsed).unwrap_or(now.clock);
        let step = now.clock - expected;
        // If a forward step is no longer than the time without a comparison, times stored before and after it can't be
        // distinguished.
        if step > MIN_CLOCK_STEP.max(elapsed) || step < -MIN_CLOCK_STEP { step } else { TimeDelta::zero() }
    }
}

impl ClockWatch {
    /// Starts with the current values of both clocks.
    pub fn new(clock: Arc<dyn Clock>, store: Arc<dyn ClockStore>) -> Self {
        let last = Mutex::new(Comparison { clocks: ClockPair::new(&*clock), pending_step: TimeDelta::zero() });
        Self { clock, store, last_comparison: last }
    }

    /// The current time, without a comparison.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Compares the clocks and returns the current time. If the clock was set, the store corrects its times first.
    ///
    /// # Errors
    /// The store failed. The next comparison corrects the times.
    pub async fn checked_now(&self) -> Result<Timestamp, StoreError> {
        self.compare(false).await
    }

    /// Compares the clocks periodically. Never returns.
    pub async fn run(&self, outage: &Outage) {
        loop {
            if let Err(error) = self.compare(true).await {
                outage.record_failure("correct times after a clock change", &error);
            }
            sleep(CHECK_INTERVAL).await;
        }
    }

    /// Compares the clocks. With `search_store`, the store looks for times to correct even if the clock was not set.
    async fn compare(&self, search_store: bool) -> Result<Timestamp, StoreError> {
        let mut last = self.last_comparison.lock().await;
        let last = &mut *last;
        let clocks = ClockPair::new(&*self.clock);
        let now = clocks.clock;
        last.pending_step += last.clocks.step(clocks);
        last.clocks = clocks;
        let expected = now.checked_sub_signed(last.pending_step).unwrap_or(now);
        if search_store || expected != now {
            let CorrectedTimes { jobs, sessions } = self.store.correct_times(expected, now).await?;
            last.pending_step = TimeDelta::zero();
            if expected != now || jobs > 0 {
                let seconds = (now - expected).num_seconds();
                tracing::warn!(
                    seconds,
                    jobs,
                    sessions,
                    "clock jumped, or the clocks of two machines differ; job delays and session lifetimes are not affected"
                );
            }
        }
        Ok(now)
    }
}

#[cfg(test)]
mod tests;
