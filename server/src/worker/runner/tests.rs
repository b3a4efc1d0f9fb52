//! The runner with a queue in memory. Tokio's paused time advances whenever all tasks are idle.

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::clock::Clock;
use crate::storage::{ClockStore, CorrectedTimes};
use crate::worker::testing::{PausedClock, never_stop, stop_signal};

/// Response of a store, by the second of the call.
type FakeResponse = fn(i64) -> Result<FencedWrite, StoreError>;

/// A queue that logs its calls.
#[derive(Debug)]
struct FakeQueue {
    clock: Arc<PausedClock>,
    /// Entries: name, and duration of the work in seconds; `None` if it panics.
    waiting: Mutex<VecDeque<(&'static str, Option<u64>)>>,
    log: Mutex<Vec<String>>,
    extend_response: FakeResponse,
    finish_response: FakeResponse,
    is_ready: AtomicBool,
    notifier: Notify,
    stop_timeout: Duration,
}

fn succeed(_second: i64) -> Result<FencedWrite, StoreError> {
    Ok(FencedWrite::Done)
}

fn unavailable() -> StoreError {
    StoreError::Unavailable(Box::new(io::Error::other("the disk is disconnected")))
}

impl FakeQueue {
    fn new(entries: &[(&'static str, Option<u64>)]) -> Self {
        Self {
            clock: Arc::new(PausedClock::at("2026-05-01T09:30:00Z".parse().unwrap())),
            waiting: Mutex::new(entries.iter().copied().collect()),
            log: Mutex::default(),
            extend_response: succeed,
            finish_response: succeed,
            is_ready: AtomicBool::new(true),
            notifier: Notify::new(),
            stop_timeout: Duration::ZERO,
        }
    }

    fn push_log(&self, entry: impl std::fmt::Display) {
        self.log.lock().unwrap().push(format!("{} s: {entry}", self.clock.seconds()));
    }

    fn take_log(&self) -> Vec<String> {
        std::mem::take(&mut *self.log.lock().unwrap())
    }
}

#[async_trait]
impl Queue for Arc<FakeQueue> {
    type Entry = (&'static str, Option<u64>);
    type Outcome = &'static str;

    fn notifier(&self) -> &Notify {
        &self.notifier
    }

    async fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::SeqCst)
    }

    async fn claim(&self, _lease: TimeDelta, _now: Timestamp) -> Result<Option<Self::Entry>, StoreError> {
        let claimed = self.waiting.lock().unwrap().pop_front();
        if let Some((name, _)) = claimed {
            self.push_log(format!("claim {name}"));
        }
        Ok(claimed)
    }

    async fn extend(&self, (name, _): &Self::Entry, until: Timestamp) -> Result<FencedWrite, StoreError> {
        self.push_log(format!("extend {name} by {} s", (until - self.clock.now()).num_seconds()));
        (self.extend_response)(self.clock.seconds())
    }

    async fn work(&self, (_, seconds): &Self::Entry) -> Self::Outcome {
        tokio::time::sleep(Duration::from_secs(seconds.expect("work that doesn't panic"))).await;
        "worked"
    }

    fn panic_outcome(&self, _entry: &Self::Entry) -> Self::Outcome {
        "panicked"
    }

    async fn finish(
        &self,
        (name, _): &Self::Entry,
        outcome: &Self::Outcome,
        _: Timestamp,
    ) -> Result<FencedWrite, StoreError> {
        self.push_log(format!("finish {name}: {outcome}"));
        (self.finish_response)(self.clock.seconds())
    }

    async fn release(&self, (name, _): &Self::Entry, _now: Timestamp) -> Result<FencedWrite, StoreError> {
        self.push_log(format!("release {name}"));
        Ok(FencedWrite::Done)
    }

    fn stop_timeout(&self) -> Duration {
        self.stop_timeout
    }

    fn report_store_failure(&self, _operation: &str, _error: &StoreError) {}

    fn record_end(&self, (name, _): &Self::Entry, end: WorkEnd<'_, Self::Outcome>) {
        self.push_log(format!("{name} ended: {end:?}"));
    }
}

#[async_trait]
impl ClockStore for FakeQueue {
    async fn correct_times(&self, expected: Timestamp, now: Timestamp) -> Result<CorrectedTimes, StoreError> {
        if expected != now {
            self.push_log(format!("the clock is off by {} s", (now - expected).num_seconds()));
        }
        Ok(CorrectedTimes::default())
    }
}

fn runner(fake: &Arc<FakeQueue>, slots: usize) -> Runner<Arc<FakeQueue>> {
    let clock = Arc::new(ClockWatch::new(fake.clock.clone(), fake.clone()));
    Runner { queue: fake.clone(), slots, lease: TimeDelta::seconds(30), clock }
}

/// Works on a queue for this many seconds, with a lease of 30 s. Returns the log.
async fn run(fake: FakeQueue, slots: usize, seconds: u64) -> Vec<String> {
    let fake = Arc::new(fake);
    let timeout_result =
        tokio::time::timeout(Duration::from_secs(seconds), runner(&fake, slots).run(never_stop())).await;
    assert!(timeout_result.is_err(), "a runner runs until it is stopped");
    fake.take_log()
}

#[tokio::test(start_paused = true)]
async fn each_slot_works_on_one_entry_at_a_time() {
    let entries = [("a", Some(1)), ("b", Some(3)), ("c", Some(1))];
    assert_eq!(
        run(FakeQueue::new(&entries), 2, 10).await,
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
        run(FakeQueue::new(&[("a", Some(25))]), 1, 40).await,
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
    let fake = FakeQueue {
        extend_response: |_| Ok(FencedWrite::ClaimLost),
        ..FakeQueue::new(&[("a", Some(15)), ("b", Some(1))])
    };
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
    let fails_until_13 = |second| if second < 13 { Err(unavailable()) } else { Ok(FencedWrite::Done) };
    let fake = FakeQueue { extend_response: fails_until_13, ..FakeQueue::new(&[("a", Some(15))]) };
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

    let fails_until_7 = |second| if second < 7 { Err(unavailable()) } else { Ok(FencedWrite::Done) };
    let fake = FakeQueue { finish_response: fails_until_7, ..FakeQueue::new(&[("a", Some(5))]) };
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
    let fake = FakeQueue { extend_response: |_| Err(unavailable()), ..FakeQueue::new(&[("a", Some(100))]) };
    let log = run(fake, 1, 60).await;
    assert_eq!(log.last().unwrap(), "30 s: a ended: Lost");
    assert!(!log.iter().any(|line| line.contains("finish")), "{log:?}");

    let fake = FakeQueue { finish_response: |_| Err(unavailable()), ..FakeQueue::new(&[("a", Some(5))]) };
    assert_eq!(run(fake, 1, 60).await.last().unwrap(), "30 s: a ended: Lost");
}

/// Response of a store that has committed, by the second of the call.
fn lose_response(second: i64) -> Result<FencedWrite, StoreError> {
    match second {
        5 => Err(StoreError::CommitUnknown("the connection was closed".into())),
        6 => Err(unavailable()),
        _ => Ok(FencedWrite::ClaimLost),
    }
}

#[tokio::test(start_paused = true)]
async fn lost_commit_response_is_reported_as_unknown() {
    let fake = FakeQueue { finish_response: lose_response, ..FakeQueue::new(&[("a", Some(5))]) };
    let calls = ["0 s: claim a", "5 s: finish a: worked", "6 s: finish a: worked", "7 s: finish a: worked"];
    assert_eq!(run(fake, 1, 40).await, [&calls[..], &["7 s: a ended: Unknown"]].concat());

    // The lease expires before the store responds again.
    let fake =
        FakeQueue { finish_response: |second| lose_response(second.min(6)), ..FakeQueue::new(&[("a", Some(5))]) };
    assert_eq!(run(fake, 1, 60).await.last().unwrap(), "30 s: a ended: Unknown");

    // The first write was lost; the retry succeeds.
    let not_written = |second| if second < 7 { lose_response(second) } else { Ok(FencedWrite::Done) };
    let fake = FakeQueue { finish_response: not_written, ..FakeQueue::new(&[("a", Some(5))]) };
    assert_eq!(run(fake, 1, 40).await.last().unwrap(), "7 s: a ended: Finished(\"worked\")");
}

#[tokio::test(start_paused = true)]
async fn panic_is_an_outcome_and_work_continues() {
    assert_eq!(
        run(FakeQueue::new(&[("a", None), ("b", Some(1))]), 1, 10).await,
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
    let fake = Arc::new(FakeQueue::new(&entries));
    let (sender, stop) = stop_signal();
    let running = tokio::spawn(runner(&fake, 1).run(stop));
    tokio::time::sleep(Duration::from_secs(3)).await;
    drop(sender);
    running.await.unwrap();
    assert_eq!(fake.take_log(), ["0 s: claim a", "3 s: release a", "3 s: a ended: Released"]);
}

#[tokio::test(start_paused = true)]
async fn work_may_finish_within_timeout_after_stop() {
    for (stop_timeout, expected) in [
        (
            20,
            ["0 s: claim a", "10 s: extend a by 30 s", "15 s: finish a: worked", "15 s: a ended: Finished(\"worked\")"],
        ),
        (11, ["0 s: claim a", "10 s: extend a by 30 s", "14 s: release a", "14 s: a ended: Released"]),
    ] {
        let fake = FakeQueue { stop_timeout: Duration::from_secs(stop_timeout), ..FakeQueue::new(&[("a", Some(15))]) };
        let fake = Arc::new(fake);
        let (sender, stop) = stop_signal();
        let running = tokio::spawn(runner(&fake, 1).run(stop));
        tokio::time::sleep(Duration::from_secs(3)).await;
        drop(sender);
        running.await.unwrap();
        assert_eq!(fake.take_log(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn idle_worker_reacts_to_notifier_and_polls() {
    let fake = Arc::new(FakeQueue::new(&[]));
    let running = tokio::spawn(runner(&fake, 1).run(never_stop()));
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let notified_at = tokio::time::Instant::now();
    fake.waiting.lock().unwrap().push_back(("notified", Some(0)));
    fake.notifier.notify_one();
    while !fake.waiting.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(notified_at.elapsed(), Duration::ZERO);
    fake.waiting.lock().unwrap().push_back(("polled", Some(0)));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(fake.waiting.lock().unwrap().is_empty());
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn claims_nothing_before_work_is_possible() {
    let fake = Arc::new(FakeQueue::new(&[("a", Some(0))]));
    fake.is_ready.store(false, Ordering::SeqCst);
    let running = tokio::spawn(runner(&fake, 1).run(never_stop()));
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(fake.take_log(), Vec::<String>::new());
    fake.is_ready.store(true, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(fake.take_log()[0].ends_with("claim a"));
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn clock_steps_are_corrected_before_claims() {
    let fake = Arc::new(FakeQueue::new(&[]));
    let running = tokio::spawn(runner(&fake, 1).run(never_stop()));
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    for seconds in [3_600, -7_200, 1] {
        fake.clock.shift(seconds);
        fake.waiting.lock().unwrap().push_back(("a", Some(0)));
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    running.abort();
    let claims = ["claim a", "finish a: worked", "a ended: Finished(\"worked\")"];
    let log: Vec<_> = fake.take_log().into_iter().map(|line| line.split_once(": ").unwrap().1.to_owned()).collect();
    let expected = [&["the clock is off by 3600 s"][..], &claims, &["the clock is off by -7200 s"], &claims, &claims];
    assert_eq!(log, expected.concat());
}

#[tokio::test(start_paused = true)]
async fn clock_steps_do_not_end_held_leases() {
    // The clock is changed during an outage of the store.
    let fails_until_17 = |second| if second < 17 { Err(unavailable()) } else { Ok(FencedWrite::Done) };
    for seconds in [3_600, -3_600] {
        let fake = Arc::new(FakeQueue { extend_response: fails_until_17, ..FakeQueue::new(&[("a", Some(20))]) });
        let running = tokio::spawn(runner(&fake, 1).run(never_stop()));
        tokio::time::sleep(Duration::from_millis(12_500)).await;
        fake.clock.shift(seconds);
        tokio::time::sleep(Duration::from_secs(10)).await;
        running.abort();
        let log = fake.take_log();
        assert!(log.contains(&"20 s: a ended: Finished(\"worked\")".to_owned()), "{log:?}");
    }
}
