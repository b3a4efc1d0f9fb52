//! What is asked of a store about everything at once, for those who want to see how things are.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::day::Day;

use super::StoreError;

/// What happened day by day, and what waits, from one snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// What happened on each of the days asked for.
    pub days: Vec<DayActivity>,
    /// Work on calls.
    pub transcriptions: TranscriptionStates,
    /// Transcripts on their way to callbacks.
    pub deliveries: DeliveryStates,
}

/// What waits and what is under way, of all processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Transcriptions that wait.
    pub transcriptions_queued: u64,
    /// Since when the oldest of them does.
    pub oldest_queued_at: Option<Timestamp>,
    /// Transcriptions that a worker has.
    pub transcriptions_processing: u64,
    /// Deliveries that wait.
    pub deliveries_queued: u64,
    /// When the first of them is or was due.
    pub first_due_at: Option<Timestamp>,
    /// Deliveries that a worker has.
    pub deliveries_delivering: u64,
}

/// How things are.
#[async_trait]
pub trait OverviewStore: Send + Sync {
    /// What happened on these days, and what waits. A call is of the day on which it was created, a transcription of the
    /// day on which it ended.
    async fn activity(&self, days: &[Day]) -> Result<Activity, StoreError>;
    /// What waits and what is under way. Only indexes of these are read, however much has ended.
    async fn backlog(&self) -> Result<Backlog, StoreError>;
}
