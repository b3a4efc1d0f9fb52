//! Claims of deliveries, endpoint by endpoint: one at a time to each, so that an endpoint that doesn't answer holds up
//! nobody else's.
//!
//! `due_at` of an endpoint is when the first of its queued deliveries is due, or earlier. So a claim looks at endpoints that
//! are due, of which few are busy, and not at the deliveries that wait for those. Whoever queues a delivery, new or again,
//! lowers `due_at` in the same transaction; claims raise it.
//!
//! On PostgreSQL the row of the endpoint is locked by claims and by whoever queues, each before it changes deliveries that
//! wait. Their transactions are READ COMMITTED: once they have the lock, each statement sees what others committed
//! before.

use chrono::TimeDelta;
use leadscribe_engine::api::{DeliveryId, Timestamp};

use crate::storage::sql::queue::DELIVERIES;
use crate::storage::sql::{Session, binds};
use crate::storage::{Claim, StoreError};

/// Condition for a delivery: it waits, and none to the same endpoint is under way.
const MAY_BEGIN: &str = "state = 'queued' AND NOT EXISTS (
    SELECT 1 FROM deliveries other WHERE other.endpoint_id = deliveries.endpoint_id AND other.state = 'delivering')";

/// What came of a claim.
#[derive(Clone, Copy, Debug)]
pub(super) enum Claimed<T> {
    /// This.
    Entry(T),
    /// There is nothing to do.
    Nothing,
    /// The endpoint that was found became busy, or its `due_at` was too early and is put right. There may be others:
    /// claim again, in another transaction.
    Retry,
}

/// Claims a delivery that its worker has lost, or else the one that has been due longest of those whose endpoints are free.
pub(super) fn claim(
    session: &dyn Session,
    lease: TimeDelta,
    now: Timestamp,
) -> Result<Claimed<Claim<i64>>, StoreError> {
    if let Some(claim) = DELIVERIES.claim_lost(session, lease, now)? {
        return Ok(Claimed::Entry(claim));
    }
    let Some((endpoint, due_at)) = next_endpoint(session, now)? else { return Ok(Claimed::Nothing) };
    let waiting = session.query(
        "SELECT id, ready_at FROM deliveries WHERE endpoint_id = ?1 AND state = 'queued' ORDER BY ready_at, id LIMIT 2",
        &binds![endpoint],
        |row| Ok((row.get::<i64>(0)?, row.get::<Timestamp>(1)?)),
    )?;
    let claim = match waiting.first() {
        Some((id, ready_at)) if *ready_at == due_at => DELIVERIES.begin(session, *id, MAY_BEGIN, lease, now)?,
        _ => None,
    };
    let next = waiting.get(usize::from(claim.is_some())).map(|(_, ready_at)| *ready_at);
    if next != Some(due_at) {
        session.execute("UPDATE callback_endpoints SET due_at = ?2 WHERE id = ?1", &binds![endpoint, next])?;
    }
    Ok(claim.map_or(Claimed::Retry, Claimed::Entry))
}

/// The endpoint that has been due longest of those that are free and that no other worker is looking at, with its `due_at`.
fn next_endpoint(session: &dyn Session, now: Timestamp) -> Result<Option<(i64, Timestamp)>, StoreError> {
    let dialect = session.dialect();
    let (from, lock) = (dialect.queue_table("callback_endpoints", "callback_endpoints_due"), dialect.lock_next());
    let sql = format!(
        "SELECT id, due_at {from}
         WHERE due_at <= ?1 AND NOT EXISTS (
             SELECT 1 FROM deliveries d WHERE d.endpoint_id = callback_endpoints.id AND d.state = 'delivering')
         ORDER BY due_at, id LIMIT 1 {lock}"
    );
    session.find(&sql, &binds![now], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The endpoint with this URL, which is made if need be; deliveries to it that are due at `at` are about to be queued.
pub(super) fn endpoint(session: &dyn Session, url: &str, at: Timestamp) -> Result<i64, StoreError> {
    let sql = "INSERT INTO callback_endpoints (url, due_at) VALUES (?1, ?2)
         ON CONFLICT (url) DO UPDATE
         SET due_at = CASE WHEN callback_endpoints.due_at <= excluded.due_at THEN callback_endpoints.due_at
                           ELSE excluded.due_at END
         RETURNING id";
    session.value(sql, &binds![url, at])
}

/// Locks the endpoint of a delivery that is about to be queued again. False when there is no such delivery.
pub(super) fn lock(session: &dyn Session, id: DeliveryId) -> Result<bool, StoreError> {
    let lock = session.dialect().lock();
    let sql = format!(
        "SELECT 1 FROM callback_endpoints WHERE id = (SELECT endpoint_id FROM deliveries WHERE id = ?1) {lock}"
    );
    session.exists(&sql, &binds![id.0])
}

/// Notes at its endpoint when a delivery is due that was queued again.
pub(super) fn note_queued(session: &dyn Session, id: DeliveryId) -> Result<(), StoreError> {
    let sql = "UPDATE callback_endpoints
         SET due_at = CASE WHEN due_at <= d.ready_at THEN due_at ELSE d.ready_at END
         FROM deliveries d
         WHERE d.id = ?1 AND d.state = 'queued' AND callback_endpoints.id = d.endpoint_id";
    session.execute(sql, &binds![id.0]).map(drop)
}

/// Finds for all endpoints anew when they are due, after times of many deliveries were changed.
pub(in crate::storage::sql) fn recount(session: &dyn Session) -> Result<(), StoreError> {
    let sql = "UPDATE callback_endpoints
         SET due_at = (SELECT min(d.ready_at) FROM deliveries d
                       WHERE d.endpoint_id = callback_endpoints.id AND d.state = 'queued')";
    session.execute(sql, &[]).map(drop)
}
