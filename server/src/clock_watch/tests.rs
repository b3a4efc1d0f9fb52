//! Detection of clock steps. Uses Tokio's paused time, which advances automatically when all tasks are idle.

use std::io;
use std::sync::Mutex;

use async_trait::async_trait;
use leadscribe_engine::api::Role;

use super::*;
use crate::app::App;
use crate::clock::MockClock;
use crate::speech::Provider;
use crate::storage::{Browser, ByClaim, NewSession, SecretHash};
use crate::worker::testing::{Data, PausedClock, by, recorded_call, send, token};

/// Records the requested corrections in seconds; negative if the clock was set back.
#[derive(Debug, Default)]
struct FakeStore {
    steps: Mutex<Vec<i64>>,
    fails: Mutex<bool>,
}

#[async_trait]
impl ClockStore for FakeStore {
    async fn correct_times(&self, expected: Timestamp, now: Timestamp) -> Result<CorrectedTimes, StoreError> {
        if *self.fails.lock().unwrap() {
            return Err(StoreError::Unavailable(Box::new(io::Error::other("the disk is away"))));
        }
        self.steps.lock().unwrap().push((now - expected).num_seconds());
        Ok(CorrectedTimes::default())
    }
}

struct Trial {
    clock: Arc<PausedClock>,
    store: Arc<FakeStore>,
    watch: ClockWatch,
}

impl Trial {
    fn begin() -> Self {
        let clock = Arc::new(PausedClock::at("2026-05-01T09:30:00Z".parse().unwrap()));
        let store = Arc::new(FakeStore::default());
        let watch = ClockWatch::new(clock.clone(), store.clone());
        Self { clock, store, watch }
    }

    /// Sets the clock by `step` seconds, compares after `silence` seconds, and returns the corrections.
    async fn set(&self, step: i64, silence: u64) -> Vec<i64> {
        self.clock.set(step);
        sleep(Duration::from_secs(silence)).await;
        assert_eq!(self.watch.checked_now().await.unwrap(), self.clock.now());
        std::mem::take(&mut *self.store.steps.lock().unwrap())
    }
}

#[tokio::test(start_paused = true)]
async fn steps_over_two_seconds_are_corrected() {
    let trial = Trial::begin();
    for (step, corrections) in [
        (3_600, vec![3_600]),
        (-3_600, vec![-3_600]),
        (2, vec![]),
        (-2, vec![]),
        (3, vec![3]),
        (-3, vec![-3]),
        (30 * 24 * 3_600, vec![30 * 24 * 3_600]),
    ] {
        assert_eq!(trial.set(step, 1).await, corrections, "{step}");
    }
}

#[tokio::test(start_paused = true)]
async fn forward_steps_shorter_than_the_silence_are_left() {
    let trial = Trial::begin();
    assert_eq!(trial.set(10, 10).await, [0_i64; 0]);
    assert_eq!(trial.set(11, 10).await, [11]);
    assert_eq!(trial.set(-3, 10).await, [-3]);
}

#[tokio::test(start_paused = true)]
async fn suspended_machine_is_no_clock_step() {
    let trial = Trial::begin();
    trial.clock.suspend(3_600);
    assert_eq!(trial.set(0, 1).await, [0_i64; 0]);
    assert_eq!(trial.set(3, 1).await, [3]);
}

#[tokio::test(start_paused = true)]
async fn step_is_corrected_once_the_store_is_back() {
    let trial = Trial::begin();
    // The outage is longer than the clock is set by.
    for seconds in [3_600, 50] {
        *trial.store.fails.lock().unwrap() = true;
        trial.clock.set(seconds);
        for _ in 0..60 {
            sleep(Duration::from_secs(1)).await;
            trial.watch.checked_now().await.unwrap_err();
        }
        *trial.store.fails.lock().unwrap() = false;
        assert_eq!(trial.set(0, 1).await, [seconds]);
        assert_eq!(trial.set(0, 1).await, [0_i64; 0]);
    }
}

/// Runs the clock comparison for `seconds` seconds.
async fn run_for(app: &Arc<App>, seconds: u64) {
    tokio::time::timeout(Duration::from_secs(seconds), app.clock_watch.run(&app.outage)).await.unwrap_err();
}

fn process() -> (Data, Arc<App>, Arc<MockClock>) {
    let data = Data::empty(|_| ());
    let app = data.process(Provider::off());
    let clock = data.clock.clone();
    (data, app, clock)
}

#[tokio::test(start_paused = true)]
async fn times_ahead_are_searched_for_at_start() {
    let (_data, app, clock) = process();
    let (token, call) = (token(&app).await, recorded_call(&app).await);
    clock.advance(TimeDelta::days(30));
    send(&app, token, call).await;
    clock.advance(TimeDelta::days(-30));
    run_for(&app, 1).await;
    assert!(app.store.claim_transcription(TimeDelta::seconds(30), app.now()).await.unwrap().is_some());
}

#[tokio::test(start_paused = true)]
async fn sessions_end_without_a_worker() {
    let (_data, app, clock) = process();
    let user = app.store.create_user("ann@example.com", "hash", Role::Admin, &by(&app)).await.unwrap().id;
    let hash: SecretHash = [1; 32];
    let session = NewSession {
        hash,
        csrf_token: "token".to_owned(),
        expires_at: app.now() + TimeDelta::hours(12),
        browser: Browser::default(),
    };
    app.store.create_session(user, "hash", &session, &by(&app)).await.unwrap();
    let is_open = async || app.store.session(hash, app.now(), Timestamp::UNIX_EPOCH).await.unwrap().is_some();
    // The session must also have begun according to the clock that is set back.
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
async fn pauses_are_kept_while_no_worker_claims() {
    let (_data, app, clock) = process();
    let (token, call) = (token(&app).await, recorded_call(&app).await);
    send(&app, token, call).await;
    let lease = TimeDelta::seconds(30);
    let claim = app.store.claim_transcription(lease, app.now()).await.unwrap().unwrap().claim;
    let due = app.now() + TimeDelta::minutes(5);
    assert_eq!(app.store.retry_transcription(claim, &"busy".into(), due, app.now()).await.unwrap(), ByClaim::Done);
    // Longer than the step of the clock, as if all slots of the worker were busy.
    run_for(&app, 1_000).await;
    clock.advance(TimeDelta::minutes(10));
    run_for(&app, 6).await;
    assert_eq!(app.store.claim_transcription(lease, app.now()).await.unwrap(), None);
    clock.advance(TimeDelta::minutes(5));
    assert!(app.store.claim_transcription(lease, app.now()).await.unwrap().is_some());
}
