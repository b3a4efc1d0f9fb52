//! Requests and their deliveries: made, replayed, forgotten.

use leadscribe_engine::api::*;
use leadscribe_engine::fault::{Fault, Place};

use super::{DELIVERY_COLUMNS, delivery, find};
use crate::storage::sql::{Bind, Session, audit, binds, ids, lists};
use crate::storage::{Origin, Slice, StoreError, Target, TranscriptQuery, WriteError};

/// Deliveries, or requests, forgotten in one transaction: some tens of milliseconds.
const BATCH: i64 = 1_000;

/// What a delivery is inserted with.
const COLUMNS: [&str; 10] =
    ["id", "request_id", "token_id", "call_id", "url", "method", "template", "ready_at", "changed_at", "created_at"];

/// A delivery to be, due at once: a value for each of [`COLUMNS`].
fn due(token: TokenId, of: Option<(SpeechRequestId, CallId)>, target: &Target, now: Timestamp) -> Vec<Bind> {
    let (request, call) = of.map(|(request, call)| (request.0, call.0)).unzip();
    let (method, template) = (target.method.as_str(), target.template.text());
    binds![None::<i64>, request, token.0, call, target.url, method, template, now, now, now].to_vec()
}

/// `query` is about transcripts of this token.
pub(super) fn create(
    session: &dyn Session,
    token: TokenId,
    query: &TranscriptQuery,
    slice: Slice,
    target: &Target,
    by: &Origin,
) -> Result<SpeechRequestResponse, StoreError> {
    let total = lists::total(session, query)?;
    let call_ids: Vec<_> = lists::ids(session, query, slice)?.into_iter().map(CallId).collect();
    let template = target.template.text();
    let sql = "INSERT INTO speech_requests (token_id, url, method, template, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
               RETURNING id";
    let id = session.value(sql, &binds![token.0, target.url, target.method.as_str(), template, by.at])?;
    let request = SpeechRequestId(id);
    let all: Vec<_> = call_ids.iter().map(|call| due(token, Some((request, *call)), target, by.at)).collect();
    ids::insert_many(session, "deliveries", &COLUMNS, &all)?;
    audit::record(session, "speech_request.create", &request.subject(), by)?;
    Ok(SpeechRequestResponse { speech_request_id: request, call_ids, total })
}

pub(super) fn create_test(
    session: &dyn Session,
    token: TokenId,
    target: &Target,
    by: &Origin,
) -> Result<Delivery, WriteError> {
    let sql = "SELECT revoked_at IS NOT NULL FROM speech_tokens WHERE id = ?1";
    let revoked: Option<bool> = session.find(sql, &binds![token.0], |row| row.get(0))?;
    let refuse = |code, detail: String| WriteError::Refused(Fault::new(Place::default(), code, detail));
    match revoked {
        None => Err(refuse("unknown_token", format!("expected a token that exists, but there is no token {token}"))),
        Some(true) => Err(refuse("revoked", format!("expected a token that isn't revoked, but token {token} is"))),
        Some(false) => {
            let insert = ids::insert_sql(session.dialect(), "deliveries", &COLUMNS);
            let sql = format!("{insert} RETURNING {DELIVERY_COLUMNS}");
            let made = session.one(&sql, &due(token, None, target, by.at), delivery)?;
            audit::record(session, "delivery.test", &made.id.subject(), by)?;
            Ok(made)
        }
    }
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
         WHERE r.id = ?1 AND r.token_id = ?2
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
    if find(session, id)?.is_none() {
        return Ok(None);
    }
    // One that waits stays in its series of attempts, and in its place when it is due already.
    let sql = format!(
        "UPDATE deliveries
         SET earlier_attempts = CASE state WHEN 'queued' THEN earlier_attempts ELSE attempts END,
             ready_at = CASE WHEN state = 'queued' AND ready_at < ?2 THEN ready_at ELSE ?2 END,
             state = 'queued', changed_at = ?2, finished_at = NULL
         WHERE id = ?1 AND state <> 'delivering'
         RETURNING {DELIVERY_COLUMNS}"
    );
    let Some(replayed) = session.find(&sql, &binds![id.0, by.at], delivery)? else {
        let detail = format!("expected a delivery that has ended or waits, but delivery {id} is under way");
        let fault = Fault::new(Place::default(), "delivery_open", detail).hint("wait until it has ended");
        return Err(WriteError::Refused(fault));
    };
    audit::record(session, "delivery.replay", &id.subject(), by)?;
    Ok(Some(replayed))
}

/// Forgets at most [`BATCH`] deliveries; gives how many.
pub(super) fn purge(session: &dyn Session, before: Timestamp) -> Result<u64, StoreError> {
    session.execute(
        "DELETE FROM deliveries
         WHERE id IN (SELECT id FROM deliveries WHERE finished_at < ?1 ORDER BY finished_at LIMIT ?2)",
        &binds![before, BATCH],
    )
}

/// Forgets at most [`BATCH`] requests that have no deliveries any more; gives how many.
pub(super) fn purge_empty(session: &dyn Session, before: Timestamp) -> Result<u64, StoreError> {
    session.execute(
        "DELETE FROM speech_requests
         WHERE id IN (SELECT r.id FROM speech_requests r
                      WHERE r.created_at < ?1 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.request_id = r.id)
                      ORDER BY r.created_at LIMIT ?2)",
        &binds![before, BATCH],
    )
}
