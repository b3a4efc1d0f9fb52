//! Low-priority threads, so that background work yields to requests.

use std::sync::Arc;
use std::{io, thread};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::RecvError;

use crate::concurrency_limit::{ConcurrencyLimit, current_credential};

/// Niceness 10, on the library's scale from 0 to 99. On a busy machine such a thread gets a tenth of the CPU time of a request, so requests
/// come first and the work still makes progress next to other programs. At the lowest priority it would starve.
const PRIORITY: u8 = 22;

/// Starts a low-priority thread. Threads that it starts inherit the priority.
///
/// # Errors
/// The system can't create more threads.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let work = || {
        lower_priority();
        work();
    };
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Fixed number of low-priority threads. Waiting credentials take turns. Clones share the threads.
#[derive(Clone, Debug)]
pub struct LowPriorityPool {
    threads: Arc<ThreadPool>,
    permits: ConcurrencyLimit,
}

impl LowPriorityPool {
    /// Starts `threads` threads with this name.
    ///
    /// # Errors
    /// The system can't create more threads.
    pub fn new(name: &'static str, threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let count = threads.max(1);
        let threads = ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(move |number| format!("{name}-{number}"))
            .start_handler(|_| lower_priority())
            // The caller notices the missing result. Without a handler, the process would abort.
            .panic_handler(|_| {})
            .build()?;
        Ok(Self { threads: Arc::new(threads), permits: ConcurrencyLimit::new(count, count) })
    }

    /// Runs work on one of the threads. Work is skipped if its caller has been dropped before it begins.
    ///
    /// # Errors
    /// `work` panicked.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, RecvError> {
        let permit = self.permits.acquire(&current_credential()).await;
        let (sender, result) = oneshot::channel();
        self.threads.spawn_fifo(move || {
            let _permit = permit;
            if !sender.is_closed() {
                let _ = sender.send(work());
            }
        });
        result.await
    }
}

fn lower_priority() {
    let priority = ThreadPriorityValue::try_from(PRIORITY).map_or(ThreadPriority::Min, ThreadPriority::Crossplatform);
    if let Err(error) = set_current_thread_priority(priority) {
        tracing::warn!(?error, "can't lower the priority of a thread");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, mpsc};

    use futures::FutureExt;

    use super::LowPriorityPool;

    #[tokio::test]
    async fn skips_abandoned_work() {
        let pool = LowPriorityPool::new("test", 1).unwrap();
        let (finish, wait) = mpsc::channel::<()>();
        let busy = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(move || wait.recv().unwrap()).await }
        });
        tokio::task::yield_now().await;
        let is_begun = Arc::new(AtomicBool::new(false));
        let begun_flag = is_begun.clone();
        let mut abandoned = Box::pin(pool.run(move || begun_flag.store(true, Ordering::SeqCst)));
        assert!((&mut abandoned).now_or_never().is_none());
        drop(abandoned);
        finish.send(()).unwrap();
        busy.await.unwrap().unwrap();
        pool.run(|| {}).await.unwrap();
        assert!(!is_begun.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn pool_survives_panics() {
        let pool = LowPriorityPool::new("test", 1).unwrap();
        assert!(pool.run(|| panic!("on purpose")).await.is_err());
        assert_eq!(pool.run(|| 7).await, Ok(7));
    }
}
