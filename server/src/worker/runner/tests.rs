//! The runner with a queue in memory. Tokio's paused time advances whenever all tasks are idle.

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::clock::Clock;
use crate::storage::{ClockStore, CorrectedTimes};
use crate::worker::testing::{PausedClock, never, stop};

/// Response of a store, by the second of the call.
type Answer = fn(i64) -> Result<ByClaim, StoreError>;

/// A queue that logs its calls.
#[derive(Debug)]
struct Fake {
    clock: Arc<PausedClock>,
    /// Entries: name, and duration of the work in seconds; `None` if it panics.
    waiting: Mutex<VecDeque<(&'static str, Option<u64>)>>,
    log: Mutex<Vec<String>>,
    extended: Answer,
    finished: Answer,
    ready: AtomicBool,
    bell: Notify,
    patience: Duration,
}

fn done(_second: i64) -> Result<ByClaim, StoreError> {
    Ok(ByClaim::Done)
}

fn unavailable() -> StoreError {
    StoreError::Unavailable(Box::new(io::Error::other("the disk is away")))
}

impl Fake {
    fn with(entries: &[(&'static str, Option<u64>)]) -> Self {
        Self {
            clock: Arc::new(PausedClock::at("2026-05-01T09:30:00Z".parse().unwrap())),
            waiting: Mutex::new(entries.iter().copied().collect()),
            log: Mutex::default(),
            extended: done,
            finished: done,
            ready: AtomicBool::new(true),
            bell: Notify::new(),
            patience: Duration::ZERO,
        }
    }

    fn note_down(&self, what: impl std::fmt::Display) {
        self.log.lock().unwrap().push(format!("{} s: {what}", self.clock.seconds()));
    }

    fn log(&self) -> Vec<String> {
        std::mem::take(&mut *self.log.lock().unwrap())
    }
}

#[async_trait]
impl Queue for Arc<Fake> {
    type Entry = (&'static str, Option<u64>);
    type Outcome = &'static str;

    fn bell(&self) -> &Notify {
        &self.bell
    }

    async fn is_ready(&self) -> bool {
        self.ready.load(Ordering::SeqCst)
    }

    async fn claim(&self, _lease: TimeDelta, _now: Timestamp) -> Result<Option<Self::Entry>, StoreError> {
        let claimed = self.waiting.lock().unwrap().pop_front();
        if let Some((name, _)) = claimed {
            self.note_down(format!("claim {name}"));
        }
        Ok(claimed)
    }

    async fn extend(&self, (name, _): &Self::Entry, until: Timestamp) -> Result<ByClaim, StoreError> {
        self.note_down(format!("extend {name} by {} s", (until - self.clock.now()).num_seconds()));
        (self.extended)(self.clock.seconds())
    }

    async fn work(&self, (_, seconds): &Self::Entry) -> Self::Outcome {
        tokio::time::sleep(Duration::from_secs(seconds.expect("work that doesn't panic"))).await;
        "worked"
    }

    fn broken_off(&self, _entry: &Self::Entry) -> Self::Outcome {
        "panicked"
    }

    async fn finish(
        &self,
        (name, _): &Self::Entry,
        outcome: &Self::Outcome,
        _: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        self.note_down(format!("finish {name}: {outcome}"));
        (self.finished)(self.clock.seconds())
    }

    async fn release(&self, (name, _): &Self::Entry, _now: Timestamp) -> Result<ByClaim, StoreError> {
        self.note_down(format!("release {name}"));
        Ok(ByClaim::Done)
    }

    fn patience(&self) -> Duration {
        self.patience
    }

    fn store_failed(&self, _deed: &str, _error: &StoreError) {}

    fn note(&self, (name, _): &Self::Entry, end: End<'_, Self::Outcome>) {
        self.note_down(format!("{name} ended: {end:?}"));
    }
}

#[async_trait]
impl ClockStore for Fake {
    async fn correct_times(&self, expected: Timestamp, now: Timestamp) -> Result<CorrectedTimes, StoreError> {
        if expected != now {
            self.note_down(format!("the clock is off by {} s", (now - expected).num_seconds()));
        }
        Ok(CorrectedTimes::default())
    }
}

fn runner(fake: &Arc<Fake>, slots: usize) -> Runner<Arc<Fake>> {
    let clock = Arc::new(ClockWatch::new(fake.clock.clone(), fake.clone()));
    Runner { queue: fake.clone(), slots, lease: TimeDelta::seconds(30), clock }
}

/// Works on a queue for this many seconds, with a lease of 30 s. Returns the log.
async fn run(fake: Fake, slots: usize, seconds: u64) -> Vec<String> {
    let fake = Arc::new(fake);
    let killed = tokio::time::timeout(Duration::from_secs(seconds), runner(&fake, slots).run(never())).await;
    assert!(killed.is_err(), "a runner runs until it is stopped");
    fake.log()
}

#[tokio::test(start_paused = true)]
async fn each_slot_works_on_one_entry_at_a_time() {
    let entries = [("a", Some(1)), ("b", Some(3)), ("c", Some(1))];
    assert_eq!(
        run(Fake::with(&entries), 2, 10).await,
        [
            "0 s: claim a",
            "0 s: claim b",
            "1 s: finish a: worked",
            "1 s: a ended: Finished(\"worked\")",
            "1 s: claim c",
            "2 s: finish c: worked",
            "2 s: c ended: Finished(\"worked\")",
            "3 s: finish b: worked",
            "3 s: b ended: Finished(\"worked\")",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn heartbeat_extends_lease_after_each_third() {
    assert_eq!(
        run(Fake::with(&[("a", Some(25))]), 1, 40).await,
        [
            "0 s: claim a",
            "10 s: extend a by 30 s",
            "20 s: extend a by 30 s",
            "25 s: finish a: worked",
            "25 s: a ended: Finished(\"worked\")",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn lost_claim_drops_work_without_writing() {
    let fake = Fake { extended: |_| Ok(ByClaim::Lost), ..Fake::with(&[("a", Some(15)), ("b", Some(1))]) };
    assert_eq!(
        run(fake, 1, 40).await,
        [
            "0 s: claim a",
            "10 s: extend a by 30 s",
            "10 s: a ended: Lost",
            "10 s: claim b",
            "11 s: finish b: worked",
            "11 s: b ended: Finished(\"worked\")",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn brief_store_failures_are_retried() {
    let fails_until_13 = |second| if second < 13 { Err(unavailable()) } else { Ok(ByClaim::Done) };
    let fake = Fake { extended: fails_until_13, ..Fake::with(&[("a", Some(15))]) };
    assert_eq!(
        run(fake, 1, 40).await,
        [
            "0 s: claim a",
            "10 s: extend a by 30 s",
            "11 s: extend a by 30 s",
            "12 s: extend a by 30 s",
            "13 s: extend a by 30 s",
            "15 s: finish a: worked",
            "15 s: a ended: Finished(\"worked\")",
        ]
    );

    let fails_until_7 = |second| if second < 7 { Err(unavailable()) } else { Ok(ByClaim::Done) };
    let fake = Fake { finished: fails_until_7, ..Fake::with(&[("a", Some(5))]) };
    assert_eq!(
        run(fake, 1, 40).await,
        [
            "0 s: claim a",
            "5 s: finish a: worked",
            "6 s: finish a: worked",
            "7 s: finish a: worked",
            "7 s: a ended: Finished(\"worked\")",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn long_store_failure_loses_the_claim() {
    let fake = Fake { extended: |_| Err(unavailable()), ..Fake::with(&[("a", Some(100))]) };
    let log = run(fake, 1, 60).await;
    assert_eq!(log.last().unwrap(), "30 s: a ended: Lost");
    assert!(!log.iter().any(|line| line.contains("finish")), "{log:?}");

    let fake = Fake { finished: |_| Err(unavailable()), ..Fake::with(&[("a", Some(5))]) };
    assert_eq!(run(fake, 1, 60).await.last().unwrap(), "30 s: a ended: Lost");
}

/// Response of a store that has committed, by the second of the call.
fn answer_lost(second: i64) -> Result<ByClaim, StoreError> {
    match second {
        5 => Err(StoreError::CommitUnknown("the connection was closed".into())),
        6 => Err(unavailable()),
        _ => Ok(ByClaim::Lost),
    }
}

#[tokio::test(start_paused = true)]
async fn lost_commit_response_is_reported_as_unknown() {
    let fake = Fake { finished: answer_lost, ..Fake::with(&[("a", Some(5))]) };
    let asked = ["0 s: claim a", "5 s: finish a: worked", "6 s: finish a: worked", "7 s: finish a: worked"];
    assert_eq!(run(fake, 1, 40).await, [&asked[..], &["7 s: a ended: Unknown"]].concat());

    // The lease expires before the store responds again.
    let fake = Fake { finished: |second| answer_lost(second.min(6)), ..Fake::with(&[("a", Some(5))]) };
    assert_eq!(run(fake, 1, 60).await.last().unwrap(), "30 s: a ended: Unknown");

    // The first write was lost; the retry succeeds.
    let not_written = |second| if second < 7 { answer_lost(second) } else { Ok(ByClaim::Done) };
    let fake = Fake { finished: not_written, ..Fake::with(&[("a", Some(5))]) };
    assert_eq!(run(fake, 1, 40).await.last().unwrap(), "7 s: a ended: Finished(\"worked\")");
}

#[tokio::test(start_paused = true)]
async fn panic_is_an_outcome_and_work_continues() {
    assert_eq!(
        run(Fake::with(&[("a", None), ("b", Some(1))]), 1, 10).await,
        [
            "0 s: claim a",
            "0 s: finish a: panicked",
            "0 s: a ended: Finished(\"panicked\")",
            "0 s: claim b",
            "1 s: finish b: worked",
            "1 s: b ended: Finished(\"worked\")",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn stopping_worker_releases_entries_and_claims_no_more() {
    let entries = [("a", Some(15)), ("b", Some(1))];
    let fake = Arc::new(Fake::with(&entries));
    let (sender, stop) = stop();
    let running = tokio::spawn(runner(&fake, 1).run(stop));
    tokio::time::sleep(Duration::from_secs(3)).await;
    drop(sender);
    running.await.unwrap();
    assert_eq!(fake.log(), ["0 s: claim a", "3 s: release a", "3 s: a ended: Released"]);
}

#[tokio::test(start_paused = true)]
async fn work_may_finish_within_patience_after_stop() {
    for (patience, expected) in [
        (
            20,
            ["0 s: claim a", "10 s: extend a by 30 s", "15 s: finish a: worked", "15 s: a ended: Finished(\"worked\")"],
        ),
        (11, ["0 s: claim a", "10 s: extend a by 30 s", "14 s: release a", "14 s: a ended: Released"]),
    ] {
        let fake = Fake { patience: Duration::from_secs(patience), ..Fake::with(&[("a", Some(15))]) };
        let fake = Arc::new(fake);
        let (sender, stop) = stop();
        let running = tokio::spawn(runner(&fake, 1).run(stop));
        tokio::time::sleep(Duration::from_secs(3)).await;
        drop(sender);
        running.await.unwrap();
        assert_eq!(fake.log(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn idle_worker_reacts_to_notifier_and_polls() {
    let fake = Arc::new(Fake::with(&[]));
    let running = tokio::spawn(runner(&fake, 1).run(never()));
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let rung = tokio::time::Instant::now();
    fake.waiting.lock().unwrap().push_back(("rung for", Some(0)));
    fake.bell.notify_one();
    while !fake.waiting.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(rung.elapsed(), Duration::ZERO);
    fake.waiting.lock().unwrap().push_back(("found", Some(0)));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(fake.waiting.lock().unwrap().is_empty());
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn claims_nothing_before_work_is_possible() {
    let fake = Arc::new(Fake::with(&[("a", Some(0))]));
    fake.ready.store(false, Ordering::SeqCst);
    let running = tokio::spawn(runner(&fake, 1).run(never()));
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(fake.log(), Vec::<String>::new());
    fake.ready.store(true, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(fake.log()[0].ends_with("claim a"));
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn clock_steps_are_corrected_before_claims() {
    let fake = Arc::new(Fake::with(&[]));
    let running = tokio::spawn(runner(&fake, 1).run(never()));
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    for seconds in [3_600, -7_200, 1] {
        fake.clock.set(seconds);
        fake.waiting.lock().unwrap().push_back(("a", Some(0)));
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    running.abort();
    let claims = ["claim a", "finish a: worked", "a ended: Finished(\"worked\")"];
    let log: Vec<_> = fake.log().into_iter().map(|line| line.split_once(": ").unwrap().1.to_owned()).collect();
    let expected = [&["the clock is off by 3600 s"][..], &claims, &["the clock is off by -7200 s"], &claims, &claims];
    assert_eq!(log, expected.concat());
}

#[tokio::test(start_paused = true)]
async fn clock_steps_do_not_end_held_leases() {
    // The clock is changed during an outage of the store.
    let fails_until_17 = |second| if second < 17 { Err(unavailable()) } else { Ok(ByClaim::Done) };
    for seconds in [3_600, -3_600] {
        let fake = Arc::new(Fake { extended: fails_until_17, ..Fake::with(&[("a", Some(20))]) });
        let running = tokio::spawn(runner(&fake, 1).run(never()));
        tokio::time::sleep(Duration::from_millis(12_500)).await;
        fake.clock.set(seconds);
        tokio::time::sleep(Duration::from_secs(10)).await;
        running.abort();
        let log = fake.log();
        assert!(log.contains(&"20 s: a ended: Finished(\"worked\")".to_owned()), "{log:?}");
    }
}
