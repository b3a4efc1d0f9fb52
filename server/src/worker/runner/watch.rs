//! Notices when the clock is set, by tokio's time, which nobody sets.

use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use tokio::time::Instant;

use crate::storage::CLOCK_STEP;

/// How often the store is asked what a clock that was ahead has left, if nothing was noticed: it may have been set while no
/// process ran, or on another machine. A lease that such a one gave lasts less than a minute longer.
const LOOK: Duration = Duration::from_secs(5);

/// What the clock showed last, and when the store followed it last.
#[derive(Debug)]
pub(super) struct Watch {
    shown: Timestamp,
    at: Instant,
    followed: Option<Instant>,
}

impl Watch {
    /// Begins with what the clock shows.
    pub(super) fn begin(now: Timestamp) -> Self {
        Self { shown: now, at: Instant::now(), followed: None }
    }

    /// What the clock would show had it not been set, if the store must follow it before anything is done by it.
    pub(super) fn must_follow(&self, now: Timestamp) -> Option<Timestamp> {
        let passed = TimeDelta::from_std(self.at.elapsed()).unwrap_or(TimeDelta::MAX);
        let expected = self.shown.checked_add_signed(passed).unwrap_or(now);
        let forth = now - expected;
        // Whoever was busy for longer than it was set forth by can't tell what was noted before from what was noted since.
        if forth > CLOCK_STEP.max(passed) || forth < -CLOCK_STEP {
            return Some(expected);
        }
        // As good as right: nothing is moved by so little.
        self.followed.is_none_or(|followed| followed.elapsed() >= LOOK).then_some(now)
    }

    /// The clock shows this, and the store follows it.
    pub(super) fn follows(&mut self, now: Timestamp, was_told: bool) {
        (self.shown, self.at) = (now, Instant::now());
        if was_told {
            self.followed = Some(self.at);
        }
    }
}
