//! Runs blocking work with limited concurrency.
//!
//! Tokio can't cancel work on a blocking thread: it continues after its caller is dropped. A permit held by the caller would be released
//! too early, and clients that disconnect immediately could start any amount of work. So the permit moves to the thread with the work.

use tokio::task::{JoinError, spawn_blocking};

use crate::concurrency_limit::{ConcurrencyLimit, ConcurrencyPermit, current_credential};

/// Runs a limited number of blocking closures at a time. Clones share the limit.
#[derive(Clone, Debug)]
pub struct BlockingPool(ConcurrencyLimit);

impl BlockingPool {
    /// Creates a pool that runs at most `count` closures at a time, and at least one.
    pub fn new(count: usize) -> Self {
        let count = count.max(1);
        Self(ConcurrencyLimit::new(count, count))
    }

    /// Waits for a permit. Waiting credentials take turns.
    pub async fn acquire(&self) -> Permit {
        Permit(self.0.acquire(&current_credential()).await)
    }

    /// Waits for a permit and runs `work` with it.
    ///
    /// # Errors
    /// `work` panicked, or the runtime is shutting down.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
        self.acquire().await.run(work).await
    }

    /// Number of free permits.
    #[cfg(test)]
    pub fn available_permits(&self) -> usize {
        self.0.available_permits()
    }
}

/// The right to run one closure of a [`BlockingPool`].
#[derive(Debug)]
pub struct Permit(ConcurrencyPermit);

impl Permit {
    /// Runs `work` on a blocking thread. The permit is released when `work` ends, whether or not the caller still waits.
    ///
    /// # Errors
    /// `work` panicked, or the runtime is shutting down.
    pub async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
        spawn_blocking(move || {
            let _permit = self.0;
            work()
        })
        .await
    }
}

/// Number of processor cores; 2 if it is unknown.
pub fn core_count() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, mpsc};

    use futures::FutureExt;

    use super::BlockingPool;

    #[tokio::test]
    async fn abandoned_work_keeps_its_permit_until_it_ends() {
        let pool = BlockingPool::new(1);
        let started = Arc::new(AtomicUsize::new(0));
        let (finish, receiver) = mpsc::channel::<()>();
        let receiver = Arc::new(std::sync::Mutex::new(receiver));
        // Drop twelve callers as soon as their work may have begun.
        for _ in 0..12 {
            let (started, receiver) = (started.clone(), receiver.clone());
            let mut caller = Box::pin(pool.run(move || {
                started.fetch_add(1, Ordering::SeqCst);
                receiver.lock().unwrap().recv().unwrap();
            }));
            assert!((&mut caller).now_or_never().is_none());
        }
        assert_eq!(pool.available_permits(), 0);
        finish.send(()).unwrap();
        pool.acquire().await;
        assert_eq!((started.load(Ordering::SeqCst), pool.available_permits()), (1, 1));
    }
}
