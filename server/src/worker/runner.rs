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
use crate::storage::{FencedWrite, StoreError};

/// Interval at which an idle worker checks its queue. The notifier only wakes workers of the same process, and entries
/// become due without it.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Delay after a failure of the store.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Completes when the process should stop.
pub type StopSignal = Shared<BoxFuture<'static, ()>>;

/// A queue and the work on its entries.
#[async_trait]
pub trait Queue: Send + Sync + 'static {
    /// A claimed entry.
    type Entry: Send + Sync;
    /// Result of the work on an entry.
    type Outcome: Send + Sync;

    /// Notified when there may be work.
    fn notifier(&self) -> &Notify;
    /// Returns whether work is possible now; otherwise nothing is claimed. May take a long time; a stop cancels it.
    async fn is_ready(&self) -> bool;
    /// Claims the next entry for the duration of a lease.
    async fn claim(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<Self::Entry>, StoreError>;
    /// Extends the lease.
    async fn extend(&self, entry: &Self::Entry, until: Timestamp) -> Result<FencedWrite, StoreError>;
    /// Does the work. May be dropped at any time. Writes nothing to the store: that is left to [`Queue::finish`].
    async fn work(&self, entry: &Self::Entry) -> Self::Outcome;
    /// Returns the outcome of work that panicked.
    fn panic_outcome(&self, entry: &Self::Entry) -> Self::Outcome;
    /// Writes the outcome of the work.
    async fn finish(
        &self,
        entry: &Self::Entry,
        outcome: &Self::Outcome,
        now: Timestamp,
    ) -> Result<FencedWrite, StoreError>;
    /// Releases the entry as if it had not been claimed.
    async fn release(&self, entry: &Self::Entry, now: Timestamp) -> Result<FencedWrite, StoreError>;
    /// Maximum time that work may continue after a stop.
    fn stop_timeout(&self) -> Duration;
    /// Reports a failure of the store. `operation` says what failed ("check for work").
    fn report_store_failure(&self, operation: &str, error: &StoreError);
    /// Logs and counts the end of the work on an entry.
    fn record_end(&self, entry: &Self::Entry, end: WorkEnd<'_, Self::Outcome>);
}

/// End of the work on an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkEnd<'a, Outcome> {
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
    pub queue: Q,
    /// Maximum number of concurrent entries, at least 1.
    pub slots: usize,
    /// Duration of a lease without a heartbeat.
    pub lease: TimeDelta,
    pub clock: Arc<ClockWatch>,
}

impl<Q: Queue> Runner<Q> {
    /// Works until `stop`, and then until the running work has ended. Dropping the future is like killing the process.
    pub async fn run(self, stop: StopSignal) {
        let runner = Arc::new(self);
        let mut running = JoinSet::new();
        loop {
            while running.try_join_next().is_some() {}
            // A claim in progress isn't cancelled: it may have been committed, and its entry must then be released.
            let claimed = tokio::select! {
                biased;
                () = stop.clone() => break,
                ready = runner.wait_for_slot(&mut running) => if ready { runner.claim().await } else { None },
            };
            match claimed {
                Some((entry, lease_end)) => {
                    let (runner, stop) = (Arc::clone(&runner), stop.clone());
                    running.spawn(async move { runner.process(entry, lease_end, stop).await });
                }
                None => tokio::select! {
                    () = stop.clone() => break,
                    () = runner.queue.notifier().notified() => {}
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                },
            }
        }
        while running.join_next().await.is_some() {}
    }

    /// Waits until a slot is free, and returns whether work is possible.
    async fn wait_for_slot(&self, running: &mut JoinSet<()>) -> bool {
        while running.len() >= self.slots {
            running.join_next().await;
        }
        self.queue.is_ready().await
    }

    /// Claims the next entry. Returns it with the expiry of its lease. Reports a failure of the store.
    async fn claim(&self) -> Option<(Q::Entry, Instant)> {
        let lease_end = self.lease_end();
        let claimed = async { self.queue.claim(self.lease, self.clock.checked_now().await?).await };
        match claimed.await {
            Ok(entry) => entry.map(|entry| (entry, lease_end)),
            Err(error) => {
                self.queue.report_store_failure("check for work", &error);
                None
            }
        }
    }

    /// Returns the expiry of a lease that begins now, by the monotonic clock.
    fn lease_end(&self) -> Instant {
        Instant::now() + self.lease.to_std().unwrap_or_default()
    }

    async fn process(&self, entry: Q::Entry, mut lease_end: Instant, stop: StopSignal) {
        let work = AssertUnwindSafe(self.queue.work(&entry)).catch_unwind();
        let stop_timeout = async {
            stop.await;
            tokio::time::sleep(self.queue.stop_timeout()).await;
        };
        tokio::select! {
            biased;
            outcome = work => {
                let outcome = outcome.unwrap_or_else(|_| self.queue.panic_outcome(&entry));
                self.finish(&entry, &outcome, lease_end).await;
            }
            () = self.hold_lease(&entry, &mut lease_end) => self.queue.record_end(&entry, WorkEnd::Lost),
            () = stop_timeout => self.release(&entry).await,
        }
        // Other entries may have been waiting for this one.
        self.queue.notifier().notify_one();
    }

    /// Extends the lease periodically. Returns when it is lost.
    async fn hold_lease(&self, entry: &Q::Entry, lease_end: &mut Instant) {
        let interval = (self.lease / 3).to_std().unwrap_or_default();
        let mut delay = interval;
        loop {
            tokio::time::sleep(delay).await;
            let next_end = self.lease_end();
            delay = match self.queue.extend(entry, self.clock.now() + self.lease).await {
                Ok(FencedWrite::Done) => {
                    *lease_end = next_end;
                    interval
                }
                Ok(FencedWrite::ClaimLost) => return,
                Err(error) => {
                    self.queue.report_store_failure("extend a lease", &error);
                    if Instant::now() >= *lease_end {
                        return;
                    }
                    STORE_RETRY_DELAY.min(interval)
                }
            };
        }
    }

    /// Writes the outcome. Retries until the lease expires, because the work may have been expensive and the store may be
    /// unavailable only briefly.
    async fn finish(&self, entry: &Q::Entry, outcome: &Q::Outcome, lease_end: Instant) {
        let mut end_if_lost = WorkEnd::Lost;
        let end = loop {
            match self.queue.finish(entry, outcome, self.clock.now()).await {
                Ok(FencedWrite::Done) => break WorkEnd::Finished(outcome),
                Ok(FencedWrite::ClaimLost) => break end_if_lost,
                Err(error) => {
                    if matches!(error, StoreError::CommitUnknown(_)) {
                        end_if_lost = WorkEnd::Unknown;
                    }
                    self.queue.report_store_failure("store the result of a job", &error);
                    if Instant::now() >= lease_end {
                        break end_if_lost;
                    }
                    tokio::time::sleep(STORE_RETRY_DELAY).await;
                }
            }
        };
        self.queue.record_end(entry, end);
    }

    /// Releases an entry. If that fails, other workers take it when its lease expires.
    async fn release(&self, entry: &Q::Entry) {
        match self.queue.release(entry, self.clock.now()).await {
            Ok(FencedWrite::Done) => self.queue.record_end(entry, WorkEnd::Released),
            Ok(FencedWrite::ClaimLost) => self.queue.record_end(entry, WorkEnd::Lost),
            Err(error) => self.queue.report_store_failure("release a job", &error),
        }
    }
}

#[cfg(test)]
mod tests;
