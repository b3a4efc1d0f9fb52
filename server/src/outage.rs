//! Tracks when the store is unavailable. An outage is logged when it begins, periodically while it lasts and when it ends, however many
//! requests and workers are affected.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::app::App;
use crate::storage::StoreError;
use crate::telemetry::causes;

/// Interval between checks of whether the store is available again.
const LOOK: Duration = Duration::from_secs(1);

/// Interval between log messages while an outage lasts.
const TELL: Duration = Duration::from_secs(10);

/// Availability of this process's store.
#[derive(Debug, Default)]
pub struct Outage {
    lasting: Mutex<Option<Lasting>>,
    /// Number of tasks that wait between two attempts to reach the store.
    waiting: AtomicUsize,
}

/// State of a current outage.
#[derive(Debug, Default)]
struct Lasting {
    /// Number of refused requests.
    refused: u64,
    /// True if an operation failed since the last check.
    met: bool,
}

/// Records that a request was refused because the store is unavailable.
pub fn refused(app: &Arc<App>, cause: &StoreError) {
    meet(app, cause, 1);
}

/// Records that the store failed during background work. `deed` describes the work ("look for work").
pub fn failed(app: &Arc<App>, deed: &str, error: &StoreError) {
    match error {
        StoreError::Unavailable(_) | StoreError::CommitUnknown(_) => meet(app, error, 0),
        StoreError::Busy(_) | StoreError::Conflict(_) | StoreError::Failed(_) => {
            tracing::warn!(cause = causes(error), "can't {deed}");
        }
    }
}

/// A task that waits for the store, from a failure to the next successful attempt. The outage lasts until then: on a full disk, the store
/// may accept a small write but not the task's.
#[derive(Debug)]
#[must_use = "it is waited while this lives"]
pub struct Waiting(Arc<App>);

/// Records that a task waits for the store, until the guard is dropped.
pub fn waiting(app: &Arc<App>) -> Waiting {
    app.outage.waiting.fetch_add(1, Ordering::Relaxed);
    Waiting(app.clone())
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.outage.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

fn meet(app: &Arc<App>, cause: &StoreError, refused: u64) {
    if app.outage.meet(cause, refused) {
        let app = app.clone();
        tokio::spawn(async move {
            let takes = || {
                let store = app.store.clone();
                // A write, because a full disk can still be read.
                async move { store.try_write().await.is_ok() }
            };
            app.outage.watch(takes).await;
        });
    }
}

impl Outage {
    /// Returns true if this failure begins an outage, which must then be watched.
    fn meet(&self, cause: &StoreError, refused: u64) -> bool {
        let mut slot = self.slot();
        let begins = slot.is_none();
        let lasting = slot.get_or_insert_default();
        lasting.refused += refused;
        lasting.met = true;
        if begins {
            tracing::error!(cause = causes(cause), "the store can't be used; what needs it is refused until it can");
        }
        begins
    }

    /// Waits until the store accepts a write, no task waits for it and no operation has failed since the last check.
    async fn watch<F: Future<Output = bool>>(&self, takes: impl Fn() -> F) {
        let begun = Instant::now();
        let mut told = begun;
        loop {
            sleep(LOOK).await;
            let is_quiet = !self.was_met() && !self.is_waited_for() && takes().await;
            let mut slot = self.slot();
            let Some(Lasting { refused, met }) = &*slot else { return };
            let seconds = begun.elapsed().as_secs();
            if is_quiet && !met {
                tracing::info!(seconds, refused, "the store can be used again");
                *slot = None;
                return;
            }
            if told.elapsed() >= TELL {
                tracing::warn!(seconds, refused, "the store still can't be used");
                told = Instant::now();
            }
        }
    }

    /// Returns true if an operation failed since the last call.
    fn was_met(&self) -> bool {
        self.slot().as_mut().is_some_and(|lasting| std::mem::take(&mut lasting.met))
    }

    fn is_waited_for(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    fn slot(&self) -> MutexGuard<'_, Option<Lasting>> {
        self.lasting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::telemetry::testing::Written;

    fn away() -> StoreError {
        StoreError::Unavailable(std::io::Error::other("connection refused").into())
    }

    #[tokio::test(start_paused = true)]
    async fn logs_begin_progress_and_end_of_outage() {
        let written = Written::default();
        let _logging = written.logging();
        let (outage, is_back) = (Outage::default(), AtomicBool::new(false));
        let meeting = async {
            // Offset by 50 ms, so that failures and checks never coincide.
            sleep(Duration::from_millis(50)).await;
            for _ in 0..250 {
                outage.meet(&away(), 1);
                outage.meet(&away(), 0);
                sleep(Duration::from_millis(100)).await;
            }
            // Failures have stopped, but the store is still unavailable.
            sleep(Duration::from_secs(7)).await;
            is_back.store(true, Ordering::Relaxed);
        };
        outage.meet(&away(), 1);
        tokio::join!(meeting, outage.watch(|| ready(is_back.load(Ordering::Relaxed))));
        let told = |line: &serde_json::Value| {
            (line["level"].as_str().unwrap().to_owned(), line["seconds"].as_u64(), line["refused"].as_u64())
        };
        let lines = written.lines();
        assert_eq!(lines[0]["cause"], "the store is unavailable: connection refused");
        let expected = [
            ("ERROR", None, None),
            ("WARN", Some(10), Some(101)),
            ("WARN", Some(20), Some(201)),
            ("WARN", Some(30), Some(251)),
            ("INFO", Some(33), Some(251)),
        ];
        assert_eq!(
            lines.iter().map(told).collect::<Vec<_>>(),
            expected.map(|(level, seconds, refused)| (level.to_owned(), seconds, refused))
        );
        assert!(outage.meet(&away(), 1), "the next one is another");
    }

    #[tokio::test(start_paused = true)]
    async fn outage_lasts_while_waiting_tasks_still_fail() {
        let written = Written::default();
        let _logging = written.logging();
        let outage = Outage::default();
        let meeting = async {
            for _ in 0..15 {
                outage.meet(&away(), 1);
                sleep(Duration::from_millis(500)).await;
            }
        };
        outage.meet(&away(), 1);
        tokio::join!(meeting, outage.watch(|| ready(true)));
        let levels: Vec<_> = written.lines().iter().map(|line| line["level"].as_str().unwrap().to_owned()).collect();
        assert_eq!(levels, ["ERROR", "INFO"]);
    }
}
