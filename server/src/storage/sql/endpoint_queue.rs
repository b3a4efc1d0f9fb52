//! Claims of deliveries by endpoint. Each endpoint has at most one delivery in flight, so an unresponsive endpoint doesn't delay others.
//!
//! `due_at` of an endpoint is a lower bound of when its first queued delivery is due. A claim therefore looks at due endpoints, few of
//! which are busy, and not at the deliveries queued for them. Queueing a delivery lowers `due_at` in the same transaction; claims raise it.
//!
//! On PostgreSQL, claims and transactions that queue deliveries lock the endpoint's row before they change queued deliveries. They run as
//! READ COMMITTED, so each statement after the lock sees what other transactions committed before.

use chrono::TimeDelta;
use leadscribe_engine::api::{CallId, DeliveryId, Timestamp};

use super::queue::DELIVERIES;
use super::{Bind, Session, binds};
use crate::storage::{Claim, Result};

/// Condition for a delivery: it is queued, and no other delivery to its endpoint is in flight.
const CLAIMABLE_CONDITION: &str = "state = 'queued' AND NOT EXISTS (
    SELECT 1 FROM deliveries other WHERE other.endpoint_id = deliveries.endpoint_id AND other.state = 'delivering')";

#[derive(Clone, Copy, Debug)]
pub(super) enum ClaimResult<T> {
    /// The claimed entry.
    Entry(T),
    NothingDue,
    /// The endpoint became busy, or its `due_at` was too early and is now corrected. Claim again in another transaction: other endpoints
    /// may be due.
    Retry,
}

/// Claims a delivery whose lease expired, or else the delivery that has been due longest among those whose endpoints are free.
pub(super) fn claim(session: &dyn Session, lease: TimeDelta, now: Timestamp) -> Result<ClaimResult<Claim<i64>>> {
    if let Some(claim) = DELIVERIES.claim_expired(session, lease, now)? {
        return Ok(ClaimResult::Entry(claim));
    }
    let Some((endpoint, due_at)) = next_endpoint(session, now)? else { return Ok(ClaimResult::NothingDue) };
    let queued = session.query(
        "SELECT id, claimable_at FROM deliveries WHERE endpoint_id = ?1 AND state = 'queued' ORDER BY claimable_at, id LIMIT 2",
        &binds![endpoint],
        |row| Ok((row.get::<i64>(0)?, row.get::<Timestamp>(1)?)),
    )?;
    let claim = match queued.first() {
        Some((id, claimable_at)) if *claimable_at == due_at => {
            DELIVERIES.claim_entry(session, *id, CLAIMABLE_CONDITION, lease, now)?
        }
        _ => None,
    };
    let next_due = queued.get(usize::from(claim.is_some())).map(|(_, claimable_at)| *claimable_at);
    if next_due != Some(due_at) {
        session.execute("UPDATE callback_endpoints SET due_at = ?2 WHERE id = ?1", &binds![endpoint, next_due])?;
    }
    Ok(claim.map_or(ClaimResult::Retry, ClaimResult::Entry))
}

/// Returns the free endpoint that has been due longest and that no other worker has locked, with its `due_at`.
fn next_endpoint(session: &dyn Session, now: Timestamp) -> Result<Option<(i64, Timestamp)>> {
    let dialect = session.dialect();
    let (from, lock) = (dialect.queue_table("callback_endpoints", "callback_endpoints_due"), dialect.lock_next_row());
    let sql = format!(
        "SELECT id, due_at {from}
         WHERE due_at <= ?1 AND NOT EXISTS (
             SELECT 1 FROM deliveries d WHERE d.endpoint_id = callback_endpoints.id AND d.state = 'delivering')
         ORDER BY due_at, id LIMIT 1 {lock}"
    );
    session.find(&sql, &binds![now], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the id of the endpoint with this URL, created if it doesn't exist. Call before queueing deliveries that are due at `at`.
pub(super) fn ensure_endpoint(session: &dyn Session, url: &str, at: Timestamp) -> Result<i64> {
    let sql = "INSERT INTO callback_endpoints (url, due_at) VALUES (?1, ?2)
         ON CONFLICT (url) DO UPDATE
         SET due_at = CASE WHEN callback_endpoints.due_at <= excluded.due_at THEN callback_endpoints.due_at
                           ELSE excluded.due_at END
         RETURNING id";
    session.query_value(sql, &binds![url, at])
}

/// Locks the endpoint of a delivery before it is queued again. False if the delivery doesn't exist.
pub(super) fn lock_endpoint(session: &dyn Session, id: DeliveryId) -> Result<bool> {
    let lock = session.dialect().lock_rows();
    let sql = format!(
        "SELECT 1 FROM callback_endpoints WHERE id = (SELECT endpoint_id FROM deliveries WHERE id = ?1) {lock}"
    );
    session.exists(&sql, &binds![id.0])
}

/// Lowers `due_at` of the endpoint for a delivery that was queued again.
pub(super) fn lower_due_time(session: &dyn Session, id: DeliveryId) -> Result<()> {
    let sql = "UPDATE callback_endpoints
         SET due_at = CASE WHEN due_at <= d.claimable_at THEN due_at ELSE d.claimable_at END
         FROM deliveries d
         WHERE d.id = ?1 AND d.state = 'queued' AND callback_endpoints.id = d.endpoint_id";
    session.execute(sql, &binds![id.0]).map(drop)
}

/// Queues the deliveries that wait for the transcriptions of these calls, which just ended.
pub(super) fn queue_waiting(session: &dyn Session, calls: &[CallId], now: Timestamp) -> Result<()> {
    let dialect = session.dialect();
    let calls = Bind::ids(calls.iter().map(|call| call.0));
    // `coalesce` makes SQLite search by call. Many deliveries may be waiting, but few of a call.
    let waiting =
        format!("coalesce(state, '') = 'waiting' AND webhook_id IS NULL AND {}", dialect.is_any_of("call_id", "?1"));
    let lock = dialect.lock_rows();
    let sql = format!(
        "SELECT id FROM callback_endpoints WHERE id IN (SELECT endpoint_id FROM deliveries WHERE {waiting})
         ORDER BY id {lock}"
    );
    let endpoints = session.query(&sql, std::slice::from_ref(&calls), |row| row.get::<i64>(0))?;
    if endpoints.is_empty() {
        return Ok(());
    }
    let sql = format!("UPDATE deliveries SET state = 'queued', claimable_at = ?2, changed_at = ?2 WHERE {waiting}");
    session.execute(&sql, &[calls, Bind::Time(now)])?;
    let sql = format!(
        "UPDATE callback_endpoints SET due_at = CASE WHEN due_at <= ?2 THEN due_at ELSE ?2 END WHERE {}",
        dialect.is_any_of("id", "?1")
    );
    session.execute(&sql, &[Bind::ids(endpoints), Bind::Time(now)]).map(drop)
}

/// Recomputes `due_at` of all endpoints, after the times of many deliveries changed.
pub(super) fn recompute_due_times(session: &dyn Session) -> Result<()> {
    let sql = "UPDATE callback_endpoints
         SET due_at = (SELECT min(d.claimable_at) FROM deliveries d
                       WHERE d.endpoint_id = callback_endpoints.id AND d.state = 'queued')";
    session.execute(sql, &[]).map(drop)
}
