//! Transcribing with a real store, recordings in memory and a scripted recognizer.

use std::time::Duration;

use futures::FutureExt;
use leadscribe_engine::api::{CallId, RecordingSide, RecordingState, TranscriptionState};
use leadscribe_engine::submission::Submission;
use object_store::ObjectStoreExt;
use object_store::path::Path;

use super::*;
use crate::recording::RecordingFiles;
use crate::speech::RecognizerProvider;
use crate::worker::runner::Runner;
use crate::worker::testing::{
    ScriptedRecognizer, TestInstallation, audit_context, create_recorded_call, create_token, never_stop, stop_signal,
    submit_call,
};

const LEASE_DURATION: TimeDelta = TimeDelta::seconds(30);

/// Runs workers until a transcription of each call has ended or waits for another attempt, and stops them.
async fn run_until_attempted(apps: &[&Arc<App>], calls: &[CallId]) {
    let (sender, stop) = stop_signal();
    let runners = apps.iter().map(|app| {
        let queue = Transcribe(Arc::clone(app));
        tokio::spawn(
            Runner { queue, slots: 1, lease: LEASE_DURATION, clock: app.clock_watch.clone() }.run(stop.clone()),
        )
    });
    let runners: Vec<_> = runners.collect();
    for call in calls {
        while let (TranscriptionState::Processing, ..) | (_, 0, _) = latest_state(apps[0], *call).await {
            tokio::task::yield_now().await;
        }
    }
    drop(sender);
    for runner in runners {
        runner.await.unwrap();
    }
}

/// Makes one attempt at the call that has waited longest. Returns the outcome.
async fn attempt_next(app: &Arc<App>) -> AttemptOutcome {
    let queue = Transcribe(Arc::clone(app));
    let entry = queue.claim(LEASE_DURATION, app.now()).await.unwrap().expect("a call that is due");
    let outcome = queue.work(&entry).await;
    assert_eq!(queue.finish(&entry, &outcome, app.now()).await.unwrap(), FencedWrite::Done);
    queue.record_end(&entry, WorkEnd::Finished(&outcome));
    outcome
}

/// Returns the latest transcription of a call: state, number of attempts, and error.
async fn latest_state(app: &App, call: CallId) -> (TranscriptionState, u32, Option<String>) {
    let latest = app.store.transcriptions(call).await.unwrap().remove(0);
    (latest.state, latest.attempts, latest.error.map(|error| error.to_string()))
}

#[tokio::test]
async fn ended_transcription_notifies_delivery_workers() {
    let installation = TestInstallation::empty(|_| ());
    let app = installation.create_app(ScriptedRecognizer::provider(&[]));
    let (token, call) = (create_token(&app).await, create_recorded_call(&app).await);
    submit_call(&app, token, call).await;
    assert!(app.notifiers.deliveries.notified().now_or_never().is_none());
    attempt_next(&app).await;
    assert!(app.notifiers.deliveries.notified().now_or_never().is_some());
}

fn unavailable() -> Result<(), RecognizeError> {
    Err(RecognizeError::Unavailable {
        detail: "it responded with status 503".to_owned(),
        retry_after: Some(Duration::from_secs(60)),
    })
}

fn rejected() -> Result<(), RecognizeError> {
    Err(RecognizeError::Rejected("the key is not valid".to_owned()))
}

fn invalid_response() -> Result<(), RecognizeError> {
    Err(RecognizeError::InvalidResponse("expected the field text (verbose_json), found none".to_owned()))
}

fn panics() -> Result<(), RecognizeError> {
    panic!("simulated bug")
}

#[tokio::test]
async fn transcribes_recording() {
    let installation = TestInstallation::empty(|_| ());
    let app = installation.create_app(ScriptedRecognizer::provider(&[]));
    let call = create_recorded_call(&app).await;
    submit_call(&app, create_token(&app).await, call).await;
    run_until_attempted(&[&app], &[call]).await;

    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Completed, 1, None));
    let transcript = app.store.transcript(call).await.unwrap().expect("a transcript");
    assert!(transcript.segments.iter().any(|segment| segment.text == "words"), "{transcript:?}");
    assert_eq!((transcript.duration.round(), transcript.engine.name.as_str()), (11.0, "scripted"));
    let remaining_files = std::fs::read_dir(app.config.spool_dir()).unwrap().count();
    assert_eq!(remaining_files, 0, "the copy of the recording is gone");
}

#[tokio::test]
async fn damaged_recordings_are_not_partially_transcribed() {
    let installation = TestInstallation::empty(|config| config.worker.max_attempts = 3);
    let app = installation.create_app(ScriptedRecognizer::provider(&[]));
    let call = create_recorded_call(&app).await;
    let (_, key) = app.store.recording_key(call).await.unwrap().unwrap();
    let path = Path::from(key.0);
    let original = app.recordings.get(&path).await.unwrap().bytes().await.unwrap();
    let truncated = original.slice(..original.len() / 2);
    let altered = [&original[..original.len() - 1], &[!original[original.len() - 1]]].concat().into();
    submit_call(&app, create_token(&app).await, call).await;
    for damaged in [truncated, altered] {
        app.recordings.put(&path, damaged.into()).await.unwrap();
        let AttemptOutcome::Retry { error, delay } = attempt_next(&app).await else {
            panic!("expected another attempt")
        };
        assert_eq!(error, "the recording can't be read");
        installation.clock.advance(delay);
    }
    app.recordings.put(&path, original.into()).await.unwrap();
    attempt_next(&app).await;
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Completed, 3, None), "the recording was restored");
}

#[tokio::test]
async fn busy_recognizer_is_retried_after_requested_wait() {
    let installation = TestInstallation::empty(|_| ());
    let app = installation.create_app(ScriptedRecognizer::provider(&[unavailable]));
    let call = create_recorded_call(&app).await;
    submit_call(&app, create_token(&app).await, call).await;
    let error = work::recognizer_unavailable("it responded with status 503");
    let retry = AttemptOutcome::Retry { error: error.clone(), delay: TimeDelta::seconds(60) };
    assert_eq!(attempt_next(&app).await, retry);
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Queued, 1, Some(error.to_string())));
    installation.clock.advance(TimeDelta::seconds(59));
    assert_eq!(app.store.claim_transcription(LEASE_DURATION, app.now()).await.unwrap(), None);
    installation.clock.advance(TimeDelta::seconds(1));
    attempt_next(&app).await;
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Completed, 2, None));
}

#[tokio::test]
async fn permanent_errors_are_not_retried() {
    let installation = TestInstallation::empty(|_| ());
    let app = installation.create_app(ScriptedRecognizer::provider(&[rejected]));
    let call = create_recorded_call(&app).await;
    let token = create_token(&app).await;
    submit_call(&app, token, call).await;
    attempt_next(&app).await;
    let error = "the recognizer rejected the request: the key is not valid".to_owned();
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Failed, 1, Some(error)));

    submit_call(&app, token, call).await;
    attempt_next(&app).await;
    assert_eq!(
        latest_state(&app, call).await,
        (TranscriptionState::Completed, 1, None),
        "the call can be submitted again"
    );
}

#[tokio::test]
async fn invalid_responses_fail_immediately() {
    let installation = TestInstallation::empty(|_| ());
    let app = installation.create_app(ScriptedRecognizer::provider(&[invalid_response]));
    let call = create_recorded_call(&app).await;
    submit_call(&app, create_token(&app).await, call).await;
    attempt_next(&app).await;
    let error = "the recognizer's response is invalid: expected the field text (verbose_json), found none".to_owned();
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Failed, 1, Some(error)));
}

#[tokio::test]
async fn transcription_fails_after_maximum_attempts() {
    let installation = TestInstallation::empty(|config| config.worker.max_attempts = 3);
    let app = installation.create_app(ScriptedRecognizer::provider(&[panics, unavailable, unavailable]));
    let call = create_recorded_call(&app).await;
    submit_call(&app, create_token(&app).await, call).await;
    run_until_attempted(&[&app], &[call]).await;
    let panic_error = "internal error while transcribing the recording".to_owned();
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Queued, 1, Some(panic_error)));
    installation.clock.advance(TimeDelta::seconds(12));
    let AttemptOutcome::Retry { error, delay } = attempt_next(&app).await else { panic!("expected another attempt") };
    installation.clock.advance(delay);
    assert_eq!(attempt_next(&app).await, AttemptOutcome::Failed(error.clone()));
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Failed, 3, Some(error.to_string())));
}

#[tokio::test]
async fn crashing_recording_fails_after_maximum_attempts() {
    let installation = TestInstallation::empty(|config| config.worker.max_attempts = 2);
    let app = installation.create_app(ScriptedRecognizer::provider(&[]));
    let call = create_recorded_call(&app).await;
    submit_call(&app, create_token(&app).await, call).await;
    for _ in 0..2 {
        let claimed = app.store.claim_transcription(LEASE_DURATION, app.now()).await.unwrap();
        assert!(claimed.is_some());
        installation.clock.advance(LEASE_DURATION);
    }
    attempt_next(&app).await;
    let error = "gave up after 2 attempts; the worker stopped during the last one".to_owned();
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Failed, 3, Some(error)));
}

#[tokio::test]
async fn missing_recording_fails_immediately() {
    let installation = TestInstallation::empty(|_| ());
    let app = installation.create_app(ScriptedRecognizer::provider(&[]));
    let call = create_recorded_call(&app).await;
    submit_call(&app, create_token(&app).await, call).await;
    let (mut recording, _) = app.store.recording_key(call).await.unwrap().unwrap();
    recording.state = RecordingState::None;
    app.store.set_recording(call, &recording, None, &audit_context(&app)).await.unwrap();
    attempt_next(&app).await;
    let error = "the recording no longer exists".to_owned();
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Failed, 1, Some(error)));
}

#[tokio::test]
async fn replaced_recording_must_meet_the_submission() {
    let installation = TestInstallation::empty(|_| ());
    let app = installation.create_app(ScriptedRecognizer::provider(&[]));
    let (call, token) = (create_recorded_call(&app).await, create_token(&app).await);
    let (recording, key) = app.store.recording_key(call).await.unwrap().unwrap();
    let stereo = Recording { channels: Some(2), duration_seconds: Some(60.0), ..recording };
    let submission = Submission {
        call_ids: vec![call],
        token: String::new(),
        languages: vec!["en".to_owned()],
        recording_side: RecordingSide::Caller,
        min_duration: 60,
        from: None,
        till: None,
        callback: None,
    };
    let state_after_replacement = async |other: &Recording| {
        for (recording, is_submitted) in [(&stereo, true), (other, false)] {
            app.store.set_recording(call, recording, Some(&key), &audit_context(&app)).await.unwrap();
            if is_submitted {
                app.store.submit(&submission, token, false, u64::MAX, &audit_context(&app)).await.unwrap();
            }
        }
        attempt_next(&app).await;
        latest_state(&app, call).await
    };
    let failed = |error: &str| (TranscriptionState::Failed, 1, Some(error.to_owned()));
    let short = Recording { duration_seconds: Some(59.9), ..stereo.clone() };
    assert_eq!(state_after_replacement(&short).await, failed("the current recording is shorter than 60 s"));
    let mono = Recording { channels: Some(1), ..stereo.clone() };
    let no_sides = "the current recording has one channel, so a single side can't be transcribed";
    assert_eq!(state_after_replacement(&mono).await, failed(no_sides));
    let longer = Recording { duration_seconds: Some(61.0), ..stereo.clone() };
    assert_eq!(state_after_replacement(&longer).await, (TranscriptionState::Completed, 1, None));
}

#[tokio::test]
async fn unreadable_recordings_are_retried() {
    let installation = TestInstallation::empty(|_| ());
    let app = installation.create_app(ScriptedRecognizer::provider(&[]));
    let call = create_recorded_call(&app).await;
    submit_call(&app, create_token(&app).await, call).await;
    let (_, key) = app.store.recording_key(call).await.unwrap().unwrap();
    RecordingFiles::new(app.recordings.clone()).delete(&key).await.unwrap();
    attempt_next(&app).await;
    let error = "the recording can't be read".to_owned();
    assert_eq!(latest_state(&app, call).await, (TranscriptionState::Queued, 1, Some(error)));
}

#[tokio::test(start_paused = true)]
async fn claims_nothing_without_recognizer() {
    let installation = TestInstallation::empty(|_| ());
    let missing = RecognizerProvider::lazy(|| Err(work::no_recognizer().into()));
    for provider in [missing, RecognizerProvider::off(), RecognizerProvider::other_process()] {
        let app = installation.create_app(provider);
        let call = create_recorded_call(&app).await;
        submit_call(&app, create_token(&app).await, call).await;
        let runner =
            Runner { queue: Transcribe(app.clone()), slots: 1, lease: LEASE_DURATION, clock: app.clock_watch.clone() };
        let timeout_result = tokio::time::timeout(Duration::from_secs(100), runner.run(never_stop())).await;
        assert!(timeout_result.is_err(), "a runner runs until it is stopped");
        assert_eq!(latest_state(&app, call).await, (TranscriptionState::Queued, 0, None));
    }
}

#[tokio::test]
async fn stopping_worker_releases_its_call() {
    let installation = TestInstallation::empty(|_| ());
    let (stopping_app, other) = (
        installation.create_app(ScriptedRecognizer::provider(&[])),
        installation.create_app(ScriptedRecognizer::provider(&[])),
    );
    let call = create_recorded_call(&stopping_app).await;
    submit_call(&stopping_app, create_token(&stopping_app).await, call).await;
    let queue = Transcribe(stopping_app.clone());
    let claimed = queue.claim(LEASE_DURATION, stopping_app.now()).await.unwrap().expect("a queued transcription");
    assert_eq!(queue.release(&claimed, stopping_app.now()).await.unwrap(), FencedWrite::Done);
    assert_eq!(latest_state(&stopping_app, call).await, (TranscriptionState::Queued, 0, None), "no attempt is counted");
    run_until_attempted(&[&other], &[call]).await;
    assert_eq!(latest_state(&other, call).await, (TranscriptionState::Completed, 1, None));
}

#[tokio::test]
async fn stalled_worker_writes_nothing_after_losing_its_lease() {
    let installation = TestInstallation::empty(|_| ());
    let stalled = installation.create_app(ScriptedRecognizer::provider(&[]));
    let call = create_recorded_call(&stalled).await;
    submit_call(&stalled, create_token(&stalled).await, call).await;
    let queue = Transcribe(stalled.clone());
    let claimed = queue.claim(LEASE_DURATION, stalled.now()).await.unwrap().expect("a queued transcription");
    let outcome = queue.work(&claimed).await;
    assert!(matches!(outcome, AttemptOutcome::Completed { .. }), "{outcome:?}");

    installation.clock.advance(LEASE_DURATION - TimeDelta::seconds(1));
    assert_eq!(
        stalled.store.claim_transcription(LEASE_DURATION, stalled.now()).await.unwrap(),
        None,
        "a lease is respected"
    );
    installation.clock.advance(TimeDelta::seconds(1));
    let other = installation.create_app(ScriptedRecognizer::provider(&[]));
    run_until_attempted(&[&other], &[call]).await;
    assert_eq!(latest_state(&other, call).await, (TranscriptionState::Completed, 2, None));
    let transcript = other.store.transcript(call).await.unwrap();

    installation.clock.advance(TimeDelta::seconds(1));
    assert_eq!(queue.extend(&claimed, stalled.now() + LEASE_DURATION).await.unwrap(), FencedWrite::ClaimLost);
    let late = work::no_recognizer;
    for late in [outcome, AttemptOutcome::Failed(late()), queue.retry_or_fail(&claimed, late(), None)] {
        assert_eq!(queue.finish(&claimed, &late, stalled.now()).await.unwrap(), FencedWrite::ClaimLost);
    }
    assert_eq!(latest_state(&other, call).await, (TranscriptionState::Completed, 2, None));
    assert_eq!(other.store.transcript(call).await.unwrap(), transcript);
}

#[tokio::test]
async fn several_workers_share_the_calls() {
    let installation = TestInstallation::empty(|_| ());
    let apps = [
        installation.create_app(ScriptedRecognizer::provider(&[])),
        installation.create_app(ScriptedRecognizer::provider(&[])),
    ];
    let token = create_token(&apps[0]).await;
    let mut calls = Vec::new();
    for _ in 0..6 {
        let call = create_recorded_call(&apps[0]).await;
        submit_call(&apps[0], token, call).await;
        calls.push(call);
    }
    run_until_attempted(&[&apps[0], &apps[1]], &calls).await;
    for call in calls {
        assert_eq!(latest_state(&apps[0], call).await, (TranscriptionState::Completed, 1, None));
    }
}
