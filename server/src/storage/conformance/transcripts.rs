//! Tests of the transcription queue and its transcripts.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::deliveries::UNLIMITED;
use super::speech::{create_recorded_call, new_token, outcome_names, submission};
use super::{TestStore, at, audit_at, audit_lines, call_record, message, ready_recording, refusal};
use crate::storage::{Claim, ClaimedTranscription, FencedWrite, RecordingKey};
use crate::transcript::NewTranscript;

pub(super) const LEASE_DURATION: TimeDelta = TimeDelta::seconds(60);

/// Segment that one side says from `start` on, one word per second.
pub(super) fn spoken_segment(start: f64, side: RecordingSide, text: &str) -> Segment {
    let word = |(start, word): (f64, &str)| Word { word: word.to_owned(), start, end: start + 1.0, confidence: 0.75 };
    let starts = (0..).map(|second| start + f64::from(second));
    let words: Vec<Word> = starts.zip(text.split_whitespace()).map(word).collect();
    let end = words.last().map_or(start, |word| word.end);
    Segment { start, end, side, text: text.to_owned(), confidence: 0.75, words }
}

/// A worker's result for a recording of 60 seconds.
pub(super) fn sample_transcript(segments: Vec<Segment>) -> NewTranscript {
    let side = |side, language: &str| TranscribedSide {
        side,
        language: Some(language.to_owned()),
        language_confidence: Some(1.0),
        speech_seconds: 12.5,
    };
    NewTranscript {
        language: Some("en-US".to_owned()),
        duration: 60.0,
        segments,
        sides: vec![side(RecordingSide::Caller, "en-US"), side(RecordingSide::Callee, "de")],
        dropped: vec![DroppedSpan { start: 2.5, end: 9.25, side: RecordingSide::Caller, reason: DropReason::NoSpeech }],
        redactions: 2,
        engine: SpeechEngine { name: "whisper.cpp".to_owned(), model: "base".to_owned() },
    }
}

/// Queues a new recorded call for the token, `seconds` after noon.
pub(super) async fn queue_call(store: &TestStore, token: TokenId, seconds: i64) -> CallId {
    let call = create_recorded_call(store, seconds, 60.0, 2).await;
    let response = store.submit(&submission([call]), token, false, UNLIMITED, &audit_at(seconds)).await.unwrap();
    assert_eq!(outcome_names(&response), [(call, "accepted".to_owned())]);
    CallId(call)
}

pub(super) async fn claim_at(store: &TestStore, seconds: i64) -> Option<ClaimedTranscription> {
    store.claim_transcription(LEASE_DURATION, at(seconds)).await.unwrap()
}

/// Transcribes the call that has waited longest. Returns its claim.
pub(super) async fn transcribe(store: &TestStore, segments: Vec<Segment>, seconds: i64) -> Claim<TranscriptionId> {
    let claim = claim_at(store, seconds).await.unwrap().claim;
    let completed = store.complete_transcription(claim, &sample_transcript(segments), at(seconds)).await.unwrap();
    assert_eq!(completed, FencedWrite::Done);
    claim
}

async fn latest_transcription(store: &TestStore, call: CallId) -> Transcription {
    store.transcriptions(call).await.unwrap().remove(0)
}

pub async fn longest_waiting_transcription_is_claimed(store: TestStore) {
    let token = new_token(&store, 1).await;
    let (later, sooner) = (queue_call(&store, token, 6).await, queue_call(&store, token, 5).await);
    assert_eq!(claim_at(&store, 4).await, None);
    let first = claim_at(&store, 10).await.unwrap();
    assert_eq!(
        first.transcription,
        Transcription {
            id: first.claim.id,
            call_id: sooner,
            token_id: token,
            languages: vec!["en-US".to_owned(), "de".to_owned()],
            recording_side: RecordingSide::Both,
            min_duration: 1,
            state: TranscriptionState::Processing,
            attempts: 1,
            error: None,
            queued_at: at(5),
            started_at: Some(at(10)),
            finished_at: None,
        }
    );
    assert_eq!(first.recording, Some((ready_recording(60.0, 2), RecordingKey(sooner.to_string()))));
    assert_eq!(store.call(sooner).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Processing));
    assert_eq!(store.queue_depth().await.unwrap(), (1, Some(at(6))));
    // The recording of a running or completed transcription can't be replaced.
    let replacement = store.set_recording(sooner, &ready_recording(10.0, 2), None, &audit_at(11)).await;
    assert_eq!(refusal(replacement)[0], "in_use");
    let failed_recording = Recording { state: RecordingState::Failed, ..ready_recording(60.0, 2) };
    store.set_recording(later, &failed_recording, None, &audit_at(11)).await.unwrap();
    let second = claim_at(&store, 12).await.unwrap();
    assert_eq!((second.transcription.call_id, second.recording), (later, None));
    assert_eq!(claim_at(&store, 12).await, None);
}

pub async fn claim_returns_the_current_recording(store: TestStore) {
    let token = new_token(&store, 1).await;
    for round in 0..60 {
        let call = queue_call(&store, token, round).await;
        let replacement = tokio::spawn({
            let store = Arc::clone(&store);
            let key = RecordingKey(format!("{call} replaced"));
            async move { store.set_recording(call, &ready_recording(30.0, 2), Some(&key), &audit_at(round)).await }
        });
        let claimed = tokio::spawn({
            let store = Arc::clone(&store);
            async move { claim_at(&store, round).await.unwrap() }
        });
        let (replacement, claimed) = (replacement.await.unwrap(), claimed.await.unwrap());
        // After a claim, the replacement is refused. A claim after the replacement returns the new recording.
        if replacement.is_err() {
            assert_eq!(refusal(replacement)[0], "in_use");
        }
        assert_eq!(claimed.recording, store.recording_key(call).await.unwrap(), "round {round}");
        let completed =
            store.complete_transcription(claimed.claim, &sample_transcript(vec![]), at(round)).await.unwrap();
        assert_eq!(completed, FencedWrite::Done);
    }
}

pub async fn lost_transcriptions_are_claimed_first(store: TestStore) {
    let token = new_token(&store, 1).await;
    for seconds in [1, 2, 3] {
        queue_call(&store, token, seconds).await;
    }
    let lost_claim = store.claim_transcription(LEASE_DURATION, at(10)).await.unwrap().unwrap();
    let reclaimed = store.claim_transcription(LEASE_DURATION, at(10) + LEASE_DURATION).await.unwrap().unwrap();
    assert_eq!(reclaimed.claim.id, lost_claim.claim.id, "an expired lease is claimed before younger entries");
}

pub async fn lease_ends_unless_extended(store: TestStore) {
    let token = new_token(&store, 1).await;
    queue_call(&store, token, 0).await;
    let first = claim_at(&store, 0).await.unwrap().claim;
    assert_eq!(claim_at(&store, 59).await, None);
    assert_eq!(store.extend_transcription(first, at(90)).await.unwrap(), FencedWrite::Done);
    assert_eq!(claim_at(&store, 89).await, None);
    let second = claim_at(&store, 90).await.unwrap();
    assert_eq!((second.claim.id, second.transcription.attempts), (first.id, 2));
    assert!(second.claim.fencing_token > first.fencing_token);
    assert_eq!(second.transcription.started_at, Some(at(90)));
}

pub async fn stale_claims_are_refused(store: TestStore) {
    let token = new_token(&store, 1).await;
    let call = queue_call(&store, token, 0).await;
    let expect_refused = async |claim: Claim<TranscriptionId>, seconds: i64| {
        let new = sample_transcript(vec![spoken_segment(0.0, RecordingSide::Caller, "too late")]);
        let results = [
            store.extend_transcription(claim, at(seconds + 500)).await.unwrap(),
            store.complete_transcription(claim, &new, at(seconds)).await.unwrap(),
            store.retry_transcription(claim, &message("too late"), at(seconds), at(seconds)).await.unwrap(),
            store.fail_transcription(claim, &message("too late"), at(seconds)).await.unwrap(),
            store.release_transcription(claim, at(seconds)).await.unwrap(),
        ];
        assert_eq!(results, [FencedWrite::ClaimLost; 5]);
    };
    let stalled = claim_at(&store, 0).await.unwrap().claim;
    let current = claim_at(&store, 60).await.unwrap();
    expect_refused(stalled, 61).await;
    assert_eq!(latest_transcription(&store, call).await, current.transcription);
    expect_refused(Claim { fencing_token: current.claim.fencing_token + 1, ..current.claim }, 61).await;
    expect_refused(Claim { id: TranscriptionId(99), ..current.claim }, 61).await;
    // A claim ends with a retry, a release or a final result.
    assert_eq!(
        store.retry_transcription(current.claim, &message("busy"), at(70), at(62)).await.unwrap(),
        FencedWrite::Done
    );
    expect_refused(current.claim, 63).await;
    let released = claim_at(&store, 70).await.unwrap().claim;
    assert_eq!(store.release_transcription(released, at(71)).await.unwrap(), FencedWrite::Done);
    expect_refused(released, 72).await;
    let last = claim_at(&store, 73).await.unwrap().claim;
    assert_eq!(store.fail_transcription(last, &message("no voice"), at(74)).await.unwrap(), FencedWrite::Done);
    expect_refused(last, 75).await;
    assert_eq!(
        latest_transcription(&store, call).await.error.as_ref().map(ToString::to_string).as_deref(),
        Some("no voice")
    );
    assert_eq!(store.transcript(call).await.unwrap(), None);
    assert_eq!(claim_at(&store, 1_000).await, None);
}

pub async fn retry_waits_until_due(store: TestStore) {
    let token = new_token(&store, 1).await;
    let call = queue_call(&store, token, 0).await;
    let claim = claim_at(&store, 1).await.unwrap().claim;
    assert_eq!(
        store.retry_transcription(claim, &message("the recognizer is busy"), at(30), at(2)).await.unwrap(),
        FencedWrite::Done
    );
    let waiting = latest_transcription(&store, call).await;
    assert_eq!((waiting.state, waiting.attempts), (TranscriptionState::Queued, 1));
    assert_eq!(waiting.error.as_ref().map(ToString::to_string).as_deref(), Some("the recognizer is busy"));
    assert_eq!((waiting.started_at, waiting.finished_at), (Some(at(1)), None));
    assert_eq!(claim_at(&store, 29).await, None);
    let second_claim = claim_at(&store, 30).await.unwrap();
    assert_eq!((second_claim.transcription.attempts, second_claim.transcription.started_at), (2, Some(at(30))));
    assert_eq!(
        store.complete_transcription(second_claim.claim, &sample_transcript(vec![]), at(31)).await.unwrap(),
        FencedWrite::Done
    );
    let completed = latest_transcription(&store, call).await;
    assert_eq!((completed.attempts, completed.error, completed.finished_at), (2, None, Some(at(31))));
}

pub async fn releasing_a_transcription_restores_its_state(store: TestStore) {
    let token = new_token(&store, 1).await;
    let call = queue_call(&store, token, 0).await;
    queue_call(&store, token, 1).await;
    let before = latest_transcription(&store, call).await;
    let claim = claim_at(&store, 5).await.unwrap().claim;
    assert_eq!(store.release_transcription(claim, at(6)).await.unwrap(), FencedWrite::Done);
    assert_eq!(latest_transcription(&store, call).await, before);
    // It is first in the queue, as before.
    let reclaimed = claim_at(&store, 6).await.unwrap();
    assert_eq!((reclaimed.claim.id, reclaimed.transcription.attempts), (before.id, 1));
    assert!(reclaimed.claim.fencing_token > claim.fencing_token);
}

pub async fn concurrent_workers_claim_each_entry_once(store: TestStore) {
    let token = new_token(&store, 1).await;
    for _ in 0..50 {
        queue_call(&store, token, 0).await;
    }
    let worker = async |store: TestStore| {
        let mut claimed = Vec::new();
        while let Some(next) = claim_at(&store, 1).await {
            claimed.push(next.claim.id);
            let completed = store.complete_transcription(next.claim, &sample_transcript(vec![]), at(2)).await.unwrap();
            assert_eq!(completed, FencedWrite::Done);
        }
        claimed
    };
    let workers: Vec<_> = (0..8).map(|_| tokio::spawn(worker(Arc::clone(&store)))).collect();
    let mut claimed = Vec::new();
    for task in workers {
        claimed.extend(task.await.unwrap());
    }
    assert_eq!((claimed.len(), claimed.iter().collect::<BTreeSet<_>>().len()), (50, 50));
}

pub async fn transcripts_are_stored_once(store: TestStore) {
    let token = new_token(&store, 1).await;
    let call = queue_call(&store, token, 0).await;
    assert_eq!(store.transcript(call).await.unwrap(), None);
    let claim = claim_at(&store, 1).await.unwrap().claim;
    let new = sample_transcript(vec![
        spoken_segment(0.25, RecordingSide::Caller, "Good morning."),
        spoken_segment(3.5, RecordingSide::Callee, "Guten „Tag“! \u{1f600}"),
    ]);
    assert_eq!(store.complete_transcription(claim, &new, at(2)).await.unwrap(), FencedWrite::Done);
    let stored = Transcript {
        call_id: call,
        transcription_id: claim.id,
        language: new.language.clone(),
        duration: new.duration,
        segments: new.segments.clone(),
        sides: new.sides.clone(),
        dropped: new.dropped.clone(),
        redactions: new.redactions,
        engine: new.engine.clone(),
        created_at: at(2),
    };
    assert_eq!(store.transcript(call).await.unwrap().as_ref(), Some(&stored));
    let transcription = latest_transcription(&store, call).await;
    assert_eq!((transcription.state, transcription.finished_at), (TranscriptionState::Completed, Some(at(2))));
    assert_eq!(store.call(call).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Completed));
    let another = sample_transcript(vec![spoken_segment(0.0, RecordingSide::Caller, "Something else")]);
    assert_eq!(store.complete_transcription(claim, &another, at(3)).await.unwrap(), FencedWrite::ClaimLost);
    assert_eq!(store.transcript(call).await.unwrap(), Some(stored));
    // Silence: no speech and no known language.
    let silent = queue_call(&store, token, 4).await;
    let claim = claim_at(&store, 5).await.unwrap().claim;
    let silence = NewTranscript { language: None, sides: vec![], dropped: vec![], ..sample_transcript(vec![]) };
    assert_eq!(store.complete_transcription(claim, &silence, at(6)).await.unwrap(), FencedWrite::Done);
    let stored = store.transcript(silent).await.unwrap().unwrap();
    assert_eq!((stored.language, stored.segments, stored.sides), (None, vec![], vec![]));
    let repeated = store.submit(&submission([call.0]), token, false, UNLIMITED, &audit_at(7)).await.unwrap();
    assert_eq!(outcome_names(&repeated), [(call.0, "already_sent".to_owned())]);
}

pub async fn failed_call_can_be_submitted_again(store: TestStore) {
    let (token, other) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let call = queue_call(&store, token, 0).await;
    let claim = claim_at(&store, 1).await.unwrap().claim;
    assert_eq!(store.fail_transcription(claim, &message("no such codec"), at(2)).await.unwrap(), FencedWrite::Done);
    assert_eq!(store.call(call).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Failed));
    let send_again = async |seconds| {
        let result = store.submit(&submission([call.0]), other, false, UNLIMITED, &audit_at(seconds)).await.unwrap();
        assert_eq!(outcome_names(&result), [(call.0, "accepted".to_owned())]);
    };
    // The failed transcription keeps its error, even if the later one is cancelled.
    send_again(3).await;
    assert_eq!(store.cancel_transcriptions(&[call], &audit_at(3)).await.unwrap(), [call]);
    let [cancelled, failed] = &store.transcriptions(call).await.unwrap()[..] else {
        panic!("expected two transcriptions")
    };
    assert_eq!([cancelled.error.clone(), failed.error.clone()], [None, Some(message("no such codec"))]);
    let cancelled = cancelled.id;
    send_again(4).await;
    assert_eq!(store.call(call).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Queued));
    // The old claim belongs to the old transcription.
    assert_eq!(
        store.complete_transcription(claim, &sample_transcript(vec![]), at(4)).await.unwrap(),
        FencedWrite::ClaimLost
    );
    let newer = transcribe(&store, vec![spoken_segment(0.0, RecordingSide::Caller, "hello")], 5).await;
    let transcriptions = store.transcriptions(call).await.unwrap();
    let states = transcriptions
        .iter()
        .map(|transcription| (transcription.id, transcription.token_id, transcription.state))
        .collect::<Vec<_>>();
    assert_eq!(
        states,
        [
            (newer.id, other, TranscriptionState::Completed),
            (cancelled, other, TranscriptionState::Cancelled),
            (claim.id, token, TranscriptionState::Failed)
        ]
    );
    assert_eq!(transcriptions[2].error.as_ref().map(ToString::to_string).as_deref(), Some("no such codec"));
    assert_eq!(store.transcript(call).await.unwrap().unwrap().transcription_id, newer.id);
    assert_eq!(store.transcriptions(CallId(99)).await.unwrap(), []);
    // The call belonged to the first token before it was submitted again.
    let token_transcription = async |call, token| {
        store.token_transcription(call, token).await.unwrap().map(|token_transcription| token_transcription.id)
    };
    assert_eq!(
        [token_transcription(call, other).await, token_transcription(call, token).await],
        [Some(newer.id), None]
    );
    assert_eq!(token_transcription(CallId(99), other).await, None);
}

pub async fn cancelled_transcriptions_end(store: TestStore) {
    let token = new_token(&store, 1).await;
    let finished = queue_call(&store, token, 0).await;
    transcribe(&store, vec![spoken_segment(0.0, RecordingSide::Caller, "hello")], 1).await;
    let started = queue_call(&store, token, 2).await;
    let claim = claim_at(&store, 3).await.unwrap().claim;
    // The error of the first attempt isn't the reason for the end.
    assert_eq!(store.retry_transcription(claim, &message("no memory"), at(3), at(3)).await.unwrap(), FencedWrite::Done);
    let claim = claim_at(&store, 3).await.unwrap().claim;
    let waiting = queue_call(&store, token, 4).await;
    let untouched = queue_call(&store, token, 5).await;
    let cancel =
        async |calls: &[CallId], seconds| store.cancel_transcriptions(calls, &audit_at(seconds)).await.unwrap();
    let calls = [waiting, finished, CallId(99), started, waiting];
    assert_eq!(cancel(&calls, 6).await, [started, waiting]);
    assert_eq!(
        &audit_lines(&store).await[audit_lines(&store).await.len() - 2..],
        [format!("transcription.cancel call:{started}"), format!("transcription.cancel call:{waiting}")]
    );
    // The worker learns of it from its next heartbeat, and its writes are refused.
    assert_eq!(store.extend_transcription(claim, at(60)).await.unwrap(), FencedWrite::ClaimLost);
    assert_eq!(
        store.complete_transcription(claim, &sample_transcript(vec![]), at(7)).await.unwrap(),
        FencedWrite::ClaimLost
    );
    let change = |call_id| (at(6), ChangeEvent::Transcription { call_id, state: TranscriptionState::Cancelled });
    assert_eq!(store.changes_since(at(6)).await.unwrap(), [change(started), change(waiting)]);
    for call in [started, waiting] {
        let transcription = store.transcriptions(call).await.unwrap().remove(0);
        assert_eq!(
            (transcription.state, transcription.error.as_ref().map(ToString::to_string).as_deref()),
            (TranscriptionState::Cancelled, None)
        );
        assert_eq!(transcription.finished_at, Some(at(6)));
    }
    assert_eq!(store.call(finished).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Completed));
    assert_eq!(claim_at(&store, 7).await.unwrap().transcription.call_id, untouched);
    assert_eq!(cancel(&calls, 8).await, []);
    let repeated = store.submit(&submission([started.0]), token, false, UNLIMITED, &audit_at(9)).await.unwrap();
    assert_eq!(outcome_names(&repeated), [(started.0, "accepted".to_owned())]);
}

pub async fn transcription_changes_are_reported(store: TestStore) {
    let token = new_token(&store, 1).await;
    let change = |call_id, state| ChangeEvent::Transcription { call_id, state };
    let (first, second) = (queue_call(&store, token, 0).await, queue_call(&store, token, 1).await);
    assert_eq!(
        store.changes_since(at(0)).await.unwrap(),
        [(at(0), change(first, TranscriptionState::Queued)), (at(1), change(second, TranscriptionState::Queued)),]
    );
    let claim = claim_at(&store, 2).await.unwrap().claim;
    assert_eq!(store.changes_since(at(2)).await.unwrap(), [(at(2), change(first, TranscriptionState::Processing))]);
    // A heartbeat isn't a change.
    assert_eq!(store.extend_transcription(claim, at(100)).await.unwrap(), FencedWrite::Done);
    assert_eq!(store.changes_since(at(3)).await.unwrap(), []);
    assert_eq!(store.fail_transcription(claim, &message("no"), at(4)).await.unwrap(), FencedWrite::Done);
    store.submit(&submission([first.0]), token, false, UNLIMITED, &audit_at(5)).await.unwrap();
    // A change of the earlier transcription still reports the state of the latest.
    assert_eq!(
        store.changes_since(at(4)).await.unwrap(),
        [(at(4), change(first, TranscriptionState::Queued)), (at(5), change(first, TranscriptionState::Queued)),]
    );
}

pub async fn changes_include_all_of_the_last_timestamp(store: TestStore) {
    let token = new_token(&store, 1).await;
    let rows = (1..=1_500).map(|id| leadscribe_engine::record::CallRecord { id: Some(CallId(id)), ..call_record() });
    store.import_calls(rows.collect(), &audit_at(0)).await.unwrap();
    for call in 1..=1_500 {
        store.set_recording(CallId(call), &ready_recording(9.0, 2), None, &audit_at(0)).await.unwrap();
    }
    for (calls, seconds) in [(1..=600, 1), (601..=1_200, 2), (1_201..=1_500, 3)] {
        store.submit(&submission(calls), token, false, UNLIMITED, &audit_at(seconds)).await.unwrap();
    }
    let reported = store.changes_since(at(0)).await.unwrap();
    assert_eq!((reported.len(), reported.last().unwrap().0), (1_200, at(2)));
    assert_eq!(store.changes_since(at(2)).await.unwrap().len(), 900);
}

pub async fn old_transcripts_are_purged(store: TestStore) {
    let token = new_token(&store, 1).await;
    let (old, new) = (queue_call(&store, token, 0).await, queue_call(&store, token, 1).await);
    transcribe(&store, vec![spoken_segment(0.0, RecordingSide::Caller, "delivery")], 10).await;
    transcribe(&store, vec![spoken_segment(0.0, RecordingSide::Caller, "delivery")], 20).await;
    assert_eq!(store.purge_transcripts(at(10), &audit_at(30)).await.unwrap(), 0);
    assert_eq!(store.purge_transcripts(at(20), &audit_at(30)).await.unwrap(), 1);
    assert_eq!(store.transcript(old).await.unwrap(), None);
    assert_eq!(latest_transcription(&store, old).await.state, TranscriptionState::Completed);
    let repeated = store.submit(&submission([old.0]), token, false, UNLIMITED, &audit_at(31)).await.unwrap();
    assert_eq!(outcome_names(&repeated), [(old.0, "already_sent".to_owned())]);
    assert_eq!(super::transcript_search::find_calls(&store, "delivery").await, [new.0]);
    assert!(audit_lines(&store).await.contains(&format!("transcript.purge call:{old}")));
    assert_eq!(store.purge_transcripts(at(21), &audit_at(32)).await.unwrap(), 1);
    assert_eq!(super::transcript_search::find_calls(&store, "delivery").await, [0; 0]);
}

pub async fn old_recordings_are_purged(store: TestStore) {
    let token = new_token(&store, 1).await;
    let key = |call: CallId| RecordingKey(call.to_string());
    let (second, first) =
        (create_recorded_call(&store, 1, 60.0, 2).await, create_recorded_call(&store, 0, 60.0, 2).await);
    let (first, second) = (CallId(first), CallId(second));
    let needed_call = queue_call(&store, token, 2).await;
    let new = create_recorded_call(&store, 10, 60.0, 2).await;
    assert_eq!(store.old_recordings(at(10)).await.unwrap(), [(first, key(first)), (second, key(second))]);

    assert!(!store.remove_recording(needed_call, &key(needed_call), &audit_at(11)).await.unwrap());
    // Another file has replaced it.
    assert!(!store.remove_recording(first, &RecordingKey("other".to_owned()), &audit_at(11)).await.unwrap());
    assert!(!store.remove_recording(CallId(99), &key(first), &audit_at(11)).await.unwrap());
    assert!(store.remove_recording(first, &key(first), &audit_at(11)).await.unwrap());
    assert!(!store.remove_recording(first, &key(first), &audit_at(12)).await.unwrap());
    assert_eq!(audit_lines(&store).await.last().unwrap(), &format!("recording.purge call:{first}"));
    let nothing = Recording {
        state: RecordingState::None,
        media_type: None,
        channels: None,
        sample_rate: None,
        duration_seconds: None,
        bytes: None,
    };
    assert_eq!(store.call(first).await.unwrap().unwrap().recording, nothing);
    assert_eq!(store.recording_key(first).await.unwrap(), None);

    // The worker that has claimed a call needs its recording until it is done.
    let claim = claim_at(&store, 12).await.unwrap().claim;
    assert!(!store.remove_recording(needed_call, &key(needed_call), &audit_at(13)).await.unwrap());
    assert_eq!(
        store.complete_transcription(claim, &sample_transcript(vec![]), at(14)).await.unwrap(),
        FencedWrite::Done
    );
    assert_eq!(store.old_recordings(at(10)).await.unwrap(), [(second, key(second)), (needed_call, key(needed_call))]);
    assert!(store.remove_recording(needed_call, &key(needed_call), &audit_at(15)).await.unwrap());
    assert!(store.recording_key(CallId(new)).await.unwrap().is_some());
    assert!(store.transcript(needed_call).await.unwrap().is_some());
}
