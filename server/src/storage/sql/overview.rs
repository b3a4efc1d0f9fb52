//! Overview figures: activity by day, pending work, and the time zones of leads.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::day::Day;

use super::{Database, Session, SqlStore, binds, transcripts};
use crate::storage::{Activity, Backlog, OverviewStore, StoreError};

/// One query per day: it uses an index, and the database doesn't need the time zone.
fn days(session: &dyn Session, days: &[Day]) -> Result<Vec<DayActivity>, StoreError> {
    let calls =
        "SELECT count(CASE WHEN status = 'answered' THEN 1 END), count(CASE WHEN status <> 'answered' THEN 1 END)
                 FROM calls WHERE created_at >= ?1 AND created_at < ?2";
    // `changed_at`, which is indexed, is the end time: completed and failed transcriptions never change.
    let ended = "SELECT count(CASE WHEN state = 'completed' THEN 1 END), count(CASE WHEN state = 'failed' THEN 1 END)
                 FROM transcriptions WHERE changed_at >= ?1 AND changed_at < ?2";
    let pair = |sql: &str, day: &Day| -> Result<(u64, u64), StoreError> {
        session.one(sql, &binds![day.from, day.till], |row| Ok((row.get(0)?, row.get(1)?)))
    };
    let activity = |day: &Day| {
        let (answered, unanswered) = pair(calls, day)?;
        let (transcribed, failed) = pair(ended, day)?;
        Ok(DayActivity { date: day.date, from: day.from, till: day.till, answered, unanswered, transcribed, failed })
    };
    days.iter().map(activity).collect()
}

fn transcriptions(session: &dyn Session) -> Result<TranscriptionStates, StoreError> {
    let queued = "SELECT count(*), min(queued_at) FROM transcriptions WHERE state = 'queued'";
    let (queued, oldest_queued_at) = session.one(queued, &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let processing = session.value("SELECT count(*) FROM transcriptions WHERE state = 'processing'", &[])?;
    let failed = transcripts::count_failed(session)?;
    Ok(TranscriptionStates { queued, processing, failed, oldest_queued_at })
}

fn deliveries(session: &dyn Session) -> Result<DeliveryStates, StoreError> {
    let mut states = DeliveryStates::default();
    session.query_each("SELECT state, count(*) FROM deliveries GROUP BY state", &[], &mut |row| {
        let count = match row.named(0, DeliveryState::from_name)? {
            DeliveryState::Queued => &mut states.queued,
            DeliveryState::Delivering => &mut states.delivering,
            DeliveryState::Delivered => &mut states.delivered,
            DeliveryState::Failed => &mut states.failed,
            DeliveryState::Stopped => &mut states.stopped,
        };
        *count = row.get(1)?;
        Ok(())
    })?;
    Ok(states)
}

fn backlog(session: &dyn Session) -> Result<Backlog, StoreError> {
    let counted = |sql: &str| session.value::<u64>(sql, &[]);
    let queued = "SELECT count(*), min(queued_at) FROM transcriptions WHERE state = 'queued'";
    let (transcriptions_queued, oldest_queued_at) = session.one(queued, &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let due = "SELECT count(*), min(ready_at) FROM deliveries WHERE state = 'queued'";
    let (deliveries_queued, first_due_at) = session.one(due, &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(Backlog {
        transcriptions_queued,
        oldest_queued_at,
        transcriptions_processing: counted("SELECT count(*) FROM transcriptions WHERE state = 'processing'")?,
        deliveries_queued,
        first_due_at,
        deliveries_delivering: counted("SELECT count(*) FROM deliveries WHERE state = 'delivering'")?,
    })
}

#[async_trait]
impl<D: Database> OverviewStore for SqlStore<D> {
    async fn activity(&self, asked: &[Day]) -> Result<Activity, StoreError> {
        let asked = asked.to_vec();
        let read = move |session: &dyn Session| {
            let (transcriptions, deliveries) = (transcriptions(session)?, deliveries(session)?);
            Ok(Activity { days: days(session, &asked)?, transcriptions, deliveries })
        };
        self.database.read(read).await
    }

    async fn backlog(&self) -> Result<Backlog, StoreError> {
        self.database.read(backlog).await
    }
}
