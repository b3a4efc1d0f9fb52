//! Concurrency limit for long writes: import batches, undo steps, and actions on many leads.
//!
//! Each takes a good part of a second, and SQLite queues all writes. Without the limit, a client that starts a hundred of
//! them would delay every other write by all of them.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Number of concurrent long writes. Two, so that on PostgreSQL one can proceed while the other waits for a lock.
const AT_ONCE: usize = 2;

/// Semaphore for long writes. A turn is a permit.
#[derive(Debug)]
pub struct BulkWrites(Arc<Semaphore>);

impl Default for BulkWrites {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl BulkWrites {
    /// Waits for a turn, first come, first served. The turn lasts until it is dropped.
    ///
    /// Run the write on its own task and move the turn there: a transaction continues when its client disconnects.
    pub async fn turn(&self) -> OwnedSemaphorePermit {
        self.0.clone().acquire_owned().await.expect("the semaphore is never closed")
    }

    /// Number of free turns.
    #[cfg(test)]
    pub fn free_turns(&self) -> usize {
        self.0.available_permits()
    }
}
