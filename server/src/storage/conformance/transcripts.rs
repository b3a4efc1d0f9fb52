//! Tests of the transcription queue and its transcripts.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::TimeDelta;
use leadscribe_engine::api::*;

use super::speech::{done, new_token, recorded, submission, verdicts};
use super::{Tested, a_call, a_recording, at, by, logged, refusal};
use crate::storage::{ByClaim, Claim, ClaimedTranscription, RecordingKey};
use crate::transcript::NewTranscript;

pub(super) const LEASE: TimeDelta = TimeDelta::seconds(60);

/// Segment that one side says from `start` on, one word per second.
pub(super) fn says(start: f64, side: RecordingSide, text: &str) -> Segment {
    let word = |(start, word): (f64, &str)| Word { word: word.to_owned(), start, end: start + 1.0, confidence: 0.75 };
    let starts = (0..).map(|second| start + f64::from(second));
    let words: Vec<Word> = starts.zip(text.split_whitespace()).map(word).collect();
    let end = words.last().map_or(start, |word| word.end);
    Segment { start, end, side, text: text.to_owned(), confidence: 0.75, words }
}

/// A worker's result for a recording of 60 seconds.
pub(super) fn a_transcript(segments: Vec<Segment>) -> NewTranscript {
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
        dropped: vec![Dropped { start: 2.5, end: 9.25, side: RecordingSide::Caller, reason: DropReason::NoSpeech }],
        redactions: 2,
        engine: SpeechEngine { name: "whisper.cpp".to_owned(), model: "base".to_owned() },
    }
}

/// Queues a new recorded call for the token, `seconds` after noon.
pub(super) async fn queued(store: &Tested, token: TokenId, seconds: i64) -> CallId {
    let call = recorded(store, seconds, 60.0, 2).await;
    let response = done(store.submit(&submission([call]), token, false, None, &by(seconds)).await.unwrap());
    assert_eq!(verdicts(&response), [(call, "accepted".to_owned())]);
    CallId(call)
}

pub(super) async fn claim_at(store: &Tested, seconds: i64) -> Option<ClaimedTranscription> {
    store.claim_transcription(LEASE, at(seconds)).await.unwrap()
}

/// Transcribes the call that has waited longest. Returns its claim.
pub(super) async fn transcribe(store: &Tested, segments: Vec<Segment>, seconds: i64) -> Claim<TranscriptionId> {
    let claim = claim_at(store, seconds).await.unwrap().claim;
    let completed = store.complete_transcription(claim, &a_transcript(segments), at(seconds)).await.unwrap();
    assert_eq!(completed, ByClaim::Done);
    claim
}

async fn latest(store: &Tested, call: CallId) -> Transcription {
    store.transcriptions(call).await.unwrap().remove(0)
}

pub async fn longest_waiting_transcription_is_claimed(store: Tested) {
    let token = new_token(&store, 1).await;
    let (later, sooner) = (queued(&store, token, 6).await, queued(&store, token, 5).await);
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
    assert_eq!(first.recording, Some((a_recording(60.0, 2), RecordingKey(sooner.to_string()))));
    assert_eq!(store.call(sooner).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Processing));
    assert_eq!(store.queue_depth().await.unwrap(), (1, Some(at(6))));
    // A recording in progress or with a transcript can't be replaced.
    let other = store.set_recording(sooner, &a_recording(10.0, 2), None, &by(11)).await;
    assert_eq!(refusal(other).0, "in_use");
    let none = Recording { state: RecordingState::Failed, ..a_recording(60.0, 2) };
    store.set_recording(later, &none, None, &by(11)).await.unwrap();
    let second = claim_at(&store, 12).await.unwrap();
    assert_eq!((second.transcription.call_id, second.recording), (later, None));
    assert_eq!(claim_at(&store, 12).await, None);
}

pub async fn claim_returns_the_current_recording(store: Tested) {
    let token = new_token(&store, 1).await;
    for round in 0..60 {
        let call = queued(&store, token, round).await;
        let other = tokio::spawn({
            let store = Arc::clone(&store);
            let key = RecordingKey(format!("{call} anew"));
            async move { store.set_recording(call, &a_recording(30.0, 2), Some(&key), &by(round)).await }
        });
        let claimed = tokio::spawn({
            let store = Arc::clone(&store);
            async move { claim_at(&store, round).await.unwrap() }
        });
        let (other, claimed) = (other.await.unwrap(), claimed.await.unwrap());
        // The later of the two is refused, or works with the other recording.
        if other.is_err() {
            assert_eq!(refusal(other).0, "in_use");
        }
        assert_eq!(claimed.recording, store.recording_key(call).await.unwrap(), "round {round}");
        let completed = store.complete_transcription(claimed.claim, &a_transcript(vec![]), at(round)).await.unwrap();
        assert_eq!(completed, ByClaim::Done);
    }
}

pub async fn lost_transcriptions_are_claimed_first(store: Tested) {
    let token = new_token(&store, 1).await;
    for seconds in [1, 2, 3] {
        queued(&store, token, seconds).await;
    }
    let lost = store.claim_transcription(LEASE, at(10)).await.unwrap().unwrap();
    let again = store.claim_transcription(LEASE, at(10) + LEASE).await.unwrap().unwrap();
    assert_eq!(again.claim.id, lost.claim.id, "though others have waited since before its lease ended");
}

pub async fn lease_ends_unless_extended(store: Tested) {
    let token = new_token(&store, 1).await;
    queued(&store, token, 0).await;
    let first = claim_at(&store, 0).await.unwrap().claim;
    assert_eq!(claim_at(&store, 59).await, None);
    assert_eq!(store.extend_transcription(first, at(90)).await.unwrap(), ByClaim::Done);
    assert_eq!(claim_at(&store, 89).await, None);
    let second = claim_at(&store, 90).await.unwrap();
    assert_eq!((second.claim.id, second.transcription.attempts), (first.id, 2));
    assert!(second.claim.fence > first.fence);
    assert_eq!(second.transcription.started_at, Some(at(90)));
}

pub async fn stale_claims_are_refused(store: Tested) {
    let token = new_token(&store, 1).await;
    let call = queued(&store, token, 0).await;
    let refused = async |claim: Claim<TranscriptionId>, seconds: i64| {
        let new = a_transcript(vec![says(0.0, RecordingSide::Caller, "too late")]);
        let answers = [
            store.extend_transcription(claim, at(seconds + 500)).await.unwrap(),
            store.complete_transcription(claim, &new, at(seconds)).await.unwrap(),
            store.retry_transcription(claim, &"too late".into(), at(seconds), at(seconds)).await.unwrap(),
            store.fail_transcription(claim, &"too late".into(), at(seconds)).await.unwrap(),
            store.release_transcription(claim, at(seconds)).await.unwrap(),
        ];
        assert_eq!(answers, [ByClaim::Lost; 5]);
    };
    let stalled = claim_at(&store, 0).await.unwrap().claim;
    let current = claim_at(&store, 60).await.unwrap();
    refused(stalled, 61).await;
    assert_eq!(latest(&store, call).await, current.transcription);
    refused(Claim { fence: current.claim.fence + 1, ..current.claim }, 61).await;
    refused(Claim { id: TranscriptionId(99), ..current.claim }, 61).await;
    // A claim ends with its result: a retry, a release or the end.
    assert_eq!(store.retry_transcription(current.claim, &"busy".into(), at(70), at(62)).await.unwrap(), ByClaim::Done);
    refused(current.claim, 63).await;
    let released = claim_at(&store, 70).await.unwrap().claim;
    assert_eq!(store.release_transcription(released, at(71)).await.unwrap(), ByClaim::Done);
    refused(released, 72).await;
    let last = claim_at(&store, 73).await.unwrap().claim;
    assert_eq!(store.fail_transcription(last, &"no voice".into(), at(74)).await.unwrap(), ByClaim::Done);
    refused(last, 75).await;
    assert_eq!(latest(&store, call).await.error.as_ref().map(ToString::to_string).as_deref(), Some("no voice"));
    assert_eq!(store.transcript(call).await.unwrap(), None);
    assert_eq!(claim_at(&store, 1_000).await, None);
}

pub async fn retry_waits_until_due(store: Tested) {
    let token = new_token(&store, 1).await;
    let call = queued(&store, token, 0).await;
    let claim = claim_at(&store, 1).await.unwrap().claim;
    assert_eq!(
        store.retry_transcription(claim, &"the recogniser is busy".into(), at(30), at(2)).await.unwrap(),
        ByClaim::Done
    );
    let waiting = latest(&store, call).await;
    assert_eq!((waiting.state, waiting.attempts), (TranscriptionState::Queued, 1));
    assert_eq!(waiting.error.as_ref().map(ToString::to_string).as_deref(), Some("the recogniser is busy"));
    assert_eq!((waiting.started_at, waiting.finished_at), (Some(at(1)), None));
    assert_eq!(claim_at(&store, 29).await, None);
    let again = claim_at(&store, 30).await.unwrap();
    assert_eq!((again.transcription.attempts, again.transcription.started_at), (2, Some(at(30))));
    assert_eq!(store.complete_transcription(again.claim, &a_transcript(vec![]), at(31)).await.unwrap(), ByClaim::Done);
    let completed = latest(&store, call).await;
    assert_eq!((completed.attempts, completed.error, completed.finished_at), (2, None, Some(at(31))));
}

pub async fn releasing_a_transcription_restores_its_state(store: Tested) {
    let token = new_token(&store, 1).await;
    let call = queued(&store, token, 0).await;
    queued(&store, token, 1).await;
    let before = latest(&store, call).await;
    let claim = claim_at(&store, 5).await.unwrap().claim;
    assert_eq!(store.release_transcription(claim, at(6)).await.unwrap(), ByClaim::Done);
    assert_eq!(latest(&store, call).await, before);
    // It is first in the queue, as before.
    let again = claim_at(&store, 6).await.unwrap();
    assert_eq!((again.claim.id, again.transcription.attempts), (before.id, 1));
    assert!(again.claim.fence > claim.fence);
}

pub async fn concurrent_workers_claim_each_entry_once(store: Tested) {
    let token = new_token(&store, 1).await;
    for _ in 0..50 {
        queued(&store, token, 0).await;
    }
    let worker = async |store: Tested| {
        let mut claimed = Vec::new();
        while let Some(next) = claim_at(&store, 1).await {
            claimed.push(next.claim.id);
            let completed = store.complete_transcription(next.claim, &a_transcript(vec![]), at(2)).await.unwrap();
            assert_eq!(completed, ByClaim::Done);
        }
        claimed
    };
    let workers: Vec<_> = (0..8).map(|_| tokio::spawn(worker(Arc::clone(&store)))).collect();
    let mut claimed = Vec::new();
    for one in workers {
        claimed.extend(one.await.unwrap());
    }
    assert_eq!((claimed.len(), claimed.iter().collect::<BTreeSet<_>>().len()), (50, 50));
}

pub async fn transcripts_are_stored_once(store: Tested) {
    let token = new_token(&store, 1).await;
    let call = queued(&store, token, 0).await;
    assert_eq!(store.transcript(call).await.unwrap(), None);
    let claim = claim_at(&store, 1).await.unwrap().claim;
    let new = a_transcript(vec![
        says(0.25, RecordingSide::Caller, "Good morning."),
        says(3.5, RecordingSide::Callee, "Guten „Tag“! \u{1f600}"),
    ]);
    assert_eq!(store.complete_transcription(claim, &new, at(2)).await.unwrap(), ByClaim::Done);
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
    let transcription = latest(&store, call).await;
    assert_eq!((transcription.state, transcription.finished_at), (TranscriptionState::Completed, Some(at(2))));
    assert_eq!(store.call(call).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Completed));
    let another = a_transcript(vec![says(0.0, RecordingSide::Caller, "Something else")]);
    assert_eq!(store.complete_transcription(claim, &another, at(3)).await.unwrap(), ByClaim::Lost);
    assert_eq!(store.transcript(call).await.unwrap(), Some(stored));
    // Silence: no speech and no known language.
    let silent = queued(&store, token, 4).await;
    let claim = claim_at(&store, 5).await.unwrap().claim;
    let silence = NewTranscript { language: None, sides: vec![], dropped: vec![], ..a_transcript(vec![]) };
    assert_eq!(store.complete_transcription(claim, &silence, at(6)).await.unwrap(), ByClaim::Done);
    let stored = store.transcript(silent).await.unwrap().unwrap();
    assert_eq!((stored.language, stored.segments, stored.sides), (None, vec![], vec![]));
    let again = done(store.submit(&submission([call.0]), token, false, None, &by(7)).await.unwrap());
    assert_eq!(verdicts(&again), [(call.0, "already_sent".to_owned())]);
}

pub async fn failed_call_can_be_submitted_again(store: Tested) {
    let (token, other) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let call = queued(&store, token, 0).await;
    let claim = claim_at(&store, 1).await.unwrap().claim;
    assert_eq!(store.fail_transcription(claim, &"no such codec".into(), at(2)).await.unwrap(), ByClaim::Done);
    assert_eq!(store.call(call).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Failed));
    let send_again = async |seconds| {
        let again = store.submit(&submission([call.0]), other, false, None, &by(seconds)).await.unwrap();
        assert_eq!(verdicts(&done(again)), [(call.0, "accepted".to_owned())]);
    };
    // The first one keeps its error, whether or not the later one is cancelled.
    send_again(3).await;
    assert_eq!(store.cancel_transcriptions(&[call], &by(3)).await.unwrap(), [call]);
    let [cancelled, failed] = &store.transcriptions(call).await.unwrap()[..] else { panic!("two were asked for") };
    assert_eq!([cancelled.error.clone(), failed.error.clone()], [None, Some("no such codec".into())]);
    let cancelled = cancelled.id;
    send_again(4).await;
    assert_eq!(store.call(call).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Queued));
    // The old claim belongs to the old transcription.
    assert_eq!(store.complete_transcription(claim, &a_transcript(vec![]), at(4)).await.unwrap(), ByClaim::Lost);
    let newer = transcribe(&store, vec![says(0.0, RecordingSide::Caller, "hello")], 5).await;
    let all = store.transcriptions(call).await.unwrap();
    let told = all.iter().map(|one| (one.id, one.token_id, one.state)).collect::<Vec<_>>();
    assert_eq!(
        told,
        [
            (newer.id, other, TranscriptionState::Completed),
            (cancelled, other, TranscriptionState::Cancelled),
            (claim.id, token, TranscriptionState::Failed)
        ]
    );
    assert_eq!(all[2].error.as_ref().map(ToString::to_string).as_deref(), Some("no such codec"));
    assert_eq!(store.transcript(call).await.unwrap().unwrap().transcription_id, newer.id);
    assert_eq!(store.transcriptions(CallId(99)).await.unwrap(), []);
    // It belonged to the first token before it was submitted again.
    let own = async |call, token| store.own_transcription(call, token).await.unwrap().map(|own| own.id);
    assert_eq!([own(call, other).await, own(call, token).await], [Some(newer.id), None]);
    assert_eq!(own(CallId(99), other).await, None);
}

pub async fn cancelled_transcriptions_end(store: Tested) {
    let token = new_token(&store, 1).await;
    let finished = queued(&store, token, 0).await;
    transcribe(&store, vec![says(0.0, RecordingSide::Caller, "hello")], 1).await;
    let begun = queued(&store, token, 2).await;
    let claim = claim_at(&store, 3).await.unwrap().claim;
    // The error of the first attempt isn't the reason for the end.
    assert_eq!(store.retry_transcription(claim, &"no memory".into(), at(3), at(3)).await.unwrap(), ByClaim::Done);
    let claim = claim_at(&store, 3).await.unwrap().claim;
    let waiting = queued(&store, token, 4).await;
    let left = queued(&store, token, 5).await;
    let cancel = async |calls: &[CallId], seconds| store.cancel_transcriptions(calls, &by(seconds)).await.unwrap();
    let calls = [waiting, finished, CallId(99), begun, waiting];
    assert_eq!(cancel(&calls, 6).await, [begun, waiting]);
    assert_eq!(
        &logged(&store).await[logged(&store).await.len() - 2..],
        [format!("transcription.cancel call:{begun}"), format!("transcription.cancel call:{waiting}")]
    );
    // The worker learns of it from its next heartbeat, and its writes are refused.
    assert_eq!(store.extend_transcription(claim, at(60)).await.unwrap(), ByClaim::Lost);
    assert_eq!(store.complete_transcription(claim, &a_transcript(vec![]), at(7)).await.unwrap(), ByClaim::Lost);
    let change = |call_id| (at(6), Change::Transcription { call_id, state: TranscriptionState::Cancelled });
    assert_eq!(store.changes(at(6)).await.unwrap(), [change(begun), change(waiting)]);
    for call in [begun, waiting] {
        let work = store.transcriptions(call).await.unwrap().remove(0);
        assert_eq!(
            (work.state, work.error.as_ref().map(ToString::to_string).as_deref()),
            (TranscriptionState::Cancelled, None)
        );
        assert_eq!(work.finished_at, Some(at(6)));
    }
    assert_eq!(store.call(finished).await.unwrap().unwrap().transcription_state, Some(TranscriptionState::Completed));
    assert_eq!(claim_at(&store, 7).await.unwrap().transcription.call_id, left);
    assert_eq!(cancel(&calls, 8).await, []);
    let again = done(store.submit(&submission([begun.0]), token, false, None, &by(9)).await.unwrap());
    assert_eq!(verdicts(&again), [(begun.0, "accepted".to_owned())]);
}

pub async fn transcription_changes_are_reported(store: Tested) {
    let token = new_token(&store, 1).await;
    let change = |call_id, state| Change::Transcription { call_id, state };
    let (one, two) = (queued(&store, token, 0).await, queued(&store, token, 1).await);
    assert_eq!(
        store.changes(at(0)).await.unwrap(),
        [(at(0), change(one, TranscriptionState::Queued)), (at(1), change(two, TranscriptionState::Queued)),]
    );
    let claim = claim_at(&store, 2).await.unwrap().claim;
    assert_eq!(store.changes(at(2)).await.unwrap(), [(at(2), change(one, TranscriptionState::Processing))]);
    // A heartbeat is no change.
    assert_eq!(store.extend_transcription(claim, at(100)).await.unwrap(), ByClaim::Done);
    assert_eq!(store.changes(at(3)).await.unwrap(), []);
    assert_eq!(store.fail_transcription(claim, &"no".into(), at(4)).await.unwrap(), ByClaim::Done);
    done(store.submit(&submission([one.0]), token, false, None, &by(5)).await.unwrap());
    // A change of the earlier transcription still reports the state of the latest.
    assert_eq!(
        store.changes(at(4)).await.unwrap(),
        [(at(4), change(one, TranscriptionState::Queued)), (at(5), change(one, TranscriptionState::Queued)),]
    );
}

pub async fn changes_include_all_of_the_last_timestamp(store: Tested) {
    let token = new_token(&store, 1).await;
    let rows = (1..=1_500).map(|id| leadscribe_engine::record::CallRecord { id: Some(CallId(id)), ..a_call() });
    store.import_calls(rows.collect(), &by(0)).await.unwrap();
    for call in 1..=1_500 {
        store.set_recording(CallId(call), &a_recording(9.0, 2), None, &by(0)).await.unwrap();
    }
    for (calls, seconds) in [(1..=600, 1), (601..=1_200, 2), (1_201..=1_500, 3)] {
        done(store.submit(&submission(calls), token, false, None, &by(seconds)).await.unwrap());
    }
    let told = store.changes(at(0)).await.unwrap();
    assert_eq!((told.len(), told.last().unwrap().0), (1_200, at(2)));
    assert_eq!(store.changes(at(2)).await.unwrap().len(), 900);
}

pub async fn old_transcripts_are_purged(store: Tested) {
    let token = new_token(&store, 1).await;
    let (old, new) = (queued(&store, token, 0).await, queued(&store, token, 1).await);
    transcribe(&store, vec![says(0.0, RecordingSide::Caller, "delivery")], 10).await;
    transcribe(&store, vec![says(0.0, RecordingSide::Caller, "delivery")], 20).await;
    assert_eq!(store.purge_transcripts(at(10), &by(30)).await.unwrap(), 0);
    assert_eq!(store.purge_transcripts(at(20), &by(30)).await.unwrap(), 1);
    assert_eq!(store.transcript(old).await.unwrap(), None);
    assert_eq!(latest(&store, old).await.state, TranscriptionState::Completed);
    let again = done(store.submit(&submission([old.0]), token, false, None, &by(31)).await.unwrap());
    assert_eq!(verdicts(&again), [(old.0, "already_sent".to_owned())]);
    assert_eq!(super::transcript_search::found(&store, "delivery").await, [new.0]);
    assert!(logged(&store).await.contains(&format!("transcript.purge call:{old}")));
    assert_eq!(store.purge_transcripts(at(21), &by(32)).await.unwrap(), 1);
    assert_eq!(super::transcript_search::found(&store, "delivery").await, [0; 0]);
}

pub async fn old_recordings_are_purged(store: Tested) {
    let token = new_token(&store, 1).await;
    let key = |call: CallId| RecordingKey(call.to_string());
    let (second, first) = (recorded(&store, 1, 60.0, 2).await, recorded(&store, 0, 60.0, 2).await);
    let (first, second) = (CallId(first), CallId(second));
    let needed = queued(&store, token, 2).await;
    let new = recorded(&store, 10, 60.0, 2).await;
    assert_eq!(store.old_recordings(at(10)).await.unwrap(), [(first, key(first)), (second, key(second))]);

    assert!(!store.forget_recording(needed, &key(needed), &by(11)).await.unwrap());
    // Another file has replaced it.
    assert!(!store.forget_recording(first, &RecordingKey("other".to_owned()), &by(11)).await.unwrap());
    assert!(!store.forget_recording(CallId(99), &key(first), &by(11)).await.unwrap());
    assert!(store.forget_recording(first, &key(first), &by(11)).await.unwrap());
    assert!(!store.forget_recording(first, &key(first), &by(12)).await.unwrap());
    assert_eq!(logged(&store).await.last().unwrap(), &format!("recording.purge call:{first}"));
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
    assert!(!store.forget_recording(needed, &key(needed), &by(13)).await.unwrap());
    assert_eq!(store.complete_transcription(claim, &a_transcript(vec![]), at(14)).await.unwrap(), ByClaim::Done);
    assert_eq!(store.old_recordings(at(10)).await.unwrap(), [(second, key(second)), (needed, key(needed))]);
    assert!(store.forget_recording(needed, &key(needed), &by(15)).await.unwrap());
    assert!(store.recording_key(CallId(new)).await.unwrap().is_some());
    assert!(store.transcript(needed).await.unwrap().is_some());
}
