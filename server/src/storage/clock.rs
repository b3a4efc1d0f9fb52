//! Correction of stored times after the system clock was set.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use super::Result;

/// Maximum lease that the options permit.
pub const MAX_LEASE_DURATION: TimeDelta = TimeDelta::seconds(50);

/// Smallest clock step that is corrected. Time servers correct smaller differences without a step, and keep the clocks of two machines
/// closer together.
pub const MIN_CLOCK_STEP: TimeDelta = TimeDelta::seconds(2);

/// Maximum difference between the clocks of two machines of an installation.
pub const MAX_CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(1);

/// Changes made by a correction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CorrectedTimes {
    /// Number of jobs whose due time or lease end changed.
    pub jobs: u64,
    /// Number of sessions that were ended.
    pub sessions: u64,
}

/// Corrects times that were stored before the clock was set.
#[async_trait]
pub trait ClockStore: std::fmt::Debug + Send + Sync {
    /// Corrects the times of jobs and sessions, so that no job runs early or gets stuck and no session lasts too long. `expected` is what
    /// the clock would show if it had not been set; `now` is what it shows. They are equal if no step was detected. If several processes
    /// detect the same step, the first one corrects it.
    ///
    /// - Clock set forward: waiting times and leases keep their length.
    /// - Times more than [`MIN_CLOCK_STEP`] ahead: a job waits its full delay from now, and a lease ends at most [`MAX_LEASE_DURATION`] from now.
    /// - Clock set back by more than [`MAX_CLOCK_DIFFERENCE`]: all sessions end, because their age is unknown.
    ///
    /// # Errors
    /// The store failed.
    async fn correct_times(&self, expected: Timestamp, now: Timestamp) -> Result<CorrectedTimes>;
}
