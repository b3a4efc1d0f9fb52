//! Delivery requests and their deliveries: creation, replay and purge.

use leadscribe_engine::api::*;
use leadscribe_engine::callback::CallbackTarget;
use leadscribe_engine::diagnostic::{Diagnostic, Location, account, conflict};

use super::{DELIVERY_COLUMNS, find, of_webhooks, pending_states, read_delivery};
use crate::storage::sql::{Bind, Session, audit, binds, endpoint_queue, ids};
use crate::storage::{AuditContext, Result, StoreError, TOO_MANY_PENDING_DELIVERIES, WriteError};

/// Maximum number of deliveries or requests that one transaction purges. Takes some tens of milliseconds.
const PURGE_BATCH_SIZE: i64 = 1_000;

/// Columns that a new delivery sets.
const INSERT_COLUMNS: [&str; 10] = [
    "id",
    "request_id",
    "token_id",
    "call_id",
    "transcription_id",
    "state",
    "endpoint_id",
    "claimable_at",
    "changed_at",
    "created_at",
];

/// Call to deliver.
#[derive(Clone, Copy, Debug)]
pub(in crate::storage::sql) struct DeliveredItem {
    pub call: CallId,
    /// The transcription whose end is delivered; `None` to deliver the transcript that the call already has.
    pub transcription: Option<TranscriptionId>,
}

/// Template of a request that matched nothing, so that requests without deliveries can't fill the disk.
const EMPTY_TEMPLATE: &str = "null";

/// Refuses `additional` deliveries of a token if it would have more than `max_pending` pending deliveries.
fn check_pending_limit(
    session: &dyn Session,
    token: TokenId,
    additional: u64,
    max_pending: u64,
) -> Result<(), WriteError> {
    let sql = concat!(
        "SELECT count(*) FROM deliveries WHERE token_id = ?1 AND webhook_id IS NULL AND state IN ",
        pending_states!()
    );
    let pending_count: u64 = session.query_value(sql, &binds![token.0])?;
    if additional == 0 || pending_count.saturating_add(additional) <= max_pending {
        return Ok(());
    }
    let detail = conflict::too_many_pending_deliveries(pending_count, max_pending, additional);
    let diagnostic = Diagnostic::new(Location::default(), TOO_MANY_PENDING_DELIVERIES, detail);
    Err(WriteError::Refused(diagnostic.suggest(conflict::wait_for_deliveries())))
}

/// Locks a token until the transaction ends, so that concurrent requests can't exceed the limit together. Returns whether it is revoked;
/// `None` if the token doesn't exist.
fn lock_token(session: &dyn Session, token: TokenId) -> Result<Option<bool>> {
    let lock = session.dialect().lock_rows();
    let sql = format!("SELECT revoked_at IS NOT NULL FROM speech_tokens WHERE id = ?1 {lock}");
    session.find(&sql, &binds![token.0], |row| row.get(0))
}

/// Locks a token until the transaction ends. Refused if it doesn't exist or is revoked. `location` is its location in the request.
pub(in crate::storage::sql) fn lock_usable_token(
    session: &dyn Session,
    token: TokenId,
    location: &Location,
) -> Result<(), WriteError> {
    let refuse = |code, message| Err(WriteError::Refused(Diagnostic::new(location.clone(), code, message)));
    match lock_token(session, token)? {
        None => refuse("unknown_token", account::no_token(token.0)),
        Some(true) => refuse("revoked", account::token_is_revoked(token.0)),
        Some(false) => Ok(()),
    }
}

fn insert_request(
    session: &dyn Session,
    token: TokenId,
    target: &CallbackTarget,
    template: &str,
    is_test: bool,
    at: Timestamp,
) -> Result<i64> {
    let sql =
        "INSERT INTO speech_requests (token_id, method, template, created_at, is_test) VALUES (?1, ?2, ?3, ?4, ?5)
               RETURNING id";
    session.query_value(sql, &binds![token.0, target.method.as_str(), template, at, is_test])
}

/// Creates deliveries of these calls, whose transcriptions belong to this token, in this order.
pub(in crate::storage::sql) fn create(
    session: &dyn Session,
    token: TokenId,
    items: Vec<DeliveredItem>,
    target: &CallbackTarget,
    max_pending: u64,
    audit: &AuditContext,
) -> Result<SpeechRequestId, WriteError> {
    lock_token(session, token)?;
    check_pending_limit(session, token, items.len() as u64, max_pending)?;
    let template = if items.is_empty() { EMPTY_TEMPLATE } else { target.template.text() };
    let id = insert_request(session, token, target, template, false, audit.at)?;
    if !items.is_empty() {
        let endpoint = endpoint_queue::ensure_endpoint(session, &target.url, audit.at)?;
        let row = |item: &DeliveredItem| new_delivery(id, token, Some(*item), endpoint, audit.at);
        ids::insert_many(session, "deliveries", &INSERT_COLUMNS, &items.iter().map(row).collect::<Vec<_>>())?;
    }
    let request = SpeechRequestId(id);
    audit::record(session, "speech_request.create", &request.subject(), audit)?;
    Ok(request)
}

/// Row of a new delivery; a test delivery has no item.
fn new_delivery(request: i64, token: TokenId, item: Option<DeliveredItem>, endpoint: i64, at: Timestamp) -> Vec<Bind> {
    let call = item.map(|item| item.call.0);
    let transcription = item.and_then(|item| item.transcription).map(|id| id.0);
    let state = if transcription.is_some() { DeliveryState::Waiting } else { DeliveryState::Queued };
    binds![None::<i64>, request, token.0, call, transcription, state.as_str(), endpoint, at, at, at].to_vec()
}

/// Queues a delivery of a sample call.
pub(super) fn create_test(
    session: &dyn Session,
    token: TokenId,
    target: &CallbackTarget,
    max_pending: u64,
    audit: &AuditContext,
) -> Result<Delivery, WriteError> {
    lock_usable_token(session, token, &Location::default())?;
    check_pending_limit(session, token, 1, max_pending)?;
    let request = insert_request(session, token, target, target.template.text(), true, audit.at)?;
    let endpoint = endpoint_queue::ensure_endpoint(session, &target.url, audit.at)?;
    let row = new_delivery(request, token, None, endpoint, audit.at);
    let id = DeliveryId(ids::insert(session, "deliveries", &INSERT_COLUMNS, &row)?);
    audit::record(session, "delivery.test", &id.subject(), audit)?;
    Ok(find(session, id)?.ok_or_else(|| StoreError::Failed("a delivery disappeared after it was inserted".into()))?)
}

pub(super) fn find_status(
    session: &dyn Session,
    token: TokenId,
    id: SpeechRequestId,
) -> Result<Option<SpeechRequestStatus>> {
    session.find(
        concat!(
            "SELECT r.id, r.created_at, count(*) FILTER (WHERE d.state IN ",
            pending_states!(),
            "),
             count(*) FILTER (WHERE d.state = 'delivered'), count(*) FILTER (WHERE d.state IN ('failed', 'stopped'))
         FROM speech_requests r LEFT JOIN deliveries d ON d.request_id = r.id
         WHERE r.id = ?1 AND r.token_id = ?2 AND NOT r.is_test
         GROUP BY r.id, r.created_at",
        ),
        &binds![id.0, token.0],
        |row| {
            Ok(SpeechRequestStatus {
                speech_request_id: SpeechRequestId(row.get(0)?),
                created_at: row.get(1)?,
                pending: row.get(2)?,
                delivered: row.get(3)?,
                failed: row.get(4)?,
            })
        },
    )
}

pub(super) fn replay(
    session: &dyn Session,
    id: DeliveryId,
    audit: &AuditContext,
) -> Result<Option<Delivery>, WriteError> {
    let must_wait = of_webhooks::follow_webhook(session, id, audit.at)?;
    if !endpoint_queue::lock_endpoint(session, id)? {
        return Ok(None);
    }
    let new_state = if must_wait { DeliveryState::Waiting } else { DeliveryState::Queued };
    // A queued delivery keeps its attempt count, and its position if it is already due.
    let sql = format!(
        "UPDATE deliveries
         SET attempts_before_replay = CASE state WHEN 'queued' THEN attempts_before_replay ELSE attempts END,
             claimable_at = CASE WHEN state = 'queued' AND claimable_at < ?2 THEN claimable_at ELSE ?2 END,
             state = ?3, changed_at = ?2, finished_at = NULL
         WHERE id = ?1 AND state <> 'delivering' AND NOT EXISTS (
             SELECT 1 FROM transcriptions t
             WHERE t.id = deliveries.transcription_id AND t.state IN ('queued', 'processing'))
         RETURNING {DELIVERY_COLUMNS}"
    );
    let Some(replayed) = session.find(&sql, &binds![id.0, audit.at, new_state.as_str()], read_delivery)? else {
        let state = find(session, id)?.map(|delivery| delivery.state);
        let (code, message) = match state {
            Some(DeliveryState::Delivering) => ("delivery_running", conflict::delivery_running(id.0)),
            _ => ("not_transcribed", conflict::not_transcribed(id.0)),
        };
        let diagnostic = Diagnostic::new(Location::default(), code, message);
        return Err(WriteError::Refused(diagnostic.suggest(conflict::retry_when_finished())));
    };
    endpoint_queue::lower_due_time(session, id)?;
    audit::record(session, "delivery.replay", &id.subject(), audit)?;
    Ok(Some(replayed))
}

/// Deletes at most [`PURGE_BATCH_SIZE`] deliveries. Returns their number.
pub(super) fn purge_deliveries(session: &dyn Session, before: Timestamp) -> Result<u64> {
    session.execute(
        "DELETE FROM deliveries
         WHERE id IN (SELECT id FROM deliveries WHERE finished_at < ?1 ORDER BY finished_at LIMIT ?2)",
        &binds![before, PURGE_BATCH_SIZE],
    )
}

/// Returns the ids of at most [`PURGE_BATCH_SIZE`] endpoints without deliveries.
pub(super) fn find_empty_endpoints(session: &dyn Session) -> Result<Vec<i64>> {
    let sql = "SELECT e.id FROM callback_endpoints e
               WHERE NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.endpoint_id = e.id) LIMIT ?1";
    session.query(sql, &binds![PURGE_BATCH_SIZE], |row| row.get(0))
}

/// Deletes those of these endpoints that still have no deliveries. The transaction must detect conflicts: a statement that waited for a
/// concurrent transaction wouldn't see the delivery that it queued.
pub(super) fn delete_empty_endpoints(session: &dyn Session, ids: &[i64]) -> Result<()> {
    let has_id = session.dialect().is_any_of("id", "?1");
    let sql = format!(
        "DELETE FROM callback_endpoints
         WHERE {has_id} AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.endpoint_id = callback_endpoints.id)"
    );
    session.execute(&sql, &[Bind::ids(ids.iter().copied())]).map(drop)
}

/// Deletes deleted webhooks and at most [`PURGE_BATCH_SIZE`] requests that have no deliveries left. Returns the number of requests.
pub(super) fn purge_empty_requests(session: &dyn Session, before: Timestamp) -> Result<u64> {
    session.execute(
        "DELETE FROM webhooks WHERE deleted_at < ?1
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.webhook_id = webhooks.id)",
        &binds![before],
    )?;
    session.execute(
        "DELETE FROM speech_requests
         WHERE id IN (SELECT r.id FROM speech_requests r
                      WHERE r.created_at < ?1 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.request_id = r.id)
                      ORDER BY r.created_at LIMIT ?2)",
        &binds![before, PURGE_BATCH_SIZE],
    )
}
