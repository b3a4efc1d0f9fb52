//! Limit on the total time to open a connection: TCP, TLS, login and settings.
//!
//! The client library limits TCP only, and waits forever for a server that doesn't respond afterwards. Each attempt therefore runs on its
//! own thread, which is abandoned after the limit. The thread ends when the server responds or goes away, or when TCP keepalive fails.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// Maximum number of abandoned threads. While a server keeps this many waiting, further attempts fail immediately.
const MAX_ABANDONED_ATTEMPTS: usize = 16;

/// Runs connection attempts, and tracks abandoned attempts that still wait for the server.
#[derive(Debug, Default)]
pub(super) struct ConnectionAttempts(Mutex<Vec<Weak<()>>>);

impl ConnectionAttempts {
    /// Returns the result of `attempt` if it finishes within `limit`. `None` after the limit, or immediately if too many abandoned attempts
    /// are waiting. Blocks.
    pub(super) fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        attempt: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        if self.count_abandoned() >= MAX_ABANDONED_ATTEMPTS {
            return None;
        }
        let guard = Arc::new(());
        let weak_guard = Arc::downgrade(&guard);
        let (sender, receiver) = sync_channel(1);
        std::thread::spawn(move || {
            let _guard = guard;
            // Fails if the attempt was abandoned.
            let _ = sender.send(attempt());
        });
        match receiver.recv_timeout(limit) {
            Ok(result) => Some(result),
            Err(RecvTimeoutError::Timeout) => {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).push(weak_guard);
                None
            }
            Err(RecvTimeoutError::Disconnected) => panic!("the thread that connects panicked"),
        }
    }

    fn count_abandoned(&self) -> usize {
        let mut abandoned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        abandoned.retain(|guard| guard.strong_count() > 0);
        abandoned.len()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn slow_attempts_are_abandoned_up_to_a_limit() {
        const LONG_TIMEOUT: Duration = Duration::from_secs(60);
        let attempts = ConnectionAttempts::default();
        assert_eq!(attempts.run(LONG_TIMEOUT, || 7), Some(7));
        let senders: Vec<_> = (0..MAX_ABANDONED_ATTEMPTS)
            .map(|_| {
                let (sender, receiver) = channel::<()>();
                assert_eq!(attempts.run(Duration::ZERO, move || receiver.recv()), None);
                sender
            })
            .collect();
        assert_eq!(attempts.run(LONG_TIMEOUT, || 7), None);
        drop(senders);
        while attempts.count_abandoned() > 0 {
            std::thread::yield_now();
        }
        assert_eq!(attempts.run(LONG_TIMEOUT, || 7), Some(7));
    }
}
