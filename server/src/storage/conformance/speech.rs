//! Tests of submissions.

use leadscribe_engine::api::*;
use leadscribe_engine::record::CallRecord;
use leadscribe_engine::submission::Submission;

use super::{ALL, Tested, a_call, a_recording, at, by, logged};
use crate::storage::{IdempotencyKey, RecordingKey, SubmitOutcome};

pub(super) fn submission(calls: impl IntoIterator<Item = i64>) -> Submission {
    Submission {
        call_ids: calls.into_iter().map(CallId).collect(),
        token: String::new(),
        languages: vec!["en-US".to_owned(), "de".to_owned()],
        recording_side: RecordingSide::Both,
        min_duration: 1,
        from: None,
        till: None,
    }
}

pub(super) fn done(outcome: SubmitOutcome) -> SubmissionResponse {
    match outcome {
        SubmitOutcome::Done(response) => response,
        other => panic!("expected it to be carried out now, got {other:?}"),
    }
}

/// Submits calls with a new token; all must be accepted.
pub(super) async fn send(store: &Tested, calls: &[i64]) {
    let token = store.create_speech_token("sender", [99; 32], "lst_zz", &by(0)).await.unwrap().id;
    let response = done(store.submit(&submission(calls.iter().copied()), token, false, None, &by(0)).await.unwrap());
    assert!(response.results.calls.values().all(|call| matches!(call, CallOutcome::Accepted { .. })));
}

pub(super) async fn new_token(store: &Tested, secret: u8) -> TokenId {
    store.create_speech_token("dialer", [secret; 32], "lst_ab", &by(0)).await.unwrap().id
}

/// Creates a call with a ready recording, `seconds` after noon.
pub(super) async fn recorded(store: &Tested, seconds: i64, duration: f64, channels: u16) -> i64 {
    let record = CallRecord { created_at: Some(at(seconds)), ..a_call() };
    let call = store.create_call(record, &by(0)).await.unwrap().id;
    let key = RecordingKey(format!("{call}"));
    store.set_recording(call, &a_recording(duration, channels), Some(&key), &by(0)).await.unwrap();
    call.0
}

/// Outcome names, by call.
pub(super) fn verdicts(response: &SubmissionResponse) -> Vec<(i64, String)> {
    let name = |outcome: &CallOutcome| match outcome {
        CallOutcome::Accepted { .. } => "accepted".to_owned(),
        CallOutcome::Skipped { reason, message } => {
            assert_eq!(message, reason.message());
            reason.to_string()
        }
    };
    response.results.calls.iter().map(|(id, outcome)| (id.0, name(outcome))).collect()
}

pub async fn every_skip_reason_in_order(store: Tested) {
    let token = new_token(&store, 1).await;
    let state = async |state| {
        let record = CallRecord { recording_state: Some(state), ..a_call() };
        store.create_call(record, &by(0)).await.unwrap().id.0
    };
    let none = state(RecordingState::None).await;
    let pending = state(RecordingState::Pending).await;
    let failed = state(RecordingState::Failed).await;
    let first = recorded(&store, 0, 60.0, 2).await;
    let last = recorded(&store, 100, 60.0, 2).await;
    let early = recorded(&store, -1, 60.0, 2).await;
    let late = recorded(&store, 101, 0.1, 1).await;
    let short = recorded(&store, 0, 9.99, 1).await;
    let exact = recorded(&store, 0, 10.0, 2).await;
    let mono = recorded(&store, 0, 60.0, 1).await;
    let sent = recorded(&store, 0, 60.0, 2).await;
    let sent_mono = recorded(&store, 0, 60.0, 1).await;
    send(&store, &[sent, sent_mono]).await;

    let ids = [none, pending, failed, first, last, early, late, short, exact, mono, sent, sent_mono, 9_999];
    let asked = Submission {
        recording_side: RecordingSide::Caller,
        min_duration: 10,
        from: Some(at(0)),
        till: Some(at(100)),
        ..submission(ids)
    };
    let expected: Vec<_> = [
        (none, "recording_missing"),
        (pending, "recording_pending"),
        (failed, "recording_failed"),
        (first, "accepted"),
        (last, "accepted"),
        (early, "out_of_range"),
        (late, "out_of_range"),
        (short, "too_short"),
        (exact, "accepted"),
        (mono, "side_unavailable"),
        (sent, "already_sent"),
        (sent_mono, "side_unavailable"),
        (9_999, "not_found"),
    ]
    .map(|(id, verdict)| (id, verdict.to_owned()))
    .into();
    let dry = done(store.submit(&asked, token, true, None, &by(1)).await.unwrap());
    assert_eq!(verdicts(&dry), expected);
    let real = done(store.submit(&asked, token, false, None, &by(1)).await.unwrap());
    assert_eq!(verdicts(&real), expected);
}

pub async fn accepted_calls_are_queued(store: Tested) {
    assert_eq!(store.queue_depth().await.unwrap(), (0, None));
    let token = new_token(&store, 1).await;
    let (one, two) = (recorded(&store, 0, 60.0, 2).await, recorded(&store, 0, 60.0, 2).await);
    let first = done(store.submit(&submission([one]), token, false, None, &by(5)).await.unwrap());
    let second = done(store.submit(&submission([two]), token, false, None, &by(6)).await.unwrap());
    let id = |response: &SubmissionResponse, call| match &response.results.calls[&CallId(call)] {
        CallOutcome::Accepted { transcription_id } => transcription_id.unwrap(),
        other => panic!("{other:?}"),
    };
    assert!(id(&first, one) < id(&second, two));
    assert_eq!(first.total_minutes, None);
    assert_eq!(store.queue_depth().await.unwrap(), (2, Some(at(5))));
    assert_eq!(store.call(CallId(one)).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Queued));
    assert_eq!(store.speech_tokens(ALL).await.unwrap().items[0].transcriptions, 2);
    assert_eq!(logged(&store).await.last().unwrap(), "speech.submit speech_token:1");
}

pub async fn dry_run_writes_nothing(store: Tested) {
    let token = new_token(&store, 1).await;
    let calls =
        [recorded(&store, 0, 61.0, 2).await, recorded(&store, 0, 0.5, 2).await, recorded(&store, 0, 20.0, 2).await];
    let before = logged(&store).await;
    let key = IdempotencyKey { key: "dry".to_owned(), fingerprint: [1; 32], may_store: true };
    let response = done(store.submit(&submission(calls), token, true, Some(&key), &by(1)).await.unwrap());
    // 81 seconds.
    assert_eq!(response.total_minutes, Some(1.35));
    assert_eq!(response.results.calls[&CallId(calls[0])], CallOutcome::Accepted { transcription_id: None });
    assert_eq!(store.queue_depth().await.unwrap(), (0, None));
    assert_eq!(logged(&store).await, before);
    assert_eq!(store.purge_idempotency_keys(at(1_000)).await.unwrap(), 0);
}

pub async fn call_is_submitted_once(store: Tested) {
    let (one, other) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let calls: Vec<i64> = [recorded(&store, 0, 60.0, 2).await, recorded(&store, 0, 60.0, 2).await].into();
    let asked = submission(calls.clone());
    let (origin, again) = (by(1), by(2));
    let (first, second) =
        tokio::join!(store.submit(&asked, one, false, None, &origin), store.submit(&asked, other, false, None, &again));
    let (first, second) = (verdicts(&done(first.unwrap())), verdicts(&done(second.unwrap())));
    for call in 0..2 {
        let mut both = [first[call].1.as_str(), second[call].1.as_str()];
        both.sort_unstable();
        assert_eq!(both, ["accepted", "already_sent"]);
    }
    assert_eq!(store.queue_depth().await.unwrap().0, 2);
}

pub async fn idempotent_submission_is_replayed(store: Tested) {
    let (token, other) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let call = recorded(&store, 0, 60.0, 2).await;
    let key = |fingerprint| IdempotencyKey { key: "k 1".to_owned(), fingerprint: [fingerprint; 32], may_store: true };
    let submit = async |token, fingerprint, seconds| {
        store.submit(&submission([call]), token, false, Some(&key(fingerprint)), &by(seconds)).await.unwrap()
    };
    let first = done(submit(token, 7, 1).await);
    assert_eq!(submit(token, 7, 2).await, SubmitOutcome::Replayed(first.clone()));
    assert_eq!(submit(token, 8, 3).await, SubmitOutcome::KeyReused);
    // Keys of different tokens are independent.
    assert_eq!(verdicts(&done(submit(other, 8, 4).await)), [(call, "already_sent".to_owned())]);
    assert_eq!(store.queue_depth().await.unwrap().0, 1);
    assert_eq!(store.purge_idempotency_keys(at(1)).await.unwrap(), 0);
    assert_eq!(store.purge_idempotency_keys(at(4)).await.unwrap(), 1);
    assert_eq!(verdicts(&done(submit(token, 9, 5).await)), [(call, "already_sent".to_owned())]);
}

pub async fn submits_a_thousand_calls(store: Tested) {
    let token = new_token(&store, 1).await;
    let rows = (1..=500).map(|id| CallRecord { id: Some(CallId(id)), ..a_call() }).collect();
    store.import_calls(rows, &by(0)).await.unwrap();
    let response = done(store.submit(&submission(1..=1_000), token, false, None, &by(1)).await.unwrap());
    let count = |wanted: &str| verdicts(&response).iter().filter(|(_, verdict)| verdict == wanted).count();
    assert_eq!((count("recording_missing"), count("not_found")), (500, 500));
}
