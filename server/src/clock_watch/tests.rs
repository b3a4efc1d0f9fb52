//! Detection of clock steps. Uses Tokio's paused time, which advances automatically when all tasks are idle.

use std::io;
use std::sync::Mutex;

use async_trait::async_trait;
use leadscribe_engine::api::Role;
use leadscribe_engine::diagnostic::work;

use super::*;
use crate::clock::MockClock;
use crate::service::app::App;
use crate::storage::{Browser, FencedWrite, NewSession, SecretHash};
use crate::worker::testing::{
    PausedClock, TestInstallation, audit_context, create_recorded_call, create_token, submit_call,
};

/// Records the requested corrections in seconds; negative if the clock was set back.
#[derive(Debug, Default)]
struct FakeStore {
    steps: Mutex<Vec<i64>>,
    is_failing: Mutex<bool>,
}

#[async_trait]
impl ClockStore for FakeStore {
    async fn correct_times(&self, expected: Timestamp, now: Timestamp) -> Result<CorrectedTimes, StoreError> {
        if *self.is_failing.lock().unwrap() {
            return Err(StoreError::Unavailable(Box::new(io::Error::other("the disk is away"))));
        }
        self.steps.lock().unwrap().push((now - expected).num_seconds());
        Ok(CorrectedTimes::default())
    }
}

struct TestWatch {
    clock: Arc<PausedClock>,
    store: Arc<FakeStore>,
    watch: ClockWatch,
}

impl TestWatch {
    fn new() -> Self {
        let clock = Arc::new(PausedClock::at("2026-05-01T09:30:00Z".parse().unwrap()));
        let store = Arc::new(FakeStore::default());
        let watch = ClockWatch::new(clock.clone(), store.clone());
        Self { clock, store, watch }
    }

    /// Sets the clock by `step` seconds, compares after `wait_seconds` seconds, and returns the corrections.
    async fn step_clock(&self, step: i64, wait_seconds: u64) -> Vec<i64> {
        self.clock.shift(step);
        sleep(Duration::from_secs(wait_seconds)).await;
        assert_eq!(self.watch.checked_now().await.unwrap(), self.clock.now());
        std::mem::take(&mut *self.store.steps.lock().unwrap())
    }
}

#[tokio::test(start_paused = true)]
async fn steps_over_two_seconds_are_corrected() {
    let test_watch = TestWatch::new();
    for (step, corrections) in [
        (3_600, vec![3_600]),
        (-3_600, vec![-3_600]),
        (2, vec![]),
        (-2, vec![]),
        (3, vec![3]),
        (-3, vec![-3]),
        (30 * 24 * 3_600, vec![30 * 24 * 3_600]),
    ] {
        assert_eq!(test_watch.step_clock(step, 1).await, corrections, "{step}");
    }
}

#[tokio::test(start_paused = true)]
async fn ignores_forward_steps_shorter_than_the_check_gap() {
    let test_watch = TestWatch::new();
    assert_eq!(test_watch.step_clock(10, 10).await, [0_i64; 0]);
    assert_eq!(test_watch.step_clock(11, 10).await, [11]);
    assert_eq!(test_watch.step_clock(-3, 10).await, [-3]);
}

#[tokio::test(start_paused = true)]
async fn suspend_is_not_a_clock_step() {
    let test_watch = TestWatch::new();
    test_watch.clock.suspend(3_600);
    assert_eq!(test_watch.step_clock(0, 1).await, [0_i64; 0]);
    assert_eq!(test_watch.step_clock(3, 1).await, [3]);
}

#[tokio::test(start_paused = true)]
async fn step_is_corrected_once_the_store_is_back() {
    let test_watch = TestWatch::new();
    // The second step is shorter than the outage.
    for seconds in [3_600, 50] {
        *test_watch.store.is_failing.lock().unwrap() = true;
        test_watch.clock.shift(seconds);
        for _ in 0..60 {
            sleep(Duration::from_secs(1)).await;
            test_watch.watch.checked_now().await.unwrap_err();
        }
        *test_watch.store.is_failing.lock().unwrap() = false;
        assert_eq!(test_watch.step_clock(0, 1).await, [seconds]);
        assert_eq!(test_watch.step_clock(0, 1).await, [0_i64; 0]);
    }
}

/// Runs the clock comparison for `seconds` seconds.
async fn run_for(app: &Arc<App>, seconds: u64) {
    tokio::time::timeout(Duration::from_secs(seconds), app.clock_watch.run(&app.outage)).await.unwrap_err();
}

fn start_process() -> (TestInstallation, Arc<App>, Arc<MockClock>) {
    let (installation, app) = TestInstallation::with_app(|_| ());
    let clock = installation.clock.clone();
    (installation, app, clock)
}

#[tokio::test(start_paused = true)]
async fn future_times_are_corrected_at_start() {
    let (_data, app, clock) = start_process();
    let (token, call) = (create_token(&app).await, create_recorded_call(&app).await);
    clock.advance(TimeDelta::days(30));
    submit_call(&app, token, call).await;
    clock.advance(TimeDelta::days(-30));
    run_for(&app, 1).await;
    assert!(app.store.claim_transcription(TimeDelta::seconds(30), app.now()).await.unwrap().is_some());
}

#[tokio::test(start_paused = true)]
async fn session_times_are_corrected_without_a_worker() {
    let (_data, app, clock) = start_process();
    let user = app.store.create_user("ann@example.com", "hash", Role::Admin, &audit_context(&app)).await.unwrap().id;
    let hash: SecretHash = [1; 32];
    let session = NewSession {
        hash,
        csrf_token: "token".to_owned(),
        expires_at: app.now() + TimeDelta::hours(12),
        browser: Browser::default(),
    };
    app.store.create_session(user, "hash", &session, &audit_context(&app)).await.unwrap();
    let is_open = async || app.store.session(hash, app.now(), Timestamp::UNIX_EPOCH).await.unwrap().is_some();
    // Otherwise the clock would be set back to a time before the session.
    clock.advance(TimeDelta::hours(1));
    run_for(&app, 6).await;
    clock.advance(TimeDelta::seconds(-50));
    run_for(&app, 6).await;
    assert!(is_open().await);
    clock.advance(TimeDelta::seconds(-70));
    run_for(&app, 6).await;
    assert!(!is_open().await);
}

#[tokio::test(start_paused = true)]
async fn retry_delays_are_kept_while_no_worker_claims() {
    let (_data, app, clock) = start_process();
    let (token, call) = (create_token(&app).await, create_recorded_call(&app).await);
    submit_call(&app, token, call).await;
    let lease = TimeDelta::seconds(30);
    let claim = app.store.claim_transcription(lease, app.now()).await.unwrap().unwrap().claim;
    let due = app.now() + TimeDelta::minutes(5);
    assert_eq!(
        app.store.retry_transcription(claim, &work::no_recognizer(), due, app.now()).await.unwrap(),
        FencedWrite::Done
    );
    // Longer than the step of the clock, as if all slots of the worker were busy.
    run_for(&app, 1_000).await;
    clock.advance(TimeDelta::minutes(10));
    run_for(&app, 6).await;
    assert_eq!(app.store.claim_transcription(lease, app.now()).await.unwrap(), None);
    clock.advance(TimeDelta::minutes(5));
    assert!(app.store.claim_transcription(lease, app.now()).await.unwrap().is_some());
}
