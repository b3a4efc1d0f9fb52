//! Delivery requests and their deliveries: creation, replay and purge.

use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Place, stored};

use super::{DELIVERY_COLUMNS, delivery, find, turns};
use crate::storage::sql::{Bind, Session, audit, binds, ids};
use crate::storage::{Origin, StoreError, TOO_MANY_OPEN_DELIVERIES, Target, WriteError};

/// Maximum number of deliveries or requests that one transaction purges. Takes some tens of milliseconds.
const BATCH: i64 = 1_000;

/// Columns that a new delivery sets.
const COLUMNS: [&str; 8] =
    ["id", "request_id", "token_id", "call_id", "endpoint_id", "ready_at", "changed_at", "created_at"];

/// Template of a request that matched nothing, so that requests without deliveries can't fill the disk.
const NO_TEMPLATE: &str = "null";

/// Refuses `more` deliveries of a token if it would have more than `max_open` open deliveries.
fn check_open(session: &dyn Session, token: TokenId, more: u64, max_open: u64) -> Result<(), WriteError> {
    let sql = "SELECT count(*) FROM deliveries WHERE token_id = ?1 AND state IN ('queued', 'delivering')";
    let open: u64 = session.value(sql, &binds![token.0])?;
    if more == 0 || open.saturating_add(more) <= max_open {
        return Ok(());
    }
    let detail = stored::too_many_open_deliveries(open, max_open, more);
    let fault = Diagnostic::new(Place::default(), TOO_MANY_OPEN_DELIVERIES, detail);
    Err(WriteError::Refused(fault.suggest(stored::wait_for_deliveries())))
}

/// Locks a token until the transaction ends, so that concurrent requests can't exceed the limit together. Returns whether it is revoked;
/// `None` if the token doesn't exist.
fn lock_token(session: &dyn Session, token: TokenId) -> Result<Option<bool>, StoreError> {
    let lock = session.dialect().lock();
    let sql = format!("SELECT revoked_at IS NOT NULL FROM speech_tokens WHERE id = ?1 {lock}");
    session.find(&sql, &binds![token.0], |row| row.get(0))
}

/// Inserts a request and returns its id.
fn insert_request(
    session: &dyn Session,
    token: TokenId,
    target: &Target,
    template: &str,
    is_test: bool,
    at: Timestamp,
) -> Result<i64, StoreError> {
    let sql =
        "INSERT INTO speech_requests (token_id, method, template, created_at, is_test) VALUES (?1, ?2, ?3, ?4, ?5)
               RETURNING id";
    session.value(sql, &binds![token.0, target.method.as_str(), template, at, is_test])
}

/// Queues deliveries of these calls, whose transcripts belong to this token.
pub(super) fn create(
    session: &dyn Session,
    token: TokenId,
    calls: &[CallId],
    target: &Target,
    max_open: u64,
    by: &Origin,
) -> Result<SpeechRequestId, WriteError> {
    lock_token(session, token)?;
    check_open(session, token, calls.len() as u64, max_open)?;
    let template = if calls.is_empty() { NO_TEMPLATE } else { target.template.text() };
    let id = insert_request(session, token, target, template, false, by.at)?;
    if !calls.is_empty() {
        let endpoint = turns::endpoint(session, &target.url, by.at)?;
        let row = |call: &CallId| binds![None::<i64>, id, token.0, call.0, endpoint, by.at, by.at, by.at].to_vec();
        ids::insert_many(session, "deliveries", &COLUMNS, &calls.iter().map(row).collect::<Vec<_>>())?;
    }
    let request = SpeechRequestId(id);
    audit::record(session, "speech_request.create", &request.subject(), by)?;
    Ok(request)
}

/// Queues a delivery of a sample call.
pub(super) fn create_test(
    session: &dyn Session,
    token: TokenId,
    target: &Target,
    max_open: u64,
    by: &Origin,
) -> Result<Delivery, WriteError> {
    let refuse = |code, detail: String| Err(WriteError::Refused(Diagnostic::new(Place::default(), code, detail)));
    match lock_token(session, token)? {
        None => return refuse("unknown_token", format!("there is no token {token}")),
        Some(true) => return refuse("revoked", format!("token {token} is revoked")),
        Some(false) => {}
    }
    check_open(session, token, 1, max_open)?;
    let request = insert_request(session, token, target, target.template.text(), true, by.at)?;
    let endpoint = turns::endpoint(session, &target.url, by.at)?;
    let row = binds![None::<i64>, request, token.0, None::<i64>, endpoint, by.at, by.at, by.at];
    let id = DeliveryId(ids::insert(session, "deliveries", &COLUMNS, &row)?);
    audit::record(session, "delivery.test", &id.subject(), by)?;
    Ok(find(session, id)?.ok_or_else(|| StoreError::Failed("a delivery is gone that was just inserted".into()))?)
}

pub(super) fn status(
    session: &dyn Session,
    token: TokenId,
    id: SpeechRequestId,
) -> Result<Option<SpeechRequestStatus>, StoreError> {
    session.find(
        "SELECT r.id, r.created_at, count(*) FILTER (WHERE d.state IN ('queued', 'delivering')),
             count(*) FILTER (WHERE d.state = 'delivered'), count(*) FILTER (WHERE d.state IN ('failed', 'stopped'))
         FROM speech_requests r LEFT JOIN deliveries d ON d.request_id = r.id
         WHERE r.id = ?1 AND r.token_id = ?2 AND NOT r.is_test
         GROUP BY r.id, r.created_at",
        &binds![id.0, token.0],
        |row| {
            Ok(SpeechRequestStatus {
                speech_request_id: SpeechRequestId(row.get(0)?),
                created_at: row.get(1)?,
                open: row.get(2)?,
                delivered: row.get(3)?,
                failed: row.get(4)?,
            })
        },
    )
}

pub(super) fn replay(session: &dyn Session, id: DeliveryId, by: &Origin) -> Result<Option<Delivery>, WriteError> {
    if !turns::lock(session, id)? {
        return Ok(None);
    }
    // A queued delivery keeps its attempt count, and its position if it is already due.
    let sql = format!(
        "UPDATE deliveries
         SET earlier_attempts = CASE state WHEN 'queued' THEN earlier_attempts ELSE attempts END,
             ready_at = CASE WHEN state = 'queued' AND ready_at < ?2 THEN ready_at ELSE ?2 END,
             state = 'queued', changed_at = ?2, finished_at = NULL
         WHERE id = ?1 AND state <> 'delivering'
         RETURNING {DELIVERY_COLUMNS}"
    );
    let Some(replayed) = session.find(&sql, &binds![id.0, by.at], delivery)? else {
        let detail = format!("delivery {id} is running");
        let fault = Diagnostic::new(Place::default(), "delivery_open", detail).suggest("retry when it has finished");
        return Err(WriteError::Refused(fault));
    };
    turns::note_queued(session, id)?;
    audit::record(session, "delivery.replay", &id.subject(), by)?;
    Ok(Some(replayed))
}

/// Deletes at most [`BATCH`] deliveries, and endpoints that have no others. Returns the number of deliveries.
pub(super) fn purge(session: &dyn Session, before: Timestamp) -> Result<u64, StoreError> {
    let mut endpoints = session.query(
        "DELETE FROM deliveries
         WHERE id IN (SELECT id FROM deliveries WHERE finished_at < ?1 ORDER BY finished_at LIMIT ?2)
         RETURNING endpoint_id",
        &binds![before, BATCH],
        |row| row.get::<i64>(0),
    )?;
    let purged = endpoints.len() as u64;
    endpoints.sort_unstable();
    endpoints.dedup();
    let sql = format!(
        "DELETE FROM callback_endpoints WHERE {}
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.endpoint_id = callback_endpoints.id)",
        session.dialect().is_any_of("id", "?1")
    );
    session.execute(&sql, &[Bind::ids(endpoints)])?;
    Ok(purged)
}

/// Deletes at most [`BATCH`] requests that have no deliveries left. Returns their number.
pub(super) fn purge_empty(session: &dyn Session, before: Timestamp) -> Result<u64, StoreError> {
    session.execute(
        "DELETE FROM speech_requests
         WHERE id IN (SELECT r.id FROM speech_requests r
                      WHERE r.created_at < ?1 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.request_id = r.id)
                      ORDER BY r.created_at LIMIT ?2)",
        &binds![before, BATCH],
    )
}
