//! Tests of submissions with a callback: their deliveries wait until the transcriptions end.

use std::sync::Arc;

use leadscribe_engine::api::*;
use leadscribe_engine::callback::CallbackTarget;
use leadscribe_engine::submission::Submission;

use super::deliveries::{UNLIMITED, deliver, target};
use super::delivery_claim_order::deliver_concurrently;
use super::speech::{create_recorded_call, new_token, outcome_names, submission};
use super::transcripts::{LEASE_DURATION, claim_at, sample_transcript, spoken_segment, transcribe};
use super::{FIRST_1000, TestStore, at, audit_at, audit_lines, message, refused_diagnostic};
use crate::storage::{
    AttemptResult, AuditContext, ClaimedDelivery, DeliveryQuery, FencedWrite, IdempotencyKey, TranscriptionOutcome,
};

fn submission_to(calls: &[i64], url: &str) -> Submission {
    let callback = Some(CallbackTarget { url: url.to_owned(), ..target() });
    Submission { callback, ..submission(calls.iter().copied()) }
}

async fn submit(store: &TestStore, token: TokenId, submission: &Submission, seconds: i64) -> SubmissionResponse {
    store.submit(submission, token, false, UNLIMITED, &audit_at(seconds)).await.unwrap()
}

/// Creates recorded calls and submits them with a callback, in the order of their ids, at noon.
async fn submit_calls(store: &TestStore, token: TokenId, count: usize) -> (Vec<i64>, SpeechRequestId) {
    let mut calls = Vec::new();
    for _ in 0..count {
        calls.push(create_recorded_call(store, 0, 60.0, 2).await);
    }
    let response = submit(store, token, &submission_to(&calls, "https://example.com/hook"), 0).await;
    (calls, response.speech_request_id.expect("a callback was given"))
}

async fn claim_delivery(store: &TestStore, seconds: i64) -> Option<ClaimedDelivery> {
    store.claim_delivery(LEASE_DURATION, at(seconds)).await.unwrap()
}

/// Claims and delivers the next delivery. Returns its call, and the transcription if that ended without a transcript.
async fn deliver_next(store: &TestStore, seconds: i64) -> (i64, Option<Transcription>) {
    let claimed = claim_delivery(store, seconds).await.expect("a delivery is due");
    let attempt =
        DeliveryAttempt { number: 0, started_at: at(seconds), duration_ms: 1, status: Some(204), error: None };
    let finished = store.finish_attempt(claimed.claim, &attempt, AttemptResult::Delivered, at(seconds)).await;
    assert_eq!(finished.unwrap(), FencedWrite::Done);
    let not_transcribed = match claimed.content.unwrap().outcome.unwrap() {
        TranscriptionOutcome::Transcribed(_) => None,
        TranscriptionOutcome::NotTranscribed(transcription) => Some(transcription),
    };
    (claimed.delivery.call_id.unwrap().0, not_transcribed)
}

async fn states(store: &TestStore) -> Vec<&'static str> {
    let deliveries = store.deliveries(&DeliveryQuery::default(), FIRST_1000).await.unwrap().items;
    deliveries.iter().rev().map(|delivery| delivery.state.as_str()).collect()
}

pub async fn submitted_calls_are_delivered_when_transcribed(store: TestStore) {
    let token = new_token(&store, 1).await;
    let (calls, request) = submit_calls(&store, token, 2).await;
    let audited = audit_lines(&store).await;
    assert!(audited.contains(&format!("speech_request.create speech_request:{request}")), "{audited:?}");
    assert_eq!(states(&store).await, ["waiting", "waiting"]);
    let query = DeliveryQuery { state: Some(DeliveryState::Waiting), ..DeliveryQuery::default() };
    let waiting = store.deliveries(&query, FIRST_1000).await.unwrap().items.pop().unwrap();
    assert_eq!((waiting.call_id, waiting.speech_request_id), (Some(CallId(calls[0])), Some(request)));
    assert_eq!((waiting.created_at, waiting.next_attempt_at), (at(0), None));
    assert_eq!(claim_delivery(&store, 9_999).await, None);
    let status = async || {
        let status = store.speech_request(token, request).await.unwrap().unwrap();
        (status.pending, status.delivered, status.failed)
    };
    assert_eq!(status().await, (2, 0, 0));
    let endpoint = store.callback_endpoints(FIRST_1000).await.unwrap().items.remove(0);
    assert_eq!((endpoint.pending, endpoint.delivered), (2, 0));
    let overview = store.activity(&[]).await.unwrap().deliveries;
    assert_eq!(overview, DeliveryStates { waiting: 2, ..DeliveryStates::default() });
    let refused = refused_diagnostic(store.replay_delivery(waiting.id, &audit_at(1)).await);
    assert_eq!(refused.code, "not_transcribed");
    assert_eq!(refused.message, format!("the call of delivery {} is not transcribed yet", waiting.id));

    transcribe(&store, vec![spoken_segment(0.0, RecordingSide::Caller, "hello")], 10).await;
    let change = ChangeEvent::Delivery { delivery_id: waiting.id, state: DeliveryState::Queued };
    assert!(store.changes_since(at(10)).await.unwrap().contains(&(at(10), change)));
    assert_eq!(claim_delivery(&store, 9).await, None);
    assert_eq!(deliver_next(&store, 10).await, (calls[0], None));
    assert_eq!(status().await, (1, 1, 0));
    assert_eq!(claim_delivery(&store, 11).await, None, "the other call isn't transcribed yet");
    transcribe(&store, vec![], 20).await;
    assert_eq!(deliver_next(&store, 20).await, (calls[1], None));
    assert_eq!(status().await, (0, 2, 0));
}

pub async fn failed_and_cancelled_calls_are_delivered_once(store: TestStore) {
    let token = new_token(&store, 1).await;
    let (calls, _) = submit_calls(&store, token, 2).await;
    let claim = claim_at(&store, 1).await.unwrap().claim;
    let retried = store.retry_transcription(claim, &message("busy"), at(3), at(2)).await.unwrap();
    assert_eq!((retried, claim_delivery(&store, 2).await), (FencedWrite::Done, None));
    store.cancel_transcriptions(&[CallId(calls[1])], &audit_at(2)).await.unwrap();
    let (call, cancelled) = deliver_next(&store, 2).await;
    assert_eq!((call, cancelled.map(|ended| ended.state)), (calls[1], Some(TranscriptionState::Cancelled)));

    let claim = claim_at(&store, 3).await.unwrap().claim;
    assert_eq!(store.fail_transcription(claim, &message("no such codec"), at(4)).await.unwrap(), FencedWrite::Done);
    // A stale worker can't end it again.
    assert_eq!(store.fail_transcription(claim, &message("late"), at(5)).await.unwrap(), FencedWrite::ClaimLost);
    // The call is transcribed by a later submission before the failure is delivered.
    submit(&store, token, &submission([calls[0]]), 5).await;
    transcribe(&store, vec![], 6).await;
    let (call, failed) = deliver_next(&store, 7).await;
    let failed = failed.expect("the first transcription failed");
    assert_eq!((call, failed.id, failed.state), (calls[0], claim.id, TranscriptionState::Failed));
    assert_eq!(failed.error, Some(message("no such codec")));
    assert_eq!(states(&store).await, ["delivered", "delivered"]);
}

pub async fn waiting_deliveries_count_as_pending(store: TestStore) {
    let token = new_token(&store, 1).await;
    let (_, request) = submit_calls(&store, token, 2).await;
    let calls = [create_recorded_call(&store, 0, 60.0, 2).await, create_recorded_call(&store, 0, 0.1, 2).await];
    let key = || IdempotencyKey::new(token.subject(), "order".to_owned(), "content");
    let submit_with_limit = async |max_pending| {
        let submission = submission_to(&calls, "https://example.com/hook");
        let audit = AuditContext { idempotency: Some(key()), ..audit_at(1) };
        store.submit(&submission, token, false, max_pending, &audit).await
    };
    let refused = refused_diagnostic(submit_with_limit(2).await);
    assert_eq!(refused.code, "too_many_pending_deliveries");
    assert_eq!(refused.message, "the token has 2 pending deliveries, and 1 more would exceed the limit of 2");
    assert_eq!(store.queue_depth().await.unwrap().0, 2, "nothing was queued");
    // Only accepted calls count. The key was not used up.
    let response = submit_with_limit(3).await.unwrap();
    let expected = [(calls[0], "accepted".to_owned()), (calls[1], "too_short".to_owned())];
    assert_eq!(outcome_names(&response), expected);
    assert_eq!(response.speech_request_id, Some(SpeechRequestId(request.0 + 1)));
    assert_eq!(submit_with_limit(0).await.unwrap(), response);
    refused_diagnostic(store.create_test_delivery(token, &target(), 3, &audit_at(2)).await);
    // A dry run creates no request, and neither does a submission without a callback.
    let dry_run = submission_to(&calls, "https://example.com/hook");
    let dry_run = store.submit(&dry_run, token, true, 0, &audit_at(3)).await.unwrap();
    assert_eq!(dry_run.speech_request_id, None);
    assert_eq!(submit(&store, token, &submission([calls[1]]), 3).await.speech_request_id, None);
    assert_eq!(states(&store).await, ["waiting"; 3]);
}

pub async fn stopped_request_stops_waiting_deliveries(store: TestStore) {
    let token = new_token(&store, 1).await;
    let (calls, _) = submit_calls(&store, token, 2).await;
    transcribe(&store, vec![], 1).await;
    let claim = claim_delivery(&store, 2).await.unwrap().claim;
    let gone = DeliveryAttempt { number: 0, started_at: at(2), duration_ms: 1, status: Some(410), error: None };
    let finished = store.finish_attempt(claim, &gone, AttemptResult::Stopped, at(3)).await.unwrap();
    assert_eq!((finished, states(&store).await), (FencedWrite::Done, vec!["stopped", "stopped"]));
    let query = DeliveryQuery { call_id: Some(CallId(calls[1])), ..DeliveryQuery::default() };
    let stopped = store.deliveries(&query, FIRST_1000).await.unwrap().items.remove(0).id;
    let refused = refused_diagnostic(store.replay_delivery(stopped, &audit_at(3)).await);
    assert_eq!(refused.code, "not_transcribed");
    transcribe(&store, vec![], 4).await;
    assert_eq!((claim_delivery(&store, 9_999).await, states(&store).await), (None, vec!["stopped", "stopped"]));
    store.replay_delivery(stopped, &audit_at(5)).await.unwrap().unwrap();
    assert_eq!(deliver_next(&store, 5).await, (calls[1], None));
}

pub async fn purge_keeps_waiting_deliveries(store: TestStore) {
    let token = new_token(&store, 1).await;
    let (calls, request) = submit_calls(&store, token, 2).await;
    transcribe(&store, vec![], 1).await;
    deliver(&store, 2).await;
    assert_eq!(store.purge_deliveries(at(9_999)).await.unwrap(), 1);
    assert_eq!(store.speech_request(token, request).await.unwrap().unwrap().pending, 1);
    transcribe(&store, vec![], 10_000).await;
    let claimed = claim_delivery(&store, 10_000).await.unwrap().delivery;
    assert_eq!(
        (claimed.call_id, claimed.callback.callback_url.as_str()),
        (Some(CallId(calls[1])), "https://example.com/hook")
    );
}

pub async fn deliveries_of_concurrent_transcriptions_are_claimed(store: TestStore) {
    const WRITERS: i64 = 3;
    const CALLS_PER_WRITER: i64 = 20;
    let token = new_token(&store, 1).await;
    let mut calls = Vec::new();
    for _ in 0..WRITERS * CALLS_PER_WRITER {
        calls.push(create_recorded_call(&store, 0, 60.0, 2).await);
    }
    let writers = calls.chunks(CALLS_PER_WRITER as usize).map(|calls| {
        let (store, calls) = (Arc::clone(&store), calls.to_vec());
        tokio::spawn(async move {
            for call in calls {
                let url = format!("https://example.com/{}", call % 2);
                submit(&store, token, &submission_to(&[call], &url), 0).await;
                match call % 3 {
                    0 => drop(store.cancel_transcriptions(&[CallId(call)], &audit_at(1)).await.unwrap()),
                    _ => {
                        // Another writer may have claimed or cancelled it.
                        let Some(claimed) = claim_at(&store, 1).await else { continue };
                        let transcript = sample_transcript(vec![]);
                        let _ = store.complete_transcription(claimed.claim, &transcript, at(1)).await.unwrap();
                    }
                }
            }
            while let Some(claimed) = claim_at(&store, 1).await {
                let _ = store.fail_transcription(claimed.claim, &message("failed"), at(1)).await.unwrap();
            }
        })
    });
    deliver_concurrently(&store, calls.len(), writers).await;
    assert_eq!(states(&store).await, vec!["delivered"; calls.len()]);
}
