//! One attempt of a delivery: claim with all its data, settle or release.

use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::turns::{self, Claimed};
use super::{DELIVERY_COLUMNS, delivery, secrets};
use crate::storage::sql::queue::{After, DELIVERIES};
use crate::storage::sql::{Row, Session, binds, calls, campaigns, leads, transcripts};
use crate::storage::{AfterAttempt, ByClaim, Claim, ClaimedDelivery, DeliveredCall, StoreError};

/// Data that is delivered about a call; `None` if its transcript was purged.
fn content(session: &dyn Session, id: CallId) -> Result<Option<DeliveredCall>, StoreError> {
    let Some(call) = calls::find(session, id)? else { return Ok(None) };
    let Some(transcript) = transcripts::find(session, id)? else { return Ok(None) };
    let lead = call.lead_id.map(|id| leads::find(session, id)).transpose()?.flatten();
    let campaign = call.campaign_id.map(|id| campaigns::find(session, id)).transpose()?.flatten();
    Ok(Some(DeliveredCall { call, lead, campaign, transcript }))
}

pub(super) fn claim(
    session: &dyn Session,
    lease: TimeDelta,
    now: Timestamp,
) -> Result<Claimed<ClaimedDelivery>, StoreError> {
    let Claim { id, fence } = match turns::claim(session, lease, now)? {
        Claimed::Entry(claim) => claim,
        Claimed::Nothing => return Ok(Claimed::Nothing),
        Claimed::Retry => return Ok(Claimed::Retry),
    };
    let sql = format!("SELECT {DELIVERY_COLUMNS}, attempts - earlier_attempts FROM deliveries WHERE id = ?1");
    let (delivery, attempt) = session.one(&sql, &binds![id], |row| Ok((delivery(row)?, row.get(14)?)))?;
    let content = delivery.call_id.map(|call| content(session, call)).transpose()?.flatten();
    let secrets = secrets::valid(session, delivery.token_id, now)?;
    Ok(Claimed::Entry(ClaimedDelivery { claim: Claim { id: delivery.id, fence }, delivery, attempt, secrets, content }))
}

pub(super) fn finish(
    session: &dyn Session,
    claim: Claim<DeliveryId>,
    attempt: &DeliveryAttempt,
    after: AfterAttempt,
    now: Timestamp,
) -> Result<ByClaim, StoreError> {
    let Claim { id, fence } = claim;
    let next = match after {
        AfterAttempt::Retry(due) => After::Due(due),
        AfterAttempt::Delivered => After::Ended(DeliveryState::Delivered.as_str()),
        AfterAttempt::Failed => After::Ended(DeliveryState::Failed.as_str()),
        AfterAttempt::Stopped => After::Ended(DeliveryState::Stopped.as_str()),
    };
    if DELIVERIES.settle(session, Claim { id: id.0, fence }, next, now)? == ByClaim::Lost {
        return Ok(ByClaim::Lost);
    }
    if matches!(after, AfterAttempt::Retry(_)) {
        turns::note_queued(session, id)?;
    }
    session.execute(
        "UPDATE deliveries SET last_status = ?2, last_error = ?3 WHERE id = ?1",
        &binds![id.0, attempt.status, attempt.error],
    )?;
    session.execute(
        "INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms, status, error)
         VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM delivery_attempts WHERE delivery_id = ?1), ?2, ?3, ?4, ?5)",
        &binds![id.0, attempt.at, attempt.duration_ms, attempt.status, attempt.error],
    )?;
    if matches!(after, AfterAttempt::Stopped) {
        session.execute(
            "UPDATE deliveries SET state = 'stopped', finished_at = ?2, changed_at = ?2
             WHERE request_id = (SELECT request_id FROM deliveries WHERE id = ?1) AND state = 'queued'",
            &binds![id.0, now],
        )?;
    }
    Ok(ByClaim::Done)
}

/// Releases a delivery as if the attempt had not been started.
pub(super) fn release(session: &dyn Session, claim: Claim<DeliveryId>, now: Timestamp) -> Result<ByClaim, StoreError> {
    let Claim { id, fence } = claim;
    let released = DELIVERIES.settle(session, Claim { id: id.0, fence }, After::Released, now)?;
    if released == ByClaim::Done {
        turns::note_queued(session, id)?;
    }
    Ok(released)
}

fn attempt(row: &dyn Row) -> Result<DeliveryAttempt, StoreError> {
    Ok(DeliveryAttempt {
        number: row.get(0)?,
        at: row.get(1)?,
        duration_ms: row.get(2)?,
        status: row.get(3)?,
        error: row.get(4)?,
    })
}

pub(super) fn of_delivery(session: &dyn Session, id: DeliveryId) -> Result<Vec<DeliveryAttempt>, StoreError> {
    session.query(
        "SELECT number, at, duration_ms, status, error FROM delivery_attempts WHERE delivery_id = ?1 ORDER BY number",
        &binds![id.0],
        attempt,
    )
}
