//! Takes entries of a queue and works on them, several at once, as long as the process runs.
//!
//! Each entry is held by a lease. While the work goes on, a heartbeat extends it; when it is lost nevertheless, because
//! this process or its store stood still for too long, the work is dropped and nothing is written. A worker that is
//! killed gives no sign of life, so another takes its entries when their leases end. A worker that is told to stop
//! gives them back at once.
//!
//! Times in the store come from the system clock. Pauses, and when a lease ends that this process holds, come from the
//! monotonic clock. Tests control both.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use leadscribe_engine::api::Timestamp;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::clock_watch::ClockWatch;
use crate::storage::{ByClaim, StoreError};

/// How long an idle worker waits before it looks again. The bell is heard only by workers of the process that rings it,
/// and entries become due without one.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Pause after the store failed.
const STORE_PAUSE: Duration = Duration::from_secs(1);

/// Completes when the process is told to stop.
pub type Stop = Shared<BoxFuture<'static, ()>>;

/// A queue and what is done with its entries.
#[async_trait]
pub trait Queue: Send + Sync + 'static {
    /// A claimed entry.
    type Entry: Send + Sync;
    /// What came of the work on one.
    type Outcome: Send + Sync;

    /// Rung when there may be work.
    fn bell(&self) -> &Notify;
    /// Whether work can be done now; nothing is claimed before. May take long: a stop ends it.
    async fn is_ready(&self) -> bool;
    /// Claims the next entry for so long.
    async fn claim(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<Self::Entry>, StoreError>;
    /// Moves the end of the lease.
    async fn extend(&self, entry: &Self::Entry, until: Timestamp) -> Result<ByClaim, StoreError>;
    /// Does the work. Writes nothing that [`Queue::finish`] could not take back: it may be dropped at any time.
    async fn work(&self, entry: &Self::Entry) -> Self::Outcome;
    /// What comes of work that panicked.
    fn broken_off(&self, entry: &Self::Entry) -> Self::Outcome;
    /// Writes what came of the work.
    async fn finish(&self, entry: &Self::Entry, outcome: &Self::Outcome, now: Timestamp)
    -> Result<ByClaim, StoreError>;
    /// Gives the entry back as if it had not been claimed.
    async fn release(&self, entry: &Self::Entry, now: Timestamp) -> Result<ByClaim, StoreError>;
    /// How long work may go on after the process was told to stop.
    fn patience(&self) -> Duration;
    /// Notes that the store failed, which was to `deed` ("look for work").
    fn store_failed(&self, deed: &str, error: &StoreError);
    /// Logs and counts how the work on an entry ended.
    fn note(&self, entry: &Self::Entry, end: End<'_, Self::Outcome>);
}

/// How the work on an entry ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End<'a, Outcome> {
    /// With this, which is written.
    Finished(&'a Outcome),
    /// The claim was lost, or the store failed for longer than the lease: nothing is written.
    Lost,
    /// The answer to a commit was lost, and the claim is no longer held: what came of the work may be written, or the work
    /// was given to another worker.
    Unknown,
    /// The process stops; the entry was given back.
    Released,
}

/// Works on the entries of a queue.
#[derive(Debug)]
pub struct Runner<Q> {
    /// The queue.
    pub queue: Q,
    /// How many entries are worked on at once, 1 or more.
    pub slots: usize,
    /// How long an entry belongs to a worker that gives no sign of life.
    pub lease: TimeDelta,
    /// The time.
    pub clock: Arc<ClockWatch>,
}

impl<Q: Queue> Runner<Q> {
    /// Works until `stop`, and then until no work is under way. Dropping it is as if the process were killed.
    pub async fn run(self, stop: Stop) {
        let runner = Arc::new(self);
        let mut running = JoinSet::new();
        loop {
            while running.try_join_next().is_some() {}
            // A claim that was begun is waited for: it may be written, and then the entry must be given back.
            let claimed = tokio::select! {
                biased;
                () = stop.clone() => break,
                ready = runner.has_room(&mut running) => if ready { runner.claim().await } else { None },
            };
            match claimed {
                Some((entry, until)) => {
                    let (runner, stop) = (Arc::clone(&runner), stop.clone());
                    running.spawn(async move { runner.work_on(entry, until, stop).await });
                }
                None => tokio::select! {
                    () = stop.clone() => break,
                    () = runner.queue.bell().notified() => {}
                    () = tokio::time::sleep(LOOK_AGAIN) => {}
                },
            }
        }
        while running.join_next().await.is_some() {}
    }

    /// Waits until a slot is free, and says whether work can be done.
    async fn has_room(&self, running: &mut JoinSet<()>) -> bool {
        while running.len() >= self.slots {
            running.join_next().await;
        }
        self.queue.is_ready().await
    }

    /// Claims the next entry; returns it and when its lease ends. The failure of a store is noted, and waited out.
    async fn claim(&self) -> Option<(Q::Entry, Instant)> {
        let until = self.lease_end();
        let claimed = async { self.queue.claim(self.lease, self.clock.checked_now().await?).await };
        match claimed.await {
            Ok(entry) => entry.map(|entry| (entry, until)),
            Err(error) => {
                self.queue.store_failed("look for work", &error);
                None
            }
        }
    }

    /// End of a lease that begins now, by the clock that is never set.
    fn lease_end(&self) -> Instant {
        Instant::now() + self.lease.to_std().unwrap_or_default()
    }

    async fn work_on(&self, entry: Q::Entry, mut until: Instant, stop: Stop) {
        let work = AssertUnwindSafe(self.queue.work(&entry)).catch_unwind();
        let stopping = async {
            stop.await;
            tokio::time::sleep(self.queue.patience()).await;
        };
        tokio::select! {
            biased;
            outcome = work => {
                let outcome = outcome.unwrap_or_else(|_| self.queue.broken_off(&entry));
                self.finish(&entry, &outcome, until).await;
            }
            () = self.hold(&entry, &mut until) => self.queue.note(&entry, End::Lost),
            () = stopping => self.release(&entry).await,
        }
        // Others may have had to wait for this one.
        self.queue.bell().notify_one();
    }

    /// Extends the lease again and again; ends when it is lost.
    async fn hold(&self, entry: &Q::Entry, until: &mut Instant) {
        let third = (self.lease / 3).to_std().unwrap_or_default();
        let mut pause = third;
        loop {
            tokio::time::sleep(pause).await;
            let next = self.lease_end();
            pause = match self.queue.extend(entry, self.clock.now() + self.lease).await {
                Ok(ByClaim::Done) => {
                    *until = next;
                    third
                }
                Ok(ByClaim::Lost) => return,
                Err(error) => {
                    self.queue.store_failed("extend a lease", &error);
                    if Instant::now() >= *until {
                        return;
                    }
                    STORE_PAUSE.min(third)
                }
            };
        }
    }

    /// Writes what came of the work, for as long as the lease lasts: it may have cost much, and a store may be
    /// unavailable for a moment.
    async fn finish(&self, entry: &Q::Entry, outcome: &Q::Outcome, until: Instant) {
        let mut lost = End::Lost;
        let end = loop {
            match self.queue.finish(entry, outcome, self.clock.now()).await {
                Ok(ByClaim::Done) => break End::Finished(outcome),
                Ok(ByClaim::Lost) => break lost,
                Err(error) => {
                    if matches!(error, StoreError::CommitUnknown(_)) {
                        lost = End::Unknown;
                    }
                    self.queue.store_failed("write what came of a job", &error);
                    if Instant::now() >= until {
                        break lost;
                    }
                    tokio::time::sleep(STORE_PAUSE).await;
                }
            }
        };
        self.queue.note(entry, end);
    }

    /// Gives an entry back. When that fails, it is taken by others once its lease has ended.
    async fn release(&self, entry: &Q::Entry) {
        match self.queue.release(entry, self.clock.now()).await {
            Ok(ByClaim::Done) => self.queue.note(entry, End::Released),
            Ok(ByClaim::Lost) => self.queue.note(entry, End::Lost),
            Err(error) => self.queue.store_failed("give back a job", &error),
        }
    }
}

#[cfg(test)]
mod tests;
