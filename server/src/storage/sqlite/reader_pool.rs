//! Pool of read connections.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::connection::{self, BUSY_TIMEOUT};
use super::session::SqliteSession;
use crate::concurrency_limit::{ConcurrencyLimit, ConcurrencyPermit, current_credential};
use crate::storage::sql::DatabaseWork;
use crate::storage::wait_counter::WaitCounter;
use crate::storage::{ConnectionStats, Result, StoreError};
use rusqlite::Connection;

/// Bounded pool of connections, opened on demand.
#[derive(Debug)]
pub(super) struct ReaderPool {
    path: PathBuf,
    max: usize,
    permits: ConcurrencyLimit,
    waiting: WaitCounter,
    idle: Mutex<Vec<(u64, Connection)>>,
    /// Number of calls of [`Self::invalidate`]. Connections read the planner's statistics when they are opened, so connections of older generations are dropped.
    generation: AtomicU64,
}

impl ReaderPool {
    /// Creates a pool of connections to the file: at most `count` for each credential, and one more in total.
    pub(super) fn new(path: PathBuf, count: usize) -> Self {
        let max = count + 1;
        Self {
            path,
            max,
            permits: ConcurrencyLimit::new(max, count),
            waiting: WaitCounter::default(),
            idle: Mutex::default(),
            generation: AtomicU64::new(0),
        }
    }

    /// Utilization of the connections.
    pub(super) fn stats(&self) -> ConnectionStats {
        ConnectionStats {
            max: self.max,
            in_use: self.max - self.permits.available_permits(),
            idle: self.idle.lock().unwrap_or_else(PoisonError::into_inner).len(),
            waiting: self.waiting.count(),
            writes_waiting: None,
        }
    }

    /// Runs `work` on one snapshot, on a blocking thread.
    pub(super) async fn read<T: Send + 'static>(self: &Arc<Self>, work: impl DatabaseWork<T>) -> Result<T> {
        let permit = self.permit().await;
        let readers = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let mut reader = readers.check_out(permit)?;
            let snapshot = reader.transaction()?;
            work(&SqliteSession(&snapshot))
        })
        .await?
    }

    /// Waits until a connection is free. Waiting credentials take turns.
    async fn permit(&self) -> ConcurrencyPermit {
        self.waiting.count_while(self.permits.acquire(&current_credential())).await
    }

    /// Checks out a connection until the guard is dropped. Blocks if one must be opened.
    fn check_out(self: &Arc<Self>, permit: ConcurrencyPermit) -> Result<Reader> {
        let current = self.generation.load(Ordering::Acquire);
        let idle = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.retain(|(generation, _)| *generation == current);
            idle.pop()
        };
        let connection = match idle {
            Some((_, connection)) => {
                connection.busy_timeout(BUSY_TIMEOUT)?;
                connection
            }
            None => connection::open_reader(&self.path).map_err(|error| StoreError::Unavailable(Box::new(error)))?,
        };
        Ok(Reader { connection: Some(connection), generation: current, readers: Arc::clone(self), _permit: permit })
    }

    /// Checks out a connection that is free and already open, until the guard is dropped. Never waits. Its reads fail immediately while
    /// another process locks the file.
    pub(super) fn check_out_idle(self: &Arc<Self>) -> Option<Reader> {
        let permit = self.permits.try_acquire(&current_credential())?;
        let current = self.generation.load(Ordering::Acquire);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, connection) = idle.pop_if(|(generation, _)| *generation == current)?;
        drop(idle);
        connection.busy_timeout(Duration::ZERO).ok()?;
        Some(Reader { connection: Some(connection), generation: current, readers: Arc::clone(self), _permit: permit })
    }

    /// Makes every connection reopen before its next use.
    pub(super) fn invalidate(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }
}

/// A checked-out connection.
pub(super) struct Reader {
    /// `Some` until the drop.
    connection: Option<Connection>,
    generation: u64,
    readers: Arc<ReaderPool>,
    /// Released after the connection, because fields are dropped after `drop` has run.
    _permit: ConcurrencyPermit,
}

impl Deref for Reader {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("the connection is there until the drop")
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("the connection is there until the drop")
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let mut idle = self.readers.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push((self.generation, connection));
        }
    }
}
