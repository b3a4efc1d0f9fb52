//! Submissions: which calls are taken, and the queue they enter.

use std::collections::HashMap;

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::submission::Submission;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::dialect::id_list;
use super::rows::{self, Json, Micros, moment};
use super::{SqliteStore, audit};
use crate::storage::{IdempotencyKey, Origin, SpeechStore, StoreError, SubmitOutcome};

/// What the decision on a call depends on.
struct Facts {
    created_at: Timestamp,
    recording: Recording,
    sent: bool,
}

fn facts(connection: &Connection, ids: &[CallId]) -> rusqlite::Result<HashMap<CallId, Facts>> {
    connection
        .prepare_cached(
            "SELECT id, created_at, recording_state, media_type, channels, sample_rate, duration_seconds, bytes,
                 EXISTS (SELECT 1 FROM transcriptions t WHERE t.call_id = calls.id AND t.state <> 'failed')
             FROM calls WHERE id IN (SELECT value FROM rarray(?1))",
        )?
        .query_map([id_list(ids.iter().map(|id| id.0))], |row| {
            let facts = Facts {
                created_at: row.get::<_, Micros>(1)?.0,
                recording: rows::recording(row, 2)?,
                sent: row.get(8)?,
            };
            Ok((CallId(row.get(0)?), facts))
        })?
        .collect()
}

/// Why the call isn't taken: the first reason that applies, in the documented order.
fn skip_reason(submission: &Submission, facts: Option<&Facts>) -> Option<SkipReason> {
    let Some(facts) = facts else { return Some(SkipReason::NotFound) };
    let before = submission.from.is_some_and(|from| facts.created_at < from);
    let after = submission.till.is_some_and(|till| facts.created_at > till);
    if before || after {
        return Some(SkipReason::OutOfRange);
    }
    let recording = &facts.recording;
    match recording.state {
        RecordingState::None => return Some(SkipReason::RecordingMissing),
        RecordingState::Pending => return Some(SkipReason::RecordingPending),
        RecordingState::Failed => return Some(SkipReason::RecordingFailed),
        RecordingState::Ready => {}
    }
    if recording.duration_seconds.unwrap_or(0.0) < f64::from(submission.min_duration) {
        Some(SkipReason::TooShort)
    } else if submission.recording_side != RecordingSide::Both && recording.channels == Some(1) {
        Some(SkipReason::SideUnavailable)
    } else if facts.sent {
        Some(SkipReason::AlreadySent)
    } else {
        None
    }
}

/// The verdicts, and the minutes of the calls that are taken, to two decimals.
fn dry_run(snapshot: &Connection, submission: &Submission) -> rusqlite::Result<SubmissionResponse> {
    let facts = facts(snapshot, &submission.call_ids)?;
    let mut response = SubmissionResponse::default();
    let mut seconds = 0.0;
    for id in &submission.call_ids {
        let facts = facts.get(id);
        let outcome = match skip_reason(submission, facts) {
            Some(reason) => CallOutcome::skipped(reason),
            None => {
                seconds += facts.and_then(|facts| facts.recording.duration_seconds).unwrap_or(0.0);
                CallOutcome::Accepted { transcription_id: None }
            }
        };
        response.results.calls.insert(*id, outcome);
    }
    response.total_minutes = Some((seconds / 60.0 * 100.0).round() / 100.0);
    Ok(response)
}

fn replay(
    transaction: &Transaction<'_>,
    token: TokenId,
    given: &IdempotencyKey,
) -> rusqlite::Result<Option<SubmitOutcome>> {
    transaction
        .prepare_cached("SELECT fingerprint, answer FROM idempotency_keys WHERE token_id = ?1 AND key = ?2")?
        .query_row(params![token.0, given.key], |row| {
            let fingerprint: [u8; 32] = row.get(0)?;
            Ok(if fingerprint == given.fingerprint {
                SubmitOutcome::Replayed(row.get::<_, Json<_>>(1)?.0)
            } else {
                SubmitOutcome::KeyReused
            })
        })
        .optional()
}

fn submit(
    transaction: &Transaction<'_>,
    submission: &Submission,
    token: TokenId,
    idempotency: Option<&IdempotencyKey>,
    by: &Origin,
) -> Result<SubmitOutcome, StoreError> {
    if let Some(given) = idempotency
        && let Some(earlier) = replay(transaction, token, given)?
    {
        return Ok(earlier);
    }
    let facts = facts(transaction, &submission.call_ids)?;
    let languages = serde_json::to_string(&submission.languages)?;
    let mut enqueue = transaction.prepare_cached(
        "INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, queued_at, ready_at,
             changed_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6)",
    )?;
    let mut response = SubmissionResponse::default();
    let mut accepted = 0_u64;
    for id in &submission.call_ids {
        let outcome = match skip_reason(submission, facts.get(id)) {
            Some(reason) => CallOutcome::skipped(reason),
            None => {
                let side = submission.recording_side.as_str();
                let min_duration = submission.min_duration;
                let queued = enqueue.insert(params![id.0, token.0, languages, side, min_duration, Micros(by.at)])?;
                accepted += 1;
                CallOutcome::Accepted { transcription_id: Some(TranscriptionId(queued)) }
            }
        };
        response.results.calls.insert(*id, outcome);
    }
    if accepted > 0 {
        transaction.execute(
            "UPDATE speech_tokens SET transcriptions = transcriptions + ?2 WHERE id = ?1",
            params![token.0, accepted],
        )?;
    }
    if let Some(given) = idempotency {
        transaction.execute(
            "INSERT INTO idempotency_keys (token_id, key, fingerprint, answer, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![token.0, given.key, given.fingerprint, Json(&response), Micros(by.at)],
        )?;
    }
    audit::record(transaction, "speech.submit", &format!("speech_token:{token}"), by)?;
    Ok(SubmitOutcome::Done(response))
}

#[async_trait]
impl SpeechStore for SqliteStore {
    async fn submit(
        &self,
        submission: &Submission,
        token: TokenId,
        is_dry_run: bool,
        idempotency: Option<&IdempotencyKey>,
        by: &Origin,
    ) -> Result<SubmitOutcome, StoreError> {
        let (submission, idempotency, by) = (submission.clone(), idempotency.cloned(), by.clone());
        if is_dry_run {
            // Keys are for what is written; nothing is here.
            return self.read(move |snapshot| Ok(SubmitOutcome::Done(dry_run(snapshot, &submission)?))).await;
        }
        self.write(move |transaction| submit(transaction, &submission, token, idempotency.as_ref(), &by)).await
    }

    async fn purge_idempotency_keys(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.write(move |transaction| {
            let purged = transaction.execute("DELETE FROM idempotency_keys WHERE created_at < ?1", [Micros(before)])?;
            Ok(purged as u64)
        })
        .await
    }

    async fn queue_depth(&self) -> Result<(u64, Option<Timestamp>), StoreError> {
        self.read(|snapshot| {
            let depth = snapshot
                .prepare_cached("SELECT count(*), min(queued_at) FROM transcriptions WHERE state = 'queued'")?
                .query_row([], |row| Ok((row.get(0)?, moment(row, 1)?)))?;
            Ok(depth)
        })
        .await
    }
}
