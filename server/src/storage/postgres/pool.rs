//! The connections to the server.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Connection;
use super::error::OpenError;
use super::target::Target;
use crate::storage::waiting::Waiting;
use crate::storage::{Connections, StoreError};

/// A bounded set of connections, opened when first needed.
pub(super) struct Pool {
    target: Target,
    most: usize,
    permits: Arc<Semaphore>,
    waiting: Waiting,
    /// Those that nobody uses, each with the moment since when; the one used last is at the end.
    idle: Mutex<Vec<(Connection, Instant)>>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("target", &self.target).field("permits", &self.permits).finish_non_exhaustive()
    }
}

impl Pool {
    /// At most `count` connections.
    pub(super) fn new(target: Target, count: usize) -> Self {
        let most = count.max(1);
        let permits = Arc::new(Semaphore::new(most));
        Self { target, most, permits, waiting: Waiting::default(), idle: Mutex::default() }
    }

    /// How busy they are.
    pub(super) fn connections(&self) -> Connections {
        Connections {
            most: self.most,
            used: self.most.saturating_sub(self.permits.available_permits()),
            idle: self.idle.lock().unwrap_or_else(PoisonError::into_inner).len(),
            waiting: self.waiting.count(),
            writes_waiting: None,
        }
    }

    /// Where the connections go.
    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Waits until a connection may be used; first come, first served. Whoever has checked one out keeps the permit.
    pub(super) async fn permit(&self) -> OwnedSemaphorePermit {
        let permit = self.waiting.during(Arc::clone(&self.permits).acquire_owned()).await;
        permit.expect("the semaphore is never closed")
    }

    /// Takes a connection out, or opens one. Blocks.
    pub(super) fn check_out(&self) -> Result<Connection, StoreError> {
        while let Some((mut connection, since)) = self.next_idle() {
            if connection.is_usable(since) {
                return Ok(connection);
            }
        }
        Connection::open(&self.target).map_err(|error| match error {
            OpenError::Postgres(said) => StoreError::Unavailable(Box::new(said)),
            other => StoreError::Failed(Box::new(other)),
        })
    }

    fn next_idle(&self) -> Option<(Connection, Instant)> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Gives back a connection that is in no transaction. Any other is dropped: then the server undoes what was begun.
    pub(super) fn check_in(&self, connection: Connection) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push((connection, Instant::now()));
    }

    /// Drops all idle connections: where one was lost, so are the others, or they soon will be. Blocks.
    pub(super) fn forget(&self) {
        let lost = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        drop(lost);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        if !idle.is_empty() {
            // A connection drives itself, and may not be closed on a thread that drives others.
            std::thread::spawn(move || drop(idle));
        }
    }
}
