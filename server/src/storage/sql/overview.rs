//! Overview figures: activity by day, and pending work.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::day::Day;

use super::{Database, Session, SqlStore, binds, transcripts};
use crate::storage::{Activity, Backlog, OverviewStore, Result};

/// One query per day: it uses an index, and the database doesn't need the time zone.
fn day_activity(session: &dyn Session, days: &[Day]) -> Result<Vec<DayActivity>> {
    let calls =
        "SELECT count(CASE WHEN status = 'answered' THEN 1 END), count(CASE WHEN status <> 'answered' THEN 1 END)
                 FROM calls WHERE created_at >= ?1 AND created_at < ?2";
    // `changed_at`, which is indexed, is the end time: completed and failed transcriptions never change.
    let transcriptions =
        "SELECT count(CASE WHEN state = 'completed' THEN 1 END), count(CASE WHEN state = 'failed' THEN 1 END)
                 FROM transcriptions WHERE changed_at >= ?1 AND changed_at < ?2";
    let count_pair = |sql: &str, day: &Day| -> Result<(u64, u64)> {
        session.query_one(sql, &binds![day.start, day.end], |row| Ok((row.get(0)?, row.get(1)?)))
    };
    let activity = |day: &Day| {
        let (answered, unanswered) = count_pair(calls, day)?;
        let (transcribed, failed) = count_pair(transcriptions, day)?;
        Ok(DayActivity { date: day.date, start: day.start, end: day.end, answered, unanswered, transcribed, failed })
    };
    days.iter().map(activity).collect()
}

fn transcription_states(session: &dyn Session) -> Result<TranscriptionStates> {
    let queued = "SELECT count(*), min(queued_at) FROM transcriptions WHERE state = 'queued'";
    let (queued, oldest_queued_at) = session.query_one(queued, &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let processing = session.query_value("SELECT count(*) FROM transcriptions WHERE state = 'processing'", &[])?;
    let failed = transcripts::count_failed(session)?;
    Ok(TranscriptionStates { queued, processing, failed, oldest_queued_at })
}

fn delivery_states(session: &dyn Session) -> Result<DeliveryStates> {
    let mut states = DeliveryStates::default();
    session.query_each("SELECT state, count(*) FROM deliveries GROUP BY state", &[], &mut |row| {
        let count = match row.get_enum(0, DeliveryState::from_name)? {
            DeliveryState::Waiting => &mut states.waiting,
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

fn backlog(session: &dyn Session) -> Result<Backlog> {
    let count = |sql: &str| session.query_value::<u64>(sql, &[]);
    let queued = "SELECT count(*), min(queued_at) FROM transcriptions WHERE state = 'queued'";
    let (transcriptions_queued, oldest_queued_at) =
        session.query_one(queued, &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let due = "SELECT count(*), min(claimable_at) FROM deliveries WHERE state = 'queued'";
    let (deliveries_queued, first_due_at) = session.query_one(due, &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(Backlog {
        transcriptions_queued,
        oldest_queued_at,
        transcriptions_processing: count("SELECT count(*) FROM transcriptions WHERE state = 'processing'")?,
        deliveries_queued,
        first_due_at,
        deliveries_delivering: count("SELECT count(*) FROM deliveries WHERE state = 'delivering'")?,
    })
}

#[async_trait]
impl<D: Database> OverviewStore for SqlStore<D> {
    async fn activity(&self, requested_days: &[Day]) -> Result<Activity> {
        let requested_days = requested_days.to_vec();
        let read_activity = move |session: &dyn Session| {
            let (transcriptions, deliveries) = (transcription_states(session)?, delivery_states(session)?);
            Ok(Activity { days: day_activity(session, &requested_days)?, transcriptions, deliveries })
        };
        self.database.read(read_activity).await
    }

    async fn backlog(&self) -> Result<Backlog> {
        self.database.read(backlog).await
    }
}
