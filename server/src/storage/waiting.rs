//! Count of waiting tasks.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counter of waiting tasks.
#[derive(Debug, Default)]
pub struct Waiting(AtomicUsize);

impl Waiting {
    /// Awaits `what`; the task is counted until the future completes or is dropped.
    pub async fn during<T>(&self, what: impl Future<Output = T>) -> T {
        self.0.fetch_add(1, Ordering::Relaxed);
        let _counted = Counted(&self.0);
        what.await
    }

    /// Number of tasks that wait now.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures::FutureExt;

    use super::Waiting;

    #[tokio::test]
    async fn waiting_tasks_are_counted() {
        let waiting = Waiting::default();
        let mut one = Box::pin(waiting.during(pending::<()>()));
        let mut other = Box::pin(waiting.during(pending::<()>()));
        assert!((&mut one).now_or_never().is_none() && (&mut other).now_or_never().is_none());
        assert_eq!(waiting.count(), 2);
        drop(one);
        assert_eq!((waiting.during(ready(5)).await, waiting.count()), (5, 1));
    }
}
