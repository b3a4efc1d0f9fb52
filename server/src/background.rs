//! Work that continues after the response was sent, such as an import. The server waits for it before it stops.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::concurrency_limit::{current_credential, run_for_credential};

/// Running background work. Dropping this aborts the work.
#[derive(Debug, Default)]
pub struct BackgroundTasks(Mutex<JoinSet<()>>);

/// Background work panicked or was aborted before its first result.
#[derive(Debug, thiserror::Error)]
#[error("background task ended without a result")]
pub struct BackgroundTaskAborted;

impl BackgroundTasks {
    /// Starts background work on behalf of the caller's credential.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Remove tasks that have ended.
        while running.try_join_next().is_some() {}
        running.spawn(run_for_credential(current_credential(), work));
    }

    /// Starts work and returns its first result, such as the created import. The work continues after that, even if the caller is
    /// dropped first.
    ///
    /// # Errors
    /// The work ended without a first result.
    pub async fn spawn_with_result<T, F>(
        &self,
        work: impl FnOnce(oneshot::Sender<T>) -> F,
    ) -> Result<T, BackgroundTaskAborted>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        self.spawn(work(sender));
        receiver.await.map_err(|_| BackgroundTaskAborted)
    }

    /// Waits until all work has ended, at most `timeout`. Returns true if it has.
    pub async fn finish(&self, timeout: Duration) -> bool {
        let mut running = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        tokio::time::timeout(timeout, async { while running.join_next().await.is_some() {} }).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use futures::FutureExt;
    use tokio::sync::oneshot;

    use super::BackgroundTasks;

    #[tokio::test]
    async fn finish_waits_with_timeout() {
        let background = BackgroundTasks::default();
        let is_done = Arc::new(AtomicBool::new(false));
        let done_flag = is_done.clone();
        background.spawn(async move {
            tokio::task::yield_now().await;
            done_flag.store(true, Ordering::SeqCst);
        });
        assert!(background.finish(Duration::from_secs(60)).await);
        assert!(is_done.load(Ordering::SeqCst));

        background.spawn(std::future::pending());
        assert!(!background.finish(Duration::ZERO).await);
    }

    #[tokio::test]
    async fn started_work_continues_without_caller() {
        let background = BackgroundTasks::default();
        let (done_sender, mut done_receiver) = oneshot::channel();
        let first_result = background.spawn_with_result(|sender| async move {
            tokio::task::yield_now().await;
            let _ = sender.send(5);
            done_sender.send(()).unwrap();
        });
        assert!(first_result.now_or_never().is_none(), "the caller is dropped before the first result");
        assert!(background.finish(Duration::from_secs(60)).await);
        done_receiver.try_recv().expect("the work is done anyway");

        assert_eq!(background.spawn_with_result(|sender| async move { sender.send(5).unwrap() }).await.unwrap(), 5);
        background.spawn_with_result(|sender: oneshot::Sender<()>| async move { drop(sender) }).await.unwrap_err();
    }
}
