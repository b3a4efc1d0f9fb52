//! Work that goes on after its request was answered, such as an import; the server waits for it before it stops.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinSet;

/// The work under way. What is still running when this is dropped is ended.
#[derive(Debug, Default)]
pub struct Background(Mutex<JoinSet<()>>);

impl Background {
    /// Starts some work.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Forgets what has ended since.
        while running.try_join_next().is_some() {}
        running.spawn(work);
    }

    /// Waits until all of it has ended, but no longer than `patience`; says whether it has.
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

    use super::Background;

    #[tokio::test]
    async fn work_is_waited_for_but_not_for_ever() {
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
}
