//! Tracks when the store is unavailable. An outage is logged when it begins, periodically while it lasts and when it ends, however many
//! requests and workers are affected.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::storage::{Store, StoreError};
use crate::telemetry::error_chain;

/// Interval between checks of whether the store is available again.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Interval between log messages while an outage lasts.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Availability of this process's store. Clones share their state.
#[derive(Clone, Debug)]
pub struct Outage {
    store: Arc<dyn Store>,
    monitor: Arc<OutageMonitor>,
}

/// State shared by all clones.
#[derive(Debug, Default)]
struct OutageMonitor {
    current: Mutex<Option<CurrentOutage>>,
    /// Number of tasks that wait between two attempts to reach the store.
    waiting_tasks: AtomicUsize,
}

#[derive(Debug, Default)]
struct CurrentOutage {
    refused_requests: u64,
    /// True if an operation failed since the last check.
    has_new_failure: bool,
}

/// A task that waits for the store, from a failure to the next successful attempt. The outage lasts until then: on a full disk, the store
/// may accept a small write but not the task's.
#[derive(Debug)]
#[must_use = "the task counts as waiting until this is dropped"]
pub struct WaitGuard(Arc<OutageMonitor>);

impl Drop for WaitGuard {
    fn drop(&mut self) {
        self.0.waiting_tasks.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Outage {
    /// Starts without an outage of this store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, monitor: Arc::default() }
    }

    /// Records that a request was refused because the store is unavailable.
    pub fn record_refusal(&self, cause: &StoreError) {
        self.record(cause, 1);
    }

    /// Records that the store failed during background work. `task` describes the work ("check for work").
    pub fn record_failure(&self, task: &str, error: &StoreError) {
        match error {
            StoreError::Unavailable(_) | StoreError::CommitUnknown(_) => self.record(error, 0),
            StoreError::Busy(_) | StoreError::Conflict(_) | StoreError::Failed(_) => {
                tracing::warn!(cause = error_chain(error), "can't {task}");
            }
        }
    }

    /// Records that a task waits for the store, until the guard is dropped.
    pub fn wait_guard(&self) -> WaitGuard {
        self.monitor.waiting_tasks.fetch_add(1, Ordering::Relaxed);
        WaitGuard(self.monitor.clone())
    }

    fn record(&self, cause: &StoreError, refused: u64) {
        if self.monitor.record(cause, refused) {
            let Self { store, monitor } = self.clone();
            tokio::spawn(async move {
                let accepts_write = || {
                    let store = store.clone();
                    // A write, because a full disk can still be read.
                    async move { store.check_writable().await.is_ok() }
                };
                monitor.watch(accepts_write).await;
            });
        }
    }
}

impl OutageMonitor {
    /// Returns true if this failure begins an outage, which must then be watched.
    fn record(&self, cause: &StoreError, refused: u64) -> bool {
        let mut current = self.current();
        let is_new = current.is_none();
        let outage = current.get_or_insert_default();
        outage.refused_requests += refused;
        outage.has_new_failure = true;
        if is_new {
            tracing::error!(cause = error_chain(cause), "storage is unavailable; requests that need it are refused");
        }
        is_new
    }

    /// Waits until the store accepts a write, no task waits for it and no operation has failed since the last check.
    async fn watch<F: Future<Output = bool>>(&self, accepts_write: impl Fn() -> F) {
        let started = Instant::now();
        let mut last_log = started;
        loop {
            sleep(POLL_INTERVAL).await;
            let has_recovered = !self.take_new_failure() && !self.has_waiting_task() && accepts_write().await;
            let mut current = self.current();
            let Some(CurrentOutage { refused_requests, has_new_failure: has_failure }) = &*current else { return };
            let seconds = started.elapsed().as_secs();
            if has_recovered && !has_failure {
                tracing::info!(seconds, refused_requests, "storage is available again");
                *current = None;
                return;
            }
            if last_log.elapsed() >= LOG_INTERVAL {
                tracing::warn!(seconds, refused_requests, "storage is still unavailable");
                last_log = Instant::now();
            }
        }
    }

    /// Returns true if an operation failed since the last call.
    fn take_new_failure(&self) -> bool {
        self.current().as_mut().is_some_and(|current| std::mem::take(&mut current.has_new_failure))
    }

    fn has_waiting_task(&self) -> bool {
        self.waiting_tasks.load(Ordering::Relaxed) > 0
    }

    fn current(&self) -> MutexGuard<'_, Option<CurrentOutage>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::telemetry::testing::LogCapture;

    fn unavailable() -> StoreError {
        StoreError::Unavailable(std::io::Error::other("connection refused").into())
    }

    #[tokio::test(start_paused = true)]
    async fn logs_begin_progress_and_end_of_outage() {
        let logs = LogCapture::default();
        let _logging = logs.capture();
        let (monitor, is_available) = (OutageMonitor::default(), AtomicBool::new(false));
        let failures = async {
            // Offset by 50 ms, so that failures and checks never coincide.
            sleep(Duration::from_millis(50)).await;
            for _ in 0..250 {
                monitor.record(&unavailable(), 1);
                monitor.record(&unavailable(), 0);
                sleep(Duration::from_millis(100)).await;
            }
            // Failures have stopped, but the store is still unavailable.
            sleep(Duration::from_secs(7)).await;
            is_available.store(true, Ordering::Relaxed);
        };
        monitor.record(&unavailable(), 1);
        tokio::join!(failures, monitor.watch(|| ready(is_available.load(Ordering::Relaxed))));
        let summary = |line: &serde_json::Value| {
            (line["level"].as_str().unwrap().to_owned(), line["seconds"].as_u64(), line["refused_requests"].as_u64())
        };
        let lines = logs.lines();
        assert_eq!(lines[0]["cause"], "storage is unavailable: connection refused");
        let expected = [
            ("ERROR", None, None),
            ("WARN", Some(10), Some(101)),
            ("WARN", Some(20), Some(201)),
            ("WARN", Some(30), Some(251)),
            ("INFO", Some(33), Some(251)),
        ];
        assert_eq!(
            lines.iter().map(summary).collect::<Vec<_>>(),
            expected.map(|(level, seconds, refused)| (level.to_owned(), seconds, refused))
        );
        assert!(monitor.record(&unavailable(), 1), "the next failure starts another outage");
    }

    #[tokio::test(start_paused = true)]
    async fn outage_lasts_while_waiting_tasks_still_fail() {
        let logs = LogCapture::default();
        let _logging = logs.capture();
        let monitor = OutageMonitor::default();
        let failures = async {
            for _ in 0..15 {
                monitor.record(&unavailable(), 1);
                sleep(Duration::from_millis(500)).await;
            }
        };
        monitor.record(&unavailable(), 1);
        tokio::join!(failures, monitor.watch(|| ready(true)));
        let levels: Vec<_> = logs.lines().iter().map(|line| line["level"].as_str().unwrap().to_owned()).collect();
        assert_eq!(levels, ["ERROR", "INFO"]);
    }
}
