//! Times in the store after the clock was set.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use super::StoreError;

/// The longest lease that the options permit.
pub const MAX_LEASE: TimeDelta = TimeDelta::seconds(50);

/// The least step of a clock that is corrected. Time servers adjust clocks by less without a step, and keep the clocks of
/// two machines closer together.
pub const MIN_CLOCK_STEP: TimeDelta = TimeDelta::seconds(2);

/// The greatest difference between the clocks of two machines of an installation.
pub const MAX_CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(1);

/// Changes that a correction made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CorrectedTimes {
    /// Jobs that are due, or whose lease ends, at another time.
    pub jobs: u64,
    /// Sessions that ended.
    pub sessions: u64,
}

/// Times that were noted before the clock was set.
#[async_trait]
pub trait ClockStore: std::fmt::Debug + Send + Sync {
    /// Corrects the times of jobs and sessions, so that no job comes early or gets stuck and no session lasts longer.
    /// `expected` is what the clock would show if it had not been set, `now` what it shows; equal if no step was seen.
    /// Several processes may see the same step; the first one corrects it.
    ///
    /// - Set forward: jobs wait, and leases last, as long as before.
    /// - Times that lie ahead by more than [`MIN_CLOCK_STEP`]: a job waits its whole pause from now on, and a lease ends
    ///   [`MAX_LEASE`] from now at the latest.
    /// - Set back by more than [`MAX_CLOCK_DIFFERENCE`]: all sessions end, because their age is unknown.
    ///
    /// # Errors
    /// The store failed.
    async fn correct_times(&self, expected: Timestamp, now: Timestamp) -> Result<CorrectedTimes, StoreError>;
}
