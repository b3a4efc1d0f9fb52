//! Work that continues after its request was answered, such as an import. The server waits for it before it stops.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Running background work. Dropping this aborts the work.
#[derive(Debug, Default)]
pub struct Background(Mutex<JoinSet<()>>);

/// Background work panicked or was aborted before its first result.
#[derive(Debug, thiserror::Error)]
#[error("background task ended without a result")]
pub struct BrokenOff;

impl Background {
    /// Starts background work.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Remove tasks that have ended.
        while running.try_join_next().is_some() {}
        running.spawn(work);
    }

    /// Starts work and returns its first result, such as the row of an import. The work continues after that, and also if the caller is
    /// dropped before.
    ///
    /// # Errors
    /// The work ended without a result.
    pub async fn begin<T, F>(&self, work: impl FnOnce(oneshot::Sender<T>) -> F) -> Result<T, BrokenOff>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (result, first) = oneshot::channel();
        self.spawn(work(result));
        first.await.map_err(|_| BrokenOff)
    }

    /// Waits until all work has ended, at most `patience`. Returns true if it has.
    pub async fn finish(&self, patience: Duration) -> bool {
        let mut running = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        tokio::time::timeout(patience, async { while running.join_next().await.is_some() {} }).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use futures::FutureExt;
    use tokio::sync::oneshot;

    use super::Background;

    #[tokio::test]
    async fn finish_waits_with_timeout() {
        let background = Background::default();
        let done = Arc::new(AtomicBool::new(false));
        let doing = done.clone();
        background.spawn(async move {
            tokio::task::yield_now().await;
            doing.store(true, Ordering::SeqCst);
        });
        assert!(background.finish(Duration::from_secs(60)).await);
        assert!(done.load(Ordering::SeqCst));

        background.spawn(std::future::pending());
        assert!(!background.finish(Duration::ZERO).await);
    }

    #[tokio::test]
    async fn started_work_continues_without_caller() {
        let background = Background::default();
        let (done, mut is_done) = oneshot::channel();
        let begun = background.begin(|first| async move {
            tokio::task::yield_now().await;
            let _ = first.send(5);
            done.send(()).unwrap();
        });
        assert!(begun.now_or_never().is_none(), "the caller goes away before the first result");
        assert!(background.finish(Duration::from_secs(60)).await);
        is_done.try_recv().expect("done all the same");

        assert_eq!(background.begin(|first| async move { first.send(5).unwrap() }).await.unwrap(), 5);
        background.begin(|first: oneshot::Sender<()>| async move { drop(first) }).await.unwrap_err();
    }
}
