//! Detects that the system clock was set, by the monotonic clock, and has the store correct the times that it keeps.
//!
//! Every process compares the two clocks once a second, and workers compare them before each claim.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use crate::app::App;
use crate::clock::Clock;
use crate::outage;
use crate::storage::{ClockStore, CorrectedTimes, MIN_CLOCK_STEP, StoreError};

/// How often the clocks are compared at least.
const COMPARE_INTERVAL: Duration = Duration::from_secs(1);

/// How often the store is searched for times that lie ahead, if no step was seen. The clock may have been set while no
/// process ran, or on another machine.
const SEARCH_INTERVAL: Duration = Duration::from_secs(5);

/// The system clock of a process, compared with the monotonic clock.
#[derive(Debug)]
pub struct ClockWatch {
    clock: Arc<dyn Clock>,
    store: Arc<dyn ClockStore>,
    /// The last comparison. Locked while the store corrects its times, so that nothing is claimed meanwhile.
    last: Mutex<Option<Reading>>,
}

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug)]
struct Reading {
    clock: Timestamp,
    monotonic: Instant,
    /// When the store last corrected its times.
    corrected: Instant,
}

impl Reading {
    /// Time that the clock would show if it had not been set since; `now` if it was not.
    fn expected(&self, now: Timestamp, monotonic: Instant) -> Timestamp {
        let elapsed = TimeDelta::from_std(monotonic - self.monotonic).unwrap_or(TimeDelta::MAX);
        let expected = self.clock.checked_add_signed(elapsed).unwrap_or(now);
        let step = now - expected;
        // After a longer time without a comparison, times noted before the step can't be told from those noted after it.
        if step > MIN_CLOCK_STEP.max(elapsed) || step < -MIN_CLOCK_STEP { expected } else { now }
    }
}

impl ClockWatch {
    /// Starts with the first comparison.
    pub fn new(clock: Arc<dyn Clock>, store: Arc<dyn ClockStore>) -> Self {
        Self { clock, store, last: Mutex::new(None) }
    }

    /// The current time, without a comparison.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The current time, by which the times in the store are right.
    ///
    /// # Errors
    /// The store failed. The next comparison still sees the step.
    pub async fn checked_now(&self) -> Result<Timestamp, StoreError> {
        let mut last = self.last.lock().await;
        let (clock, monotonic) = (self.clock.now(), Instant::now());
        let expected = last.map_or(clock, |last| last.expected(clock, monotonic));
        let corrected = match *last {
            Some(last) if expected == clock && monotonic - last.corrected < SEARCH_INTERVAL => last.corrected,
            _ => {
                log(expected, clock, self.store.correct_times(expected, clock).await?);
                monotonic
            }
        };
        *last = Some(Reading { clock, monotonic, corrected });
        Ok(clock)
    }
}

fn log(expected: Timestamp, now: Timestamp, corrected: CorrectedTimes) {
    let CorrectedTimes { jobs, sessions } = corrected;
    if expected != now || jobs + sessions > 0 {
        let seconds = (now - expected).num_seconds();
        tracing::warn!(
            seconds,
            jobs,
            sessions,
            "a clock was set, or the clocks of two machines differ; jobs wait as long as before, and sessions don't last longer"
        );
    }
}

/// Compares the clocks again and again. Never ends.
pub async fn run(app: &Arc<App>) {
    loop {
        if let Err(error) = app.clock_watch.checked_now().await {
            outage::failed(app, "correct times after the clock was set", &error);
        }
        sleep(COMPARE_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests;
