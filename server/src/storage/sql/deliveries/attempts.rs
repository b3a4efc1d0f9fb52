//! The way of a delivery through the queue: claimed with all that it needs, attempted, ended.

use chrono::TimeDelta;
use leadscribe_engine::api::*;
use rusqlite::{Connection, Row, Transaction, params};

use super::{DELIVERY_COLUMNS, delivery, secrets};
use crate::storage::sqlite::queue::{After, DELIVERIES};
use crate::storage::sqlite::rows::Micros;
use crate::storage::sqlite::{calls, campaigns, leads, transcripts};
use crate::storage::{AfterAttempt, ByClaim, Claim, ClaimedDelivery, DeliveredCall};

/// What is delivered about a call; none when its transcript was purged.
fn content(connection: &Connection, id: CallId) -> rusqlite::Result<Option<DeliveredCall>> {
    let Some(call) = calls::find(connection, id)? else { return Ok(None) };
    let Some(transcript) = transcripts::find(connection, id)? else { return Ok(None) };
    let lead = call.lead_id.map(|id| leads::find(connection, id)).transpose()?.flatten();
    let campaign = call.campaign_id.map(|id| campaigns::find(connection, id)).transpose()?.flatten();
    Ok(Some(DeliveredCall { call, lead, campaign, transcript }))
}

pub(super) fn claim(
    transaction: &Transaction<'_>,
    lease: TimeDelta,
    now: Timestamp,
) -> rusqlite::Result<Option<ClaimedDelivery>> {
    let Some(Claim { id, fence }) = DELIVERIES.claim(transaction, lease, now)? else { return Ok(None) };
    let (delivery, attempt) = transaction
        .prepare_cached(&format!(
            "SELECT {DELIVERY_COLUMNS}, attempts - earlier_attempts FROM deliveries WHERE id = ?1"
        ))?
        .query_row([id], |row| Ok((delivery(row)?, row.get(14)?)))?;
    let content = delivery.call_id.map(|call| content(transaction, call)).transpose()?.flatten();
    let secrets = secrets::valid(transaction, delivery.token_id, now)?;
    Ok(Some(ClaimedDelivery { claim: Claim { id: delivery.id, fence }, delivery, attempt, secrets, content }))
}

pub(super) fn finish(
    transaction: &Transaction<'_>,
    claim: Claim<DeliveryId>,
    attempt: &DeliveryAttempt,
    after: AfterAttempt,
    now: Timestamp,
) -> rusqlite::Result<ByClaim> {
    let Claim { id, fence } = claim;
    let next = match after {
        AfterAttempt::Retry(due) => After::Due(due),
        AfterAttempt::Delivered => After::Ended(DeliveryState::Delivered.as_str()),
        AfterAttempt::Failed => After::Ended(DeliveryState::Failed.as_str()),
        AfterAttempt::Stopped => After::Ended(DeliveryState::Stopped.as_str()),
    };
    if DELIVERIES.settle(transaction, Claim { id: id.0, fence }, next, now)? == ByClaim::Lost {
        return Ok(ByClaim::Lost);
    }
    transaction
        .prepare_cached("UPDATE deliveries SET last_status = ?2, last_error = ?3 WHERE id = ?1")?
        .execute(params![id.0, attempt.status, attempt.error])?;
    transaction
        .prepare_cached(
            "INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms, status, error)
             SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5 FROM delivery_attempts WHERE delivery_id = ?1",
        )?
        .execute(params![id.0, Micros(attempt.at), attempt.duration_ms, attempt.status, attempt.error])?;
    if matches!(after, AfterAttempt::Stopped) {
        transaction
            .prepare_cached(
                "UPDATE deliveries SET state = 'stopped', finished_at = ?2, changed_at = ?2
                 WHERE request_id = (SELECT request_id FROM deliveries WHERE id = ?1) AND state = 'queued'",
            )?
            .execute(params![id.0, Micros(now)])?;
    }
    Ok(ByClaim::Done)
}

fn attempt(row: &Row<'_>) -> rusqlite::Result<DeliveryAttempt> {
    Ok(DeliveryAttempt {
        number: row.get(0)?,
        at: row.get::<_, Micros>(1)?.0,
        duration_ms: row.get(2)?,
        status: row.get(3)?,
        error: row.get(4)?,
    })
}

pub(super) fn of_delivery(snapshot: &Connection, id: DeliveryId) -> rusqlite::Result<Vec<DeliveryAttempt>> {
    snapshot
        .prepare_cached(
            "SELECT number, at, duration_ms, status, error FROM delivery_attempts WHERE delivery_id = ?1 ORDER BY number",
        )?
        .query_map([id.0], attempt)?
        .collect()
}
