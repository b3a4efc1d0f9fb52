//! Takes entries of a queue and works on several of them concurrently.
//!
//! Each entry is held by a lease, which a heartbeat extends during the work. If the lease is lost anyway, because this
//! process or its store was stalled for too long, the work is dropped and nothing is written. If a worker is killed, others
//! take its entries when their leases expire. A worker that is stopped releases its entries immediately.
//!
//! Times in the store come from the system clock. Delays and the expiry of held leases use the monotonic clock. Tests
//! control both.

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

/// Interval at which an idle worker checks its queue. The notifier only wakes workers of the same process, and entries
/// become due without it.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Delay after a failure of the store.
const STORE_PAUSE: Duration = Duration::from_secs(1);

/// Completes when the process should stop.
pub type Stop = Shared<BoxFuture<'static, ()>>;

/// A queue and the work on its entries.
#[async_trait]
pub trait Queue: Send + Sync + 'static {
    /// A claimed entry.
    type Entry: Send + Sync;
    /// Result of the work on an entry.
    type Outcome: Send + Sync;

    /// Notified when there may be work.
    fn bell(&self) -> &Notify;
    /// Returns whether work is possible now; otherwise nothing is claimed. May take long; a stop cancels it.
    async fn is_ready(&self) -> bool;
    /// Claims the next entry for the duration of a lease.
    async fn claim(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<Self::Entry>, StoreError>;
    /// Extends the lease.
    async fn extend(&self, entry: &Self::Entry, until: Timestamp) -> Result<ByClaim, StoreError>;
    /// Does the work. May be dropped at any time, so it must not write anything that [`Queue::finish`] couldn't undo.
    async fn work(&self, entry: &Self::Entry) -> Self::Outcome;
    /// Returns the outcome of work that panicked.
    fn broken_off(&self, entry: &Self::Entry) -> Self::Outcome;
    /// Writes the outcome of the work.
    async fn finish(&self, entry: &Self::Entry, outcome: &Self::Outcome, now: Timestamp)
    -> Result<ByClaim, StoreError>;
    /// Releases the entry as if it had not been claimed.
    async fn release(&self, entry: &Self::Entry, now: Timestamp) -> Result<ByClaim, StoreError>;
    /// Maximum time that work may continue after a stop.
    fn patience(&self) -> Duration;
    /// Reports a failure of the store. `deed` says what failed ("check for work").
    fn store_failed(&self, deed: &str, error: &StoreError);
    /// Logs and counts the end of the work on an entry.
    fn note(&self, entry: &Self::Entry, end: End<'_, Self::Outcome>);
}

/// End of the work on an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End<'a, Outcome> {
    /// The outcome was written.
    Finished(&'a Outcome),
    /// The claim was lost, or storage failed for longer than the lease: nothing was written.
    Lost,
    /// The response to a commit was lost, and the claim is no longer held: the outcome may have been written, or the work
    /// was given to another worker.
    Unknown,
    /// The process stops; the entry was released.
    Released,
}

/// Works on the entries of a queue.
#[derive(Debug)]
pub struct Runner<Q> {
    /// The queue.
    pub queue: Q,
    /// Maximum number of concurrent entries, at least 1.
    pub slots: usize,
    /// Duration of a lease without a heartbeat.
    pub lease: TimeDelta,
    /// Clock.
    pub clock: Arc<ClockWatch>,
}

impl<Q: Queue> Runner<Q> {
    /// Works until `stop`, and then until the running work has ended. Dropping the future is like killing the process.
    pub async fn run(self, stop: Stop) {
        let runner = Arc::new(self);
        let mut running = JoinSet::new();
        loop {
            while running.try_join_next().is_some() {}
            // Wait for a claim that was begun: it may be committed, and the entry must then be released.
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

    /// Waits until a slot is free, and returns whether work is possible.
    async fn has_room(&self, running: &mut JoinSet<()>) -> bool {
        while running.len() >= self.slots {
            running.join_next().await;
        }
        self.queue.is_ready().await
    }

    /// Claims the next entry. Returns it with the expiry of its lease. Reports a failure of the store.
    async fn claim(&self) -> Option<(Q::Entry, Instant)> {
        let until = self.lease_end();
        let claimed = async { self.queue.claim(self.lease, self.clock.checked_now().await?).await };
        match claimed.await {
            Ok(entry) => entry.map(|entry| (entry, until)),
            Err(error) => {
                self.queue.store_failed("check for work", &error);
                None
            }
        }
    }

    /// Returns the expiry of a lease that begins now, by the monotonic clock.
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
        // Other workers may be waiting for this entry to end.
        self.queue.bell().notify_one();
    }

    /// Extends the lease periodically. Returns when it is lost.
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

    /// Writes the outcome. Retries until the lease expires, because the work may have been expensive and the store may be
    /// unavailable only briefly.
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
                    self.queue.store_failed("store the result of a job", &error);
                    if Instant::now() >= until {
                        break lost;
                    }
                    tokio::time::sleep(STORE_PAUSE).await;
                }
            }
        };
        self.queue.note(entry, end);
    }

    /// Releases an entry. If that fails, other workers take it when its lease expires.
    async fn release(&self, entry: &Q::Entry) {
        match self.queue.release(entry, self.clock.now()).await {
            Ok(ByClaim::Done) => self.queue.note(entry, End::Released),
            Ok(ByClaim::Lost) => self.queue.note(entry, End::Lost),
            Err(error) => self.queue.store_failed("release a job", &error),
        }
    }
}

#[cfg(test)]
mod tests;
