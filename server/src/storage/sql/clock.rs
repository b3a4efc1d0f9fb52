//! Correction of stored times after the system clock was set.

use async_trait::async_trait;
use leadscribe_engine::api::Timestamp;

use super::queue::{DELIVERIES, TRANSCRIPTIONS};
use super::{Database, Session, SqlStore, endpoint_queue};
use crate::storage::{ClockStore, CorrectedTimes, MAX_CLOCK_DIFFERENCE, Result};

#[async_trait]
impl<D: Database> ClockStore for SqlStore<D> {
    async fn correct_times(&self, expected: Timestamp, now: Timestamp) -> Result<CorrectedTimes> {
        let correct = move |session: &dyn Session| -> Result<CorrectedTimes> {
            let deliveries = DELIVERIES.correct_times(session, expected, now)?;
            if deliveries > 0 {
                endpoint_queue::recompute_due_times(session)?;
            }
            let jobs = TRANSCRIPTIONS.correct_times(session, expected, now)? + deliveries;
            let is_set_back = expected - now > MAX_CLOCK_DIFFERENCE;
            let sessions = if is_set_back { session.execute("DELETE FROM sessions", &[])? } else { 0 };
            Ok(CorrectedTimes { jobs, sessions })
        };
        let has_step = expected != now;
        let is_needed = move |session: &dyn Session| {
            Ok(TRANSCRIPTIONS.has_times_ahead(session, now)? || DELIVERIES.has_times_ahead(session, now)?)
        };
        // Most searches find nothing, and must not wait for their turn to write.
        match has_step || self.database.read_primary(is_needed).await? {
            true => self.database.write(correct).await,
            false => Ok(CorrectedTimes::default()),
        }
    }
}
