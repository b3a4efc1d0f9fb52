//! Submissions: selection of calls and queueing of their transcriptions.
//!
//! Many clients submit concurrently, often with the same token and adjacent calls. A submission therefore doesn't exclude other writers. It
//! locks its calls until it ends. A call that was already sent or a key that was already used is detected by the duplicate insert, which
//! waits for concurrent submissions.

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::submission::{Submission, recording_skip_reason};

use super::audit::AuditedChange;
use super::deliveries::{DeliveredItem, requests};
use super::endpoint_queue;
use super::queue::TRANSCRIPTIONS;
use super::rows;
use super::{Bind, Database, Session, SqlStore, audit, binds, idempotency};
use crate::storage::{AuditContext, Result, SpeechStore, WriteError};

/// Facts that decide whether a call is accepted.
struct CallFacts {
    created_at: Timestamp,
    recording: Recording,
}

type FactsById = HashMap<CallId, CallFacts>;

/// Reads the facts of the calls. `lock` is the suffix of the query.
fn load_facts(session: &dyn Session, submission: &Submission, lock: &str) -> Result<FactsById> {
    let sql = format!(
        "SELECT id, created_at, recording_state, media_type, channels, sample_rate, duration_seconds, bytes
         FROM calls WHERE {} {lock}",
        session.dialect().is_any_of("id", "?1")
    );
    let mut facts = HashMap::with_capacity(submission.call_ids.len());
    session.query_each(&sql, &[id_binds(&submission.call_ids)], &mut |row| {
        let call_facts = CallFacts { created_at: row.get(1)?, recording: rows::read_recording(row, 2)? };
        facts.insert(CallId(row.get(0)?), call_facts);
        Ok(())
    })?;
    Ok(facts)
}

fn id_binds(calls: &[CallId]) -> Bind {
    Bind::ids(calls.iter().map(|call| call.0))
}

/// First reason, in the documented order, why the call isn't accepted; `None` if it is accepted. The last reason, that it was already sent,
/// isn't checked here.
fn skip_reason(submission: &Submission, facts: Option<&CallFacts>) -> Option<SkipReason> {
    let Some(facts) = facts else { return Some(SkipReason::NotFound) };
    let is_before = submission.from.is_some_and(|from| facts.created_at < from);
    let is_after = submission.till.is_some_and(|till| facts.created_at > till);
    if is_before || is_after {
        return Some(SkipReason::OutOfRange);
    }
    let recording = &facts.recording;
    match recording.state {
        RecordingState::None => return Some(SkipReason::RecordingMissing),
        RecordingState::Pending => return Some(SkipReason::RecordingPending),
        RecordingState::Failed => return Some(SkipReason::RecordingFailed),
        RecordingState::Ready => {}
    }
    recording_skip_reason(recording, submission.recording_side, submission.min_duration)
}

/// Accepted calls, before those that were already sent are removed.
fn acceptable_calls(submission: &Submission, facts: &FactsById) -> Vec<CallId> {
    let is_acceptable = |call: &&CallId| skip_reason(submission, facts.get(call)).is_none();
    submission.call_ids.iter().filter(is_acceptable).copied().collect()
}

/// Builds the response: the outcome of every call, given the result for the accepted calls.
fn build_response(
    submission: &Submission,
    facts: &FactsById,
    accepted: impl Fn(CallId) -> Option<CallOutcome>,
) -> SubmissionResponse {
    let mut response = SubmissionResponse::default();
    for call in &submission.call_ids {
        let outcome = match skip_reason(submission, facts.get(call)) {
            Some(reason) => CallOutcome::skipped(reason),
            None => accepted(*call).unwrap_or_else(|| CallOutcome::skipped(SkipReason::AlreadySent)),
        };
        response.results.calls.insert(*call, outcome);
    }
    response
}

/// Outcomes, and the total minutes of the accepted calls to two decimals.
fn dry_run(session: &dyn Session, submission: &Submission) -> Result<SubmissionResponse> {
    let facts = load_facts(session, submission, "")?;
    let mut accepted_calls: HashSet<CallId> = acceptable_calls(submission, &facts).into_iter().collect();
    let sql = format!(
        "SELECT call_id FROM transcriptions WHERE state NOT IN ('failed', 'cancelled') AND {}",
        session.dialect().is_any_of("call_id", "?1")
    );
    for sent_call in session.query(&sql, &[id_binds(&submission.call_ids)], |row| row.get(0).map(CallId))? {
        accepted_calls.remove(&sent_call);
    }
    let accepted = |call| accepted_calls.contains(&call).then_some(CallOutcome::Accepted { transcription_id: None });
    let mut response = build_response(submission, &facts, accepted);
    let seconds = |call| facts.get(call).and_then(|facts| facts.recording.duration_seconds).unwrap_or(0.0);
    let accepted_calls = submission.call_ids.iter().filter(|call| accepted_calls.contains(call));
    // An empty `sum` would be -0.
    let seconds = accepted_calls.map(seconds).fold(0.0, |sum: f64, seconds| sum + seconds);
    response.total_minutes = Some((seconds / 60.0 * 100.0).round() / 100.0);
    Ok(response)
}

/// Queues the calls that weren't already sent, ordered by id. All submissions use the same order, so overlapping ones wait for
/// each other without deadlock.
fn enqueue(
    session: &dyn Session,
    calls: &[CallId],
    submission: &Submission,
    token: TokenId,
    audit: &AuditContext,
) -> Result<HashMap<CallId, TranscriptionId>> {
    let sql = format!(
        "INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, queued_at, claimable_at,
             changed_at)
         SELECT c.id, ?2, ?3, ?4, ?5, ?6, ?6, ?6 FROM calls c WHERE {} ORDER BY c.id
         ON CONFLICT (call_id) WHERE state NOT IN ('failed', 'cancelled') DO NOTHING
         RETURNING call_id, id",
        session.dialect().is_any_of("c.id", "?1")
    );
    let (languages, side) = (Bind::json(&submission.languages), submission.recording_side.as_str());
    let values = binds![id_binds(calls), token.0, languages, side, submission.min_duration, audit.at];
    let queued = session.query(&sql, &values, |row| Ok((CallId(row.get(0)?), TranscriptionId(row.get(1)?))))?;
    Ok(queued.into_iter().collect())
}

fn submit(
    session: &dyn Session,
    submission: &Submission,
    token: TokenId,
    max_pending: u64,
    audit: &AuditContext,
) -> Result<SubmissionResponse, WriteError> {
    let facts = load_facts(session, submission, session.dialect().lock_rows_shared())?;
    let acceptable = acceptable_calls(submission, &facts);
    let queued =
        if acceptable.is_empty() { HashMap::new() } else { enqueue(session, &acceptable, submission, token, audit)? };
    let accepted = |call| queued.get(&call).map(|id| CallOutcome::Accepted { transcription_id: Some(*id) });
    let mut response = build_response(submission, &facts, accepted);
    if let Some(target) = &submission.callback {
        // After the calls are queued, because concurrent submissions of the same calls would otherwise wait for each other.
        let item = |call: &CallId| queued.get(call).map(|id| DeliveredItem { call: *call, transcription: Some(*id) });
        let items = submission.call_ids.iter().filter_map(item).collect();
        response.speech_request_id = Some(requests::create(session, token, items, target, max_pending, audit)?);
    }
    audit::record(session, "speech.submit", &token.subject(), audit)?;
    if !queued.is_empty() {
        // Last step, because submissions with the same token wait for each other from here on.
        session.execute(
            "UPDATE speech_tokens SET transcriptions = transcriptions + ?2 WHERE id = ?1",
            &binds![token.0, queued.len() as u64],
        )?;
    }
    Ok(response)
}

fn cancel(session: &dyn Session, calls: &[CallId], audit: &AuditContext) -> Result<Vec<CallId>> {
    let state = TranscriptionState::Cancelled.as_str();
    let cancelled = TRANSCRIPTIONS.end_open(session, "call_id", id_binds(calls), state, audit.at)?;
    let cancelled: Vec<_> = cancelled.into_iter().map(CallId).collect();
    endpoint_queue::queue_waiting(session, &cancelled, audit.at)?;
    let changes: Vec<_> =
        cancelled.iter().map(|call| AuditedChange { subject: call.subject(), fields: Vec::new() }).collect();
    audit::record_changes(session, "transcription.cancel", &changes, audit)?;
    Ok(cancelled)
}

#[async_trait]
impl<D: Database> SpeechStore for SqlStore<D> {
    async fn submit(
        &self,
        submission: &Submission,
        token: TokenId,
        is_dry_run: bool,
        max_pending: u64,
        audit: &AuditContext,
    ) -> Result<SubmissionResponse, WriteError> {
        let (submission, audit) = (submission.clone(), audit.clone());
        if is_dry_run {
            // A dry run writes nothing, so it needs no key.
            return Ok(self.database.read(move |session| dry_run(session, &submission)).await?);
        }
        let submit_once = move |session: &dyn Session| {
            idempotency::run_once(session, &audit, || submit(session, &submission, token, max_pending, &audit))
        };
        self.database.write_locking(submit_once).await
    }

    async fn cancel_transcriptions(&self, calls: &[CallId], audit: &AuditContext) -> Result<Vec<CallId>> {
        let (calls, audit) = (calls.to_vec(), audit.clone());
        self.database.write_locking(move |session| cancel(session, &calls, &audit)).await
    }

    async fn purge_idempotency_keys(&self, before: Timestamp) -> Result<u64> {
        let sql = "DELETE FROM idempotency_keys WHERE created_at < ?1";
        self.database.write(move |session| session.execute(sql, &binds![before])).await
    }

    async fn queue_depth(&self) -> Result<(u64, Option<Timestamp>)> {
        let sql = "SELECT count(*), min(queued_at) FROM transcriptions WHERE state = 'queued'";
        self.database.read(move |session| session.query_one(sql, &[], |row| Ok((row.get(0)?, row.get(1)?)))).await
    }
}
