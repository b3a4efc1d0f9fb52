//! Limit on the total time to open a connection: TCP, TLS, login and settings.
//!
//! The client library limits TCP only, and waits forever for a server that doesn't respond afterwards. Each attempt therefore runs on its
//! own thread, which is abandoned after the limit. The thread ends when the server answers or goes away, or when TCP keepalive fails.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// Maximum number of abandoned threads. While a server keeps this many waiting, further attempts fail immediately.
const MOST_LEFT: usize = 16;

/// Abandoned attempts that still wait.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<Vec<Weak<()>>>);

impl Attempts {
    /// Returns the result of `attempt` if it finishes within `limit`. `None` after the limit, or immediately if too many abandoned attempts
    /// are waiting. Blocks.
    pub(super) fn run<T: Send + 'static>(
        &self,
        limit: Duration,
        attempt: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        if self.left() >= MOST_LEFT {
            return None;
        }
        let waits = Arc::new(());
        let left = Arc::downgrade(&waits);
        let (send, receive) = sync_channel(1);
        std::thread::spawn(move || {
            let _waits = waits;
            // Fails if the attempt was abandoned.
            let _ = send.send(attempt());
        });
        match receive.recv_timeout(limit) {
            Ok(done) => Some(done),
            Err(RecvTimeoutError::Timeout) => {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).push(left);
                None
            }
            Err(RecvTimeoutError::Disconnected) => panic!("the thread that connects panicked"),
        }
    }

    fn left(&self) -> usize {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.retain(|waits| waits.strong_count() > 0);
        left.len()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn slow_attempts_are_abandoned_up_to_a_limit() {
        const LONG: Duration = Duration::from_secs(60);
        let attempts = Attempts::default();
        assert_eq!(attempts.run(LONG, || 7), Some(7));
        let answers: Vec<_> = (0..MOST_LEFT)
            .map(|_| {
                let (answer, wait) = channel::<()>();
                assert_eq!(attempts.run(Duration::ZERO, move || wait.recv()), None);
                answer
            })
            .collect();
        assert_eq!(attempts.run(LONG, || 7), None);
        drop(answers);
        while attempts.left() > 0 {
            std::thread::yield_now();
        }
        assert_eq!(attempts.run(LONG, || 7), Some(7));
    }
}
