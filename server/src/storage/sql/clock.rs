//! Puts times right that were noted before the clock was set.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use super::queue::{DELIVERIES, TRANSCRIPTIONS};
use super::{Database, Session, SqlStore, deliveries};
use crate::storage::{CLOCK_STEP, CLOCKS_DIFFER, ClockStore, Followed, StoreError};

#[async_trait]
impl<D: Database> ClockStore for SqlStore<D> {
    async fn follow_clock(&self, expected: Timestamp, now: Timestamp) -> Result<Followed, StoreError> {
        let is_back = expected - now > CLOCKS_DIFFER;
        let tolerance = if expected == now { CLOCK_STEP } else { TimeDelta::zero() };
        if expected >= now && !is_back {
            // Nearly always there is nothing, and then nobody who writes has to wait.
            let is_ahead = move |session: &dyn Session| {
                Ok(TRANSCRIPTIONS.is_ahead(session, now, tolerance)? || DELIVERIES.is_ahead(session, now, tolerance)?)
            };
            if !self.database.read_primary(is_ahead).await? {
                return Ok(Followed::default());
            }
        }
        let follow = move |session: &dyn Session| -> Result<Followed, StoreError> {
            let deliveries = DELIVERIES.follow_clock(session, expected, now, tolerance)?;
            if deliveries > 0 {
                deliveries::turns::recount(session)?;
            }
            let jobs = TRANSCRIPTIONS.follow_clock(session, expected, now, tolerance)? + deliveries;
            let sessions = if is_back { session.execute("DELETE FROM sessions", &[])? } else { 0 };
            Ok(Followed { jobs, sessions })
        };
        self.database.write(follow).await
    }
}
