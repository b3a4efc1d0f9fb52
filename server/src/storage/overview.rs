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

/// How things are.
#[async_trait]
pub trait OverviewStore: Send + Sync {
    /// What happened on these days, and what waits. A call is of the day on which it was created, a transcription of the
    /// day on which it ended.
    async fn activity(&self, days: &[Day]) -> Result<Activity, StoreError>;
    /// The time zones that leads have, each once, in the order of their bytes.
    async fn time_zones(&self) -> Result<Vec<String>, StoreError>;
}
