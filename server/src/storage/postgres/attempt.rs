//! A limit on the time that a connection may take as a whole: until TCP, TLS, log-in and settings are done.
//!
//! The client limits TCP alone, and waits without end for what a server doesn't say afterwards. So it connects on a thread of
//! its own, and is left alone when the time is over. Then the thread ends with the server's answer, with the server, or when
//! the probes of TCP find it gone.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// Threads that may be left alone at a time. A server that leaves so many without an answer is asked by no other.
const MOST_LEFT: usize = 16;

/// Those that were left alone and still wait.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<Vec<Weak<()>>>);

impl Attempts {
    /// What `attempt` gives, if it takes no longer than `limit`. None at once while too many wait already. Blocks.
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
            // Nobody may want it any more.
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
    fn what_takes_too_long_is_left_alone_but_not_too_often() {
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
