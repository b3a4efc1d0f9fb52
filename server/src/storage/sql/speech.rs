//! Submissions: selection of calls and queueing of their transcriptions.
//!
//! Many clients submit concurrently, often with the same token and adjacent calls. A submission therefore doesn't exclude other writers. It
//! locks its calls until it ends. A call that was already sent or a key that was already used is detected by the duplicate insert, which
//! waits for concurrent submissions.

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::submission::{Submission, misfit};

use super::audit::Changed;
use super::queue::TRANSCRIPTIONS;
use super::rows;
use super::{Bind, Database, Session, SqlStore, audit, binds};
use crate::storage::{IdempotencyKey, Origin, SpeechStore, StoreError, SubmitOutcome};

/// Facts that decide whether a call is accepted.
struct Facts {
    created_at: Timestamp,
    recording: Recording,
}

type FactsById = HashMap<CallId, Facts>;

/// Reads the facts of the calls. `lock` is the suffix of the query.
fn facts(session: &dyn Session, submission: &Submission, lock: &str) -> Result<FactsById, StoreError> {
    let sql = format!(
        "SELECT id, created_at, recording_state, media_type, channels, sample_rate, duration_seconds, bytes
         FROM calls WHERE {} {lock}",
        session.dialect().is_any_of("id", "?1")
    );
    let mut facts = HashMap::with_capacity(submission.call_ids.len());
    session.query_each(&sql, &[ids(&submission.call_ids)], &mut |row| {
        let of_call = Facts { created_at: row.get(1)?, recording: rows::recording(row, 2)? };
        facts.insert(CallId(row.get(0)?), of_call);
        Ok(())
    })?;
    Ok(facts)
}

fn ids(calls: &[CallId]) -> Bind {
    Bind::ids(calls.iter().map(|call| call.0))
}

/// First reason, in the documented order, why the call isn't accepted; `None` if it is accepted. The last reason, that it was already sent,
/// isn't checked here.
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
    misfit(recording, submission.recording_side, submission.min_duration)
}

/// Accepted calls, before those that were already sent are removed.
fn suitable(submission: &Submission, facts: &FactsById) -> Vec<CallId> {
    let fits = |call: &&CallId| skip_reason(submission, facts.get(call)).is_none();
    submission.call_ids.iter().filter(fits).copied().collect()
}

/// Response with the verdict on every call, given the result for the accepted calls.
fn response(
    submission: &Submission,
    facts: &FactsById,
    taken: impl Fn(CallId) -> Option<CallOutcome>,
) -> SubmissionResponse {
    let mut response = SubmissionResponse::default();
    for call in &submission.call_ids {
        let outcome = match skip_reason(submission, facts.get(call)) {
            Some(reason) => CallOutcome::skipped(reason),
            None => taken(*call).unwrap_or_else(|| CallOutcome::skipped(SkipReason::AlreadySent)),
        };
        response.results.calls.insert(*call, outcome);
    }
    response
}

/// Verdicts, and the total minutes of the accepted calls to two decimals.
fn dry_run(session: &dyn Session, submission: &Submission) -> Result<SubmissionResponse, StoreError> {
    let facts = facts(session, submission, "")?;
    let mut taken: HashSet<CallId> = suitable(submission, &facts).into_iter().collect();
    let sql = format!(
        "SELECT call_id FROM transcriptions WHERE state NOT IN ('failed', 'cancelled') AND {}",
        session.dialect().is_any_of("call_id", "?1")
    );
    for sent in session.query(&sql, &[ids(&submission.call_ids)], |row| row.get(0).map(CallId))? {
        taken.remove(&sent);
    }
    let accepted = |call| taken.contains(&call).then_some(CallOutcome::Accepted { transcription_id: None });
    let mut response = response(submission, &facts, accepted);
    let seconds = |call| facts.get(call).and_then(|facts| facts.recording.duration_seconds).unwrap_or(0.0);
    let taken = submission.call_ids.iter().filter(|call| taken.contains(call));
    // An empty `sum` would be -0.
    let seconds = taken.map(seconds).fold(0.0, |sum: f64, seconds| sum + seconds);
    response.total_minutes = Some((seconds / 60.0 * 100.0).round() / 100.0);
    Ok(response)
}

/// Reserves the idempotency key for a submission that is answered in the same transaction, or returns the result of the earlier submission
/// with this key. Waits for an earlier submission that is still running.
fn take_key(
    session: &dyn Session,
    token: TokenId,
    given: &IdempotencyKey,
    by: &Origin,
) -> Result<Option<SubmitOutcome>, StoreError> {
    if given.may_store {
        let taken = session.execute(
            "INSERT INTO idempotency_keys (token_id, key, fingerprint, answer, created_at) VALUES (?1, ?2, ?3, 'null', ?4)
             ON CONFLICT (token_id, key) DO NOTHING",
            &binds![token.0, given.key, given.fingerprint, by.at],
        )?;
        if taken > 0 {
            return Ok(None);
        }
    }
    let sql = "SELECT fingerprint, answer FROM idempotency_keys WHERE token_id = ?1 AND key = ?2";
    let earlier = session.find(sql, &binds![token.0, given.key], |row| {
        let fingerprint: [u8; 32] = row.get(0)?;
        Ok(if fingerprint == given.fingerprint {
            SubmitOutcome::Replayed(row.json(1)?)
        } else {
            SubmitOutcome::KeyReused
        })
    })?;
    Ok(Some(earlier.unwrap_or(SubmitOutcome::NotStored)))
}

/// Queues those of the calls that weren't already sent, ordered by id. All submissions use the same order, so overlapping ones wait for
/// each other without deadlock.
fn enqueue(
    session: &dyn Session,
    calls: &[CallId],
    submission: &Submission,
    token: TokenId,
    by: &Origin,
) -> Result<HashMap<CallId, TranscriptionId>, StoreError> {
    let sql = format!(
        "INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, queued_at, ready_at,
             changed_at)
         SELECT c.id, ?2, ?3, ?4, ?5, ?6, ?6, ?6 FROM calls c WHERE {} ORDER BY c.id
         ON CONFLICT (call_id) WHERE state NOT IN ('failed', 'cancelled') DO NOTHING
         RETURNING call_id, id",
        session.dialect().is_any_of("c.id", "?1")
    );
    let (languages, side) = (Bind::json(&submission.languages), submission.recording_side.as_str());
    let values = binds![ids(calls), token.0, languages, side, submission.min_duration, by.at];
    let queued = session.query(&sql, &values, |row| Ok((CallId(row.get(0)?), TranscriptionId(row.get(1)?))))?;
    Ok(queued.into_iter().collect())
}

fn submit(
    session: &dyn Session,
    submission: &Submission,
    token: TokenId,
    idempotency: Option<&IdempotencyKey>,
    by: &Origin,
) -> Result<SubmitOutcome, StoreError> {
    if let Some(given) = idempotency
        && let Some(earlier) = take_key(session, token, given, by)?
    {
        return Ok(earlier);
    }
    let facts = facts(session, submission, session.dialect().lock_shared())?;
    let suitable = suitable(submission, &facts);
    let queued = if suitable.is_empty() { HashMap::new() } else { enqueue(session, &suitable, submission, token, by)? };
    let accepted = |call| queued.get(&call).map(|id| CallOutcome::Accepted { transcription_id: Some(*id) });
    let response = response(submission, &facts, accepted);
    if let Some(given) = idempotency {
        session.execute(
            "UPDATE idempotency_keys SET answer = ?3 WHERE token_id = ?1 AND key = ?2",
            &binds![token.0, given.key, Bind::json(&response)],
        )?;
    }
    audit::record(session, "speech.submit", &token.subject(), by)?;
    if !queued.is_empty() {
        // Last step, because submissions with the same token wait for each other from here on.
        session.execute(
            "UPDATE speech_tokens SET transcriptions = transcriptions + ?2 WHERE id = ?1",
            &binds![token.0, queued.len() as u64],
        )?;
    }
    Ok(SubmitOutcome::Done(response))
}

fn cancel(session: &dyn Session, calls: &[CallId], by: &Origin) -> Result<Vec<CallId>, StoreError> {
    let state = TranscriptionState::Cancelled.as_str();
    let cancelled = TRANSCRIPTIONS.give_up(session, "call_id", ids(calls), state, by.at)?;
    let cancelled: Vec<_> = cancelled.into_iter().map(CallId).collect();
    let changes: Vec<_> =
        cancelled.iter().map(|call| Changed { subject: call.subject(), fields: Vec::new() }).collect();
    audit::record_changes(session, "transcription.cancel", &changes, by)?;
    Ok(cancelled)
}

#[async_trait]
impl<D: Database> SpeechStore for SqlStore<D> {
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
            // A dry run writes nothing, so it needs no key.
            return self.database.read(move |session| Ok(SubmitOutcome::Done(dry_run(session, &submission)?))).await;
        }
        self.database.claim(move |session| submit(session, &submission, token, idempotency.as_ref(), &by)).await
    }

    async fn cancel_transcriptions(&self, calls: &[CallId], by: &Origin) -> Result<Vec<CallId>, StoreError> {
        let (calls, by) = (calls.to_vec(), by.clone());
        self.database.write(move |session| cancel(session, &calls, &by)).await
    }

    async fn purge_idempotency_keys(&self, before: Timestamp) -> Result<u64, StoreError> {
        let sql = "DELETE FROM idempotency_keys WHERE created_at < ?1";
        self.database.write(move |session| session.execute(sql, &binds![before])).await
    }

    async fn queue_depth(&self) -> Result<(u64, Option<Timestamp>), StoreError> {
        let sql = "SELECT count(*), min(queued_at) FROM transcriptions WHERE state = 'queued'";
        self.database.read(move |session| session.one(sql, &[], |row| Ok((row.get(0)?, row.get(1)?)))).await
    }
}
