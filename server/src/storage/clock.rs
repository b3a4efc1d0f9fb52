//! What a store does when the clock was set.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use super::StoreError;

/// The longest lease that the options permit. One that ends later was given by a clock that was ahead.
pub const LONGEST_LEASE: TimeDelta = TimeDelta::seconds(50);

/// By how much a clock must be off to have been set. Time servers move it by less without a step, and keep those of two
/// machines closer together; what one process notes while another asks for the time lies ahead by less too.
pub const CLOCK_STEP: TimeDelta = TimeDelta::seconds(2);

/// How far the clocks of the machines of an installation may be apart.
pub const CLOCKS_DIFFER: TimeDelta = TimeDelta::minutes(1);

/// What had to be put right because the clock was set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Jobs that wait, or whose lease ends, at another time now.
    pub jobs: u64,
    /// Sessions that ended.
    pub sessions: u64,
}

/// Times that were noted before the clock was set.
#[async_trait]
pub trait ClockStore: Send + Sync {
    /// Sees to it that no job comes early or gets stuck, and no session lasts longer, because the clock was set.
    /// `expected` is what it would show now, `now` what it shows. Several processes may notice the same; the first does it.
    ///
    /// When it was set forth, jobs wait, and leases last, as long as before. What was queued by a clock that was ahead
    /// waits its pause from now on, and a lease that such a one gave ends [`LONGEST_LEASE`] from now at the latest. Where
    /// nothing was noticed, less than [`CLOCK_STEP`] is left as it is: no clock need have been set for that. When it was set
    /// back by more than [`CLOCKS_DIFFER`], all sessions end: how long they have lasted can't be told.
    async fn follow_clock(&self, expected: Timestamp, now: Timestamp) -> Result<Followed, StoreError>;
}
