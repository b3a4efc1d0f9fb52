//! Tests of submissions to speech recognition.

use chrono::TimeDelta;
use futures::future::join_all;
use leadscribe_engine::api::*;
use leadscribe_engine::record::{CallRecord, LeadRecord};
use leadscribe_engine::submission::Submission;

use super::deliveries::UNLIMITED;
use super::{FIRST_1000, TestStore, at, audit_at, audit_lines, call_record, ready_recording, refusal, text};
use crate::storage::{AuditContext, IDEMPOTENCY_KEY_NOT_STORED, IDEMPOTENCY_KEY_REUSED, IdempotencyKey, RecordingKey};

pub(super) fn submission(calls: impl IntoIterator<Item = i64>) -> Submission {
    Submission {
        call_ids: calls.into_iter().map(CallId).collect(),
        token: String::new(),
        languages: vec!["en-US".to_owned(), "de".to_owned()],
        recording_side: RecordingSide::Both,
        min_duration: 1,
        from: None,
        till: None,
        callback: None,
    }
}

/// Submits calls with a new token; all must be accepted.
pub(super) async fn submit_calls(store: &TestStore, calls: &[i64]) {
    let token = store.create_speech_token("sender", [99; 32], "lst_zz", &audit_at(0)).await.unwrap().id;
    let response =
        store.submit(&submission(calls.iter().copied()), token, false, UNLIMITED, &audit_at(0)).await.unwrap();
    assert!(response.results.calls.values().all(|call| matches!(call, CallOutcome::Accepted { .. })));
}

pub(super) async fn new_token(store: &TestStore, secret: u8) -> TokenId {
    store.create_speech_token("dialer", [secret; 32], "lst_ab", &audit_at(0)).await.unwrap().id
}

/// Creates a call with a ready recording, `seconds` after noon.
pub(super) async fn create_recorded_call(store: &TestStore, seconds: i64, duration: f64, channels: u16) -> i64 {
    let record = CallRecord { created_at: Some(at(seconds)), ..call_record() };
    let call = store.create_call(record, &audit_at(0)).await.unwrap().id;
    let key = RecordingKey(format!("{call}"));
    store.set_recording(call, &ready_recording(duration, channels), Some(&key), &audit_at(0)).await.unwrap();
    call.0
}

/// Outcome names, by call.
pub(super) fn outcome_names(response: &SubmissionResponse) -> Vec<(i64, String)> {
    let name = |outcome: &CallOutcome| match outcome {
        CallOutcome::Accepted { .. } => "accepted".to_owned(),
        CallOutcome::Skipped { reason, message } => {
            assert_eq!(message, reason.message());
            reason.to_string()
        }
    };
    response.results.calls.iter().map(|(id, outcome)| (id.0, name(outcome))).collect()
}

pub async fn calls_are_skipped_for_every_reason(store: TestStore) {
    let token = new_token(&store, 1).await;
    let create_with_state = async |state| {
        let record = CallRecord { recording_state: Some(state), ..call_record() };
        store.create_call(record, &audit_at(0)).await.unwrap().id.0
    };
    let none = create_with_state(RecordingState::None).await;
    let pending = create_with_state(RecordingState::Pending).await;
    let failed_recording = create_with_state(RecordingState::Failed).await;
    let first = create_recorded_call(&store, 0, 60.0, 2).await;
    let last = create_recorded_call(&store, 100, 60.0, 2).await;
    let early = create_recorded_call(&store, -1, 60.0, 2).await;
    let late = create_recorded_call(&store, 101, 0.1, 1).await;
    let short = create_recorded_call(&store, 0, 9.99, 1).await;
    let exact = create_recorded_call(&store, 0, 10.0, 2).await;
    let mono = create_recorded_call(&store, 0, 60.0, 1).await;
    let sent = create_recorded_call(&store, 0, 60.0, 2).await;
    let sent_mono = create_recorded_call(&store, 0, 60.0, 1).await;
    submit_calls(&store, &[sent, sent_mono]).await;

    let ids = [none, pending, failed_recording, first, last, early, late, short, exact, mono, sent, sent_mono, 9_999];
    let request = Submission {
        recording_side: RecordingSide::Caller,
        min_duration: 10,
        from: Some(at(0)),
        till: Some(at(100)),
        ..submission(ids)
    };
    let expected: Vec<_> = [
        (none, "recording_missing"),
        (pending, "recording_pending"),
        (failed_recording, "recording_failed"),
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
    .map(|(id, outcome)| (id, outcome.to_owned()))
    .into();
    let dry_response = store.submit(&request, token, true, UNLIMITED, &audit_at(1)).await.unwrap();
    assert_eq!(outcome_names(&dry_response), expected);
    let response = store.submit(&request, token, false, UNLIMITED, &audit_at(1)).await.unwrap();
    assert_eq!(outcome_names(&response), expected);
}

pub async fn accepted_calls_are_queued(store: TestStore) {
    assert_eq!(store.queue_depth().await.unwrap(), (0, None));
    let token = new_token(&store, 1).await;
    let (first_call, second_call) =
        (create_recorded_call(&store, 0, 60.0, 2).await, create_recorded_call(&store, 0, 60.0, 2).await);
    let first = store.submit(&submission([first_call]), token, false, UNLIMITED, &audit_at(5)).await.unwrap();
    let second = store.submit(&submission([second_call]), token, false, UNLIMITED, &audit_at(6)).await.unwrap();
    let id = |response: &SubmissionResponse, call| match &response.results.calls[&CallId(call)] {
        CallOutcome::Accepted { transcription_id } => transcription_id.unwrap(),
        other => panic!("{other:?}"),
    };
    assert!(id(&first, first_call) < id(&second, second_call));
    assert_eq!(first.total_minutes, None);
    assert_eq!(store.queue_depth().await.unwrap(), (2, Some(at(5))));
    assert_eq!(
        store.call(CallId(first_call)).await.unwrap().unwrap().transcription_state,
        Some(TranscriptionState::Queued)
    );
    assert_eq!(store.speech_tokens(FIRST_1000).await.unwrap().items[0].transcriptions, 2);
    assert_eq!(audit_lines(&store).await.last().unwrap(), "speech.submit speech_token:1");
}

pub async fn dry_run_writes_nothing(store: TestStore) {
    let token = new_token(&store, 1).await;
    let calls = [
        create_recorded_call(&store, 0, 61.0, 2).await,
        create_recorded_call(&store, 0, 0.5, 2).await,
        create_recorded_call(&store, 0, 20.0, 2).await,
    ];
    let before = audit_lines(&store).await;
    let audit = AuditContext { idempotency: Some(key("dry", "1")), ..audit_at(1) };
    let response = store.submit(&submission(calls), token, true, UNLIMITED, &audit).await.unwrap();
    // 61 and 20 seconds. The other call is too short.
    assert_eq!(response.total_minutes, Some(1.35));
    assert_eq!(response.results.calls[&CallId(calls[0])], CallOutcome::Accepted { transcription_id: None });
    assert_eq!(store.queue_depth().await.unwrap(), (0, None));
    assert_eq!(audit_lines(&store).await, before);
    assert_eq!(store.purge_idempotency_keys(at(1_000)).await.unwrap(), 0);
}

pub async fn call_is_submitted_once(store: TestStore) {
    let (token, other_token) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let calls: Vec<i64> =
        [create_recorded_call(&store, 0, 60.0, 2).await, create_recorded_call(&store, 0, 60.0, 2).await].into();
    let request = submission(calls.clone());
    let (audit, other_audit) = (audit_at(1), audit_at(2));
    let (first, second) = tokio::join!(
        store.submit(&request, token, false, UNLIMITED, &audit),
        store.submit(&request, other_token, false, UNLIMITED, &other_audit)
    );
    let (first, second) = (outcome_names(&first.unwrap()), outcome_names(&second.unwrap()));
    for call in 0..2 {
        let mut both = [first[call].1.as_str(), second[call].1.as_str()];
        both.sort_unstable();
        assert_eq!(both, ["accepted", "already_sent"]);
    }
    assert_eq!(store.queue_depth().await.unwrap().0, 2);
}

/// Idempotency key of a user's request with this content.
pub(super) fn key(key: &str, content: &str) -> IdempotencyKey {
    IdempotencyKey::new("user:1".to_owned(), key.to_owned(), content)
}

pub async fn idempotent_submission_is_replayed(store: TestStore) {
    let (token, other) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let call = create_recorded_call(&store, 0, 60.0, 2).await;
    let submit = async |token: TokenId, content, seconds| {
        let key = key("k 1", content).owned_by(token.subject());
        let audit = AuditContext { idempotency: Some(key), ..audit_at(seconds) };
        let result = store.submit(&submission([call]), token, false, UNLIMITED, &audit).await;
        (result, audit.is_replayed())
    };
    let (first, is_replayed) = submit(token, "7", 1).await;
    let first = first.unwrap();
    assert!(!is_replayed);
    let (second, is_replayed) = submit(token, "7", 2).await;
    assert_eq!((second.unwrap(), is_replayed), (first, true));
    assert_eq!(refusal(submit(token, "8", 3).await.0), [IDEMPOTENCY_KEY_REUSED, ""]);
    // Keys of different tokens are independent.
    let skipped = [(call, "already_sent".to_owned())];
    assert_eq!(outcome_names(&submit(other, "8", 4).await.0.unwrap()), skipped);
    assert_eq!(store.queue_depth().await.unwrap().0, 1);
    assert_eq!(store.purge_idempotency_keys(at(1)).await.unwrap(), 0);
    assert_eq!(store.purge_idempotency_keys(at(4)).await.unwrap(), 1);
    assert_eq!(outcome_names(&submit(token, "9", 5).await.0.unwrap()), skipped);
    let unstored = key("new", "9").with_storage(false);
    let audit = AuditContext { idempotency: Some(unstored), ..audit_at(6) };
    let refused = store.submit(&submission([call]), token, false, UNLIMITED, &audit).await;
    assert_eq!(refusal(refused), [IDEMPOTENCY_KEY_NOT_STORED, ""]);
}

pub async fn concurrent_repeats_create_once(store: TestStore) {
    let record = || LeadRecord { city: text("Bonn"), ..LeadRecord::default() };
    let audits: Vec<_> = (0..8).map(|_| AuditContext { idempotency: Some(key("k", "c")), ..audit_at(1) }).collect();
    let results = join_all(audits.iter().map(|audit| store.create_lead(record(), audit))).await;
    let leads: Vec<_> = results.into_iter().map(|result| result.unwrap()).collect();
    assert!(leads.iter().all(|lead| *lead == leads[0]), "{leads:?}");
    assert_eq!(audits.iter().filter(|audit| audit.is_replayed()).count(), 7);
    // A refused request leaves no key.
    let audit = AuditContext { idempotency: Some(key("k 2", "c")), ..audit_at(2) };
    let taken = LeadRecord { id: Some(leads[0].id), ..record() };
    assert_eq!(refusal(store.create_lead(taken, &audit).await), ["taken", "/id"]);
    assert_ne!(store.create_lead(record(), &audit).await.unwrap().id, leads[0].id);
    assert!(!audit.is_replayed());
}

pub async fn derived_key_expires(store: TestStore) {
    let create = async |owner: &str, content: &[u8], seconds| {
        let key = IdempotencyKey::derived(owner.to_owned(), content, TimeDelta::seconds(600));
        let audit = AuditContext { idempotency: Some(key), ..audit_at(seconds) };
        let record = LeadRecord { city: text("Bonn"), ..LeadRecord::default() };
        (store.create_lead(record, &audit).await.unwrap().id, audit.is_replayed())
    };
    let (first, is_replayed) = create("user:1", b"a", 0).await;
    assert!(!is_replayed);
    assert_eq!(create("user:1", b"a", 599).await, (first, true));
    let others = [create("user:2", b"a", 599).await, create("user:1", b"b", 599).await];
    assert!(others.iter().all(|(lead, is_replayed)| *lead != first && !is_replayed), "{others:?}");
    let (second, is_replayed) = create("user:1", b"a", 600).await;
    assert!(second != first && !is_replayed);
    assert_eq!(create("user:1", b"a", 1_199).await, (second, true));
    // An expired key isn't replayed when no result may be stored.
    let unstored = IdempotencyKey::derived("user:1".to_owned(), b"a", TimeDelta::seconds(600)).with_storage(false);
    let audit = AuditContext { idempotency: Some(unstored), ..audit_at(1_200) };
    assert_eq!(refusal(store.create_lead(LeadRecord::default(), &audit).await), [IDEMPOTENCY_KEY_NOT_STORED, ""]);
}

pub async fn submits_a_thousand_calls(store: TestStore) {
    let token = new_token(&store, 1).await;
    let rows = (1..=500).map(|id| CallRecord { id: Some(CallId(id)), ..call_record() }).collect();
    store.import_calls(rows, &audit_at(0)).await.unwrap();
    let response = store.submit(&submission(1..=1_000), token, false, UNLIMITED, &audit_at(1)).await.unwrap();
    let count = |name: &str| outcome_names(&response).iter().filter(|(_, outcome)| outcome == name).count();
    assert_eq!((count("recording_missing"), count("not_found")), (500, 500));
}
