//! Shared helpers for tests of the worker: a clock, a stop signal, an installation with a real store, and a scripted recognizer.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::TimeDelta;
use futures::{FutureExt, stream};
use leadscribe_engine::api::*;
use leadscribe_engine::record::CallRecord;
use object_store::ObjectStore;
use object_store::memory::InMemory;
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::{spawn_blocking, yield_now};
use tokio::time::Instant;

use super::runner::StopSignal;
use crate::clock::{Clock, MockClock};
use crate::config::Config;
use crate::service::app::App;
use crate::service::auth::credentials;
use crate::service::calls::recordings;
use crate::service::error::ServiceError;
use crate::service::speech::call_submission;
use crate::service::speech::call_submission::{SubmissionOwner, SubmissionRequest};
use crate::speech::{DetectedLanguage, RecognizeError, RecognizedSegment, Recognizer, RecognizerProvider, Samples};
use crate::storage::sqlite::SqliteStore;
use crate::storage::{AuditContext, FencedWrite};
use crate::transcript::NewTranscript;

/// Eleven seconds of speech.
const SPEECH: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/demo/recordings/jfk.wav"));

/// A clock that follows Tokio's paused time, which advances whenever all tasks are idle.
#[derive(Debug)]
pub struct PausedClock {
    start: Timestamp,
    created: Instant,
    /// Seconds by which the clock was shifted.
    offset_seconds: AtomicI64,
    /// Seconds for which the machine was suspended. Included in `now` and `monotonic`, but not in Tokio's time.
    suspended_seconds: AtomicU64,
}

impl PausedClock {
    /// Creates a clock that starts at `start`.
    pub fn at(start: Timestamp) -> Self {
        Self { start, created: Instant::now(), offset_seconds: AtomicI64::new(0), suspended_seconds: AtomicU64::new(0) }
    }

    /// Moves the clock forward by `seconds`, or back if negative.
    pub fn shift(&self, seconds: i64) {
        self.offset_seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    /// Simulates that the machine is suspended for `seconds`.
    pub fn suspend(&self, seconds: u64) {
        self.suspended_seconds.fetch_add(seconds, Ordering::SeqCst);
    }

    /// Returns the seconds since the clock was created.
    pub fn seconds(&self) -> i64 {
        self.created.elapsed().as_secs().cast_signed()
    }
}

impl Clock for PausedClock {
    fn now(&self) -> Timestamp {
        let offset = TimeDelta::seconds(self.offset_seconds.load(Ordering::SeqCst));
        self.start + TimeDelta::from_std(self.monotonic()).unwrap() + offset
    }

    fn monotonic(&self) -> Duration {
        self.created.elapsed() + Duration::from_secs(self.suspended_seconds.load(Ordering::SeqCst))
    }
}

/// Creates a stop signal that fires when the sender is dropped.
pub fn stop_signal() -> (oneshot::Sender<()>, StopSignal) {
    let (sender, receiver) = oneshot::channel();
    (sender, receiver.map(|_| ()).boxed().shared())
}

/// Creates a stop signal that never fires.
pub fn never_stop() -> StopSignal {
    std::future::pending().boxed().shared()
}

/// Data of an installation, deleted when this value is dropped.
pub struct TestInstallation {
    store: Arc<SqliteStore>,
    recordings: Arc<InMemory>,
    config: Config,
    /// Clock of all processes.
    pub clock: Arc<MockClock>,
    _folder: TempDir,
}

impl TestInstallation {
    /// Creates an empty installation.
    pub fn empty(configure: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.storage.data_dir = folder.path().to_owned();
        configure(&mut config);
        let store = Arc::new(SqliteStore::open(&config.database_file()).unwrap());
        let clock = Arc::new(MockClock::at("2026-05-01T09:30:00Z".parse().unwrap()));
        Self { store, recordings: Arc::new(InMemory::new()), config, clock, _folder: folder }
    }

    /// Creates an empty installation with a process that has no recognizer.
    pub fn with_app(configure: impl FnOnce(&mut Config)) -> (Self, Arc<App>) {
        let installation = Self::empty(configure);
        let app = installation.create_app(RecognizerProvider::off());
        (installation, app)
    }

    /// Creates another installation, whose database uses the recordings of `other` by mistake.
    pub fn with_recordings_of(other: &Self, configure: impl FnOnce(&mut Config)) -> Self {
        Self { recordings: other.recordings.clone(), ..Self::empty(configure) }
    }

    /// Creates a process of the installation.
    pub fn create_app(&self, recognizer: RecognizerProvider) -> Arc<App> {
        self.create_app_with(recognizer, |_| ())
    }

    /// Creates a process of the installation with changed options.
    pub fn create_app_with(&self, recognizer: RecognizerProvider, configure: impl FnOnce(&mut Config)) -> Arc<App> {
        let recordings: Arc<dyn ObjectStore> = self.recordings.clone();
        let mut config = self.config.clone();
        configure(&mut config);
        Arc::new(App::new(self.store.clone(), recordings, recognizer, self.clock.clone(), Arc::new(config)))
    }
}

/// Runs a test on a single-threaded runtime with one thread for blocking work.
pub fn run_with_one_blocking_thread<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(test)
}

/// Polls a future up to `polls` times, like a request whose client disconnects. After each poll but the last, the blocking
/// work that it started is completed. After the last poll, the future is dropped before its blocking work begins. Returns
/// the result if the future completes earlier. Requires [`run_with_one_blocking_thread`].
///
/// # Errors
/// The future was dropped. Its blocking work begins when the error is dropped.
pub async fn drop_after_polls<T>(polls: usize, future: impl Future<Output = T>) -> Result<T, BlockedWork> {
    let mut future = Box::pin(future);
    for poll in 1..=polls {
        let (release, wait_for_release) = std::sync::mpsc::channel();
        let blocker = spawn_blocking(move || wait_for_release.recv());
        let output = (&mut future).now_or_never();
        // Let other tasks run until they start blocking work.
        for _ in 0..10 {
            yield_now().await;
        }
        if let Some(output) = output {
            return Ok(output);
        }
        if poll == polls {
            return Err(BlockedWork { _release: release });
        }
        drop(release);
        let _ = blocker.await;
        spawn_blocking(|| ()).await.unwrap();
    }
    panic!("`polls` must be at least 1");
}

/// Holds blocking work back until it is dropped.
#[derive(Debug)]
pub struct BlockedWork {
    _release: std::sync::mpsc::Sender<()>,
}

/// Returns the audit context of changes that set up a test.
pub fn audit_context(app: &App) -> AuditContext {
    AuditContext::new("test", app.now())
}

pub async fn create_token(app: &App) -> TokenId {
    let request = NewSpeechTokenRequest { name: "test".to_owned() };
    credentials::create_speech_token(app, request, &audit_context(app)).await.unwrap().token.id
}

pub async fn create_recorded_call(app: &App) -> CallId {
    create_recorded_call_for(app, None).await
}

pub async fn create_recorded_call_for(app: &App, lead: Option<LeadId>) -> CallId {
    let (direction, status) = (Some(Direction::Outbound), Some(CallStatus::Answered));
    let record = CallRecord { direction, status, lead_id: Some(lead), ..CallRecord::default() };
    let call = app.store.create_call(record, &audit_context(app)).await.unwrap().id;
    let body = stream::iter([Ok::<_, ServiceError>(Bytes::from_static(SPEECH))]);
    recordings::upload(app, call, body, &audit_context(app)).await.unwrap();
    call
}

/// Submits a call to speech recognition.
pub async fn submit_call(app: &App, token: TokenId, call: CallId) {
    let text = json!({ "call_ids": [call], "languages": ["en"], "recording_side": "both" }).to_string();
    let request = SubmissionRequest { text: &text, owner: SubmissionOwner::Token(token), dry_run: false };
    let submitted = call_submission::submit(app, &request, &audit_context(app)).await.unwrap();
    let outcome = &submitted.results.calls[&call];
    assert!(matches!(outcome, CallOutcome::Accepted { .. }), "{outcome:?}");
}

/// Completes the transcription that has waited longest, with an empty transcript.
pub async fn complete_next_transcription(app: &App) {
    let claimed = app
        .store
        .claim_transcription(TimeDelta::seconds(30), app.now())
        .await
        .unwrap()
        .expect("a queued transcription");
    let transcript = NewTranscript {
        language: None,
        duration: 11.0,
        segments: Vec::new(),
        sides: Vec::new(),
        dropped: Vec::new(),
        redactions: 0,
        engine: SpeechEngine { name: "scripted".to_owned(), model: "test".to_owned() },
    };
    let completed = app.store.complete_transcription(claimed.claim, &transcript, app.now()).await.unwrap();
    assert_eq!(completed, FencedWrite::Done);
}

/// Response of the scripted recognizer.
pub type RecognizerResponse = fn() -> Result<(), RecognizeError>;

/// A recognizer with scripted responses; afterwards it returns words.
#[derive(Debug, Default)]
pub struct ScriptedRecognizer(Mutex<VecDeque<RecognizerResponse>>);

impl ScriptedRecognizer {
    /// Creates a provider whose recognizer is available immediately.
    pub fn provider(responses: &[RecognizerResponse]) -> RecognizerProvider {
        let scripted: Arc<dyn Recognizer> = Arc::new(Self(Mutex::new(responses.iter().copied().collect())));
        RecognizerProvider::lazy(move || Ok(Arc::clone(&scripted)))
    }
}

#[async_trait]
impl Recognizer for ScriptedRecognizer {
    fn engine(&self) -> SpeechEngine {
        SpeechEngine { name: "scripted".to_owned(), model: "test".to_owned() }
    }

    async fn detect_language(&self, _: Samples, permitted: &[String]) -> Result<DetectedLanguage, RecognizeError> {
        Ok(DetectedLanguage { language: permitted[0].clone(), confidence: 1.0 })
    }

    async fn recognize(&self, _: Samples, _: &str) -> Result<Vec<RecognizedSegment>, RecognizeError> {
        let response = self.0.lock().unwrap().pop_front();
        if let Some(response) = response {
            response()?;
        }
        let word = Word { word: "words".to_owned(), start: 0.0, end: 1.0, confidence: 1.0 };
        let (text, words) = ("words".to_owned(), vec![word]);
        Ok(vec![RecognizedSegment { start: 0.0, end: 1.0, text, confidence: 1.0, words }])
    }
}
