//! Count of waiting tasks.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counter of waiting tasks.
#[derive(Debug, Default)]
pub struct WaitCounter(AtomicUsize);

impl WaitCounter {
    /// Awaits `future`; the task is counted until the future completes or is dropped.
    pub async fn count_while<T>(&self, future: impl Future<Output = T>) -> T {
        self.0.fetch_add(1, Ordering::Relaxed);
        let _guard = WaitGuard(&self.0);
        future.await
    }

    /// Number of tasks that wait now.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

struct WaitGuard<'a>(&'a AtomicUsize);

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures::FutureExt;

    use super::WaitCounter;

    #[tokio::test]
    async fn waiting_tasks_are_counted() {
        let counter = WaitCounter::default();
        let mut first = Box::pin(counter.count_while(pending::<()>()));
        let mut second = Box::pin(counter.count_while(pending::<()>()));
        assert!((&mut first).now_or_never().is_none() && (&mut second).now_or_never().is_none());
        assert_eq!(counter.count(), 2);
        drop(first);
        assert_eq!((counter.count_while(ready(5)).await, counter.count()), (5, 1));
    }
}
