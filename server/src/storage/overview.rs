//! Store interface for the overview of activity and pending work.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::day::Day;

use super::Result;

/// Activity by day and pending work, from one snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// Activity on each requested day.
    pub days: Vec<DayActivity>,
    /// Transcriptions by state.
    pub transcriptions: TranscriptionStates,
    /// Deliveries by state.
    pub deliveries: DeliveryStates,
}

/// Pending and running work of all processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Queued transcriptions.
    pub transcriptions_queued: u64,
    /// Time at which the oldest of them was queued.
    pub oldest_queued_at: Option<Timestamp>,
    /// Transcriptions claimed by a worker.
    pub transcriptions_processing: u64,
    /// Queued deliveries.
    pub deliveries_queued: u64,
    /// Due time of the first of them.
    pub first_due_at: Option<Timestamp>,
    /// Deliveries claimed by a worker.
    pub deliveries_delivering: u64,
}

/// Overview of activity and pending work.
#[async_trait]
pub trait OverviewStore: Send + Sync {
    /// Activity on these days, and pending work. A call counts on the day it was created, a transcription on the day it ended.
    async fn activity(&self, days: &[Day]) -> Result<Activity>;
    /// Pending and running work. Reads only indexes of open entries, however many have ended.
    async fn backlog(&self) -> Result<Backlog>;
}
