//! Turns for long writes: batches of imports, steps of their undos, and actions on many leads.
//!
//! Each takes a good part of a second, and on SQLite all writes wait in one queue. Without turns, a client that starts a hundred
//! of them delays every other write by all of them.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Number of long writes at a time. Two, so that on PostgreSQL one goes on while the other waits for a lock.
const AT_ONCE: usize = 2;

/// Gives the turns.
#[derive(Debug)]
pub struct BulkWrites(Arc<Semaphore>);

impl Default for BulkWrites {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl BulkWrites {
    /// Waits for a turn, which lasts until it is dropped. Turns are given in the order in which they are asked for.
    ///
    /// The write must run on a task of its own, with the turn: a caller that goes away doesn't end a transaction.
    pub async fn turn(&self) -> OwnedSemaphorePermit {
        self.0.clone().acquire_owned().await.expect("the semaphore is never closed")
    }

    /// Number of free turns.
    #[cfg(test)]
    pub fn free_turns(&self) -> usize {
        self.0.available_permits()
    }
}
