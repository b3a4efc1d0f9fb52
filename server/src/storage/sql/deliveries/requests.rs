//! Requests and their deliveries: made, replayed, forgotten.

use leadscribe_engine::api::*;
use leadscribe_engine::fault::{Fault, Place};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{DELIVERY_COLUMNS, delivery, find};
use crate::storage::sqlite::audit;
use crate::storage::sqlite::rows::Micros;
use crate::storage::sqlite::transcripts::search;
use crate::storage::{Origin, Slice, Target, TranscriptQuery, WriteError};

/// Deliveries forgotten in one transaction: some tens of milliseconds in which nobody else writes.
const BATCH: i64 = 1_000;

/// Queues a delivery, due at once.
fn insert(
    transaction: &Transaction<'_>,
    token: TokenId,
    of: Option<(SpeechRequestId, CallId)>,
    target: &Target,
    template: &str,
    now: Timestamp,
) -> rusqlite::Result<Delivery> {
    let (request, call) = of.unzip();
    transaction
        .prepare_cached(&format!(
            "INSERT INTO deliveries (request_id, token_id, call_id, url, method, template, ready_at, changed_at,
                 created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?7)
             RETURNING {DELIVERY_COLUMNS}"
        ))?
        .query_row(
            params![
                request.map(|id| id.0),
                token.0,
                call.map(|id| id.0),
                target.url,
                target.method.as_str(),
                template,
                Micros(now),
            ],
            delivery,
        )
}

/// `query` is about transcripts of this token.
pub(super) fn create(
    transaction: &Transaction<'_>,
    token: TokenId,
    query: &TranscriptQuery,
    slice: Slice,
    target: &Target,
    by: &Origin,
) -> rusqlite::Result<SpeechRequestResponse> {
    let call_ids = search::calls(transaction, query, slice)?;
    let template = target.template.text();
    let request = transaction
        .prepare_cached(
            "INSERT INTO speech_requests (token_id, url, method, template, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .insert(params![token.0, target.url, target.method.as_str(), template, Micros(by.at)])
        .map(SpeechRequestId)?;
    for call in &call_ids {
        insert(transaction, token, Some((request, *call)), target, template, by.at)?;
    }
    audit::record(transaction, "speech_request.create", &format!("speech_request:{request}"), by)?;
    Ok(SpeechRequestResponse { speech_request_id: request, call_ids })
}

pub(super) fn create_test(
    transaction: &Transaction<'_>,
    token: TokenId,
    target: &Target,
    by: &Origin,
) -> Result<Delivery, WriteError> {
    let revoked: Option<bool> = transaction
        .prepare_cached("SELECT revoked_at IS NOT NULL FROM speech_tokens WHERE id = ?1")?
        .query_row([token.0], |row| row.get(0))
        .optional()?;
    let refuse = |code, detail: String| WriteError::Refused(Fault::new(Place::default(), code, detail));
    match revoked {
        None => Err(refuse("unknown_token", format!("expected a token that exists, but there is no token {token}"))),
        Some(true) => Err(refuse("revoked", format!("expected a token that isn't revoked, but token {token} is"))),
        Some(false) => {
            let made = insert(transaction, token, None, target, target.template.text(), by.at)?;
            audit::record(transaction, "delivery.test", &format!("delivery:{}", made.id), by)?;
            Ok(made)
        }
    }
}

pub(super) fn status(
    snapshot: &Connection,
    token: TokenId,
    id: SpeechRequestId,
) -> rusqlite::Result<Option<SpeechRequestStatus>> {
    snapshot
        .prepare_cached(
            "SELECT r.id, r.created_at, count(*) FILTER (WHERE d.state IN ('queued', 'delivering')),
                 count(*) FILTER (WHERE d.state = 'delivered'), count(*) FILTER (WHERE d.state IN ('failed', 'stopped'))
             FROM speech_requests r LEFT JOIN deliveries d ON d.request_id = r.id
             WHERE r.id = ?1 AND r.token_id = ?2
             GROUP BY r.id",
        )?
        .query_row([id.0, token.0], |row| {
            Ok(SpeechRequestStatus {
                speech_request_id: SpeechRequestId(row.get(0)?),
                created_at: row.get::<_, Micros>(1)?.0,
                open: row.get(2)?,
                delivered: row.get(3)?,
                failed: row.get(4)?,
            })
        })
        .optional()
}

pub(super) fn replay(
    transaction: &Transaction<'_>,
    id: DeliveryId,
    by: &Origin,
) -> Result<Option<Delivery>, WriteError> {
    let Some(old) = find(transaction, id)? else { return Ok(None) };
    if matches!(old.state, DeliveryState::Queued | DeliveryState::Delivering) {
        let detail = format!("expected a delivery that has ended, but delivery {id} is {}", old.state);
        let fault = Fault::new(Place::default(), "delivery_open", detail).hint("wait until it has ended");
        return Err(WriteError::Refused(fault));
    }
    let replayed = transaction
        .prepare_cached(&format!(
            "UPDATE deliveries
             SET state = 'queued', earlier_attempts = attempts, ready_at = ?2, changed_at = ?2, finished_at = NULL
             WHERE id = ?1
             RETURNING {DELIVERY_COLUMNS}"
        ))?
        .query_row(params![id.0, Micros(by.at)], delivery)?;
    audit::record(transaction, "delivery.replay", &format!("delivery:{id}"), by)?;
    Ok(Some(replayed))
}

/// Forgets at most [`BATCH`] deliveries, and the requests that have none; gives how many deliveries.
pub(super) fn purge(transaction: &Transaction<'_>, before: Timestamp) -> rusqlite::Result<u64> {
    let purged = transaction
        .prepare_cached(
            "DELETE FROM deliveries
             WHERE id IN (SELECT id FROM deliveries WHERE finished_at < ?1 ORDER BY finished_at LIMIT ?2)",
        )?
        .execute(params![Micros(before), BATCH])?;
    transaction
        .prepare_cached(
            "DELETE FROM speech_requests
             WHERE created_at < ?1 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.request_id = speech_requests.id)",
        )?
        .execute([Micros(before)])?;
    Ok(purged as u64)
}
