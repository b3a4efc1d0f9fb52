//! Connection pool.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::Connection;
use super::error::{OpenError, Said};
use super::target::Target;
use crate::storage::waiting::Waiting;
use crate::storage::{Connections, StoreError};

/// Time for which no new connections are attempted after the server refused one. Open connections are shared in the meantime.
const FULL: Duration = Duration::from_secs(1);

/// Maximum time for which a write waits for a connection while others write.
const MAX_WRITE_WAIT: Duration = Duration::from_secs(10);

/// Interval between repeated warnings about that.
const TELL: Duration = Duration::from_secs(60);

/// Bounded pool of connections, opened on demand. If the server refuses further connections, the open ones are shared.
pub(super) struct Pool {
    target: Target,
    most: usize,
    permits: Arc<Semaphore>,
    /// Permits for urgent work alone.
    urgent: Arc<Semaphore>,
    /// Permits for reads and for writes, each fewer than there are connections for other than urgent work.
    reads: Arc<Semaphore>,
    writes: Arc<Semaphore>,
    waiting: Waiting,
    room: Mutex<Room>,
    /// Notified when a connection is returned.
    given_back: Condvar,
}

/// State of the pool.
#[derive(Default)]
struct Room {
    /// Idle connections, each with the time at which it became idle. The most recently used is last.
    idle: Vec<(Connection, Instant)>,
    /// Its reference count is one more than the number of connections that are open or being opened, in use or not.
    open: Arc<()>,
    /// Times of the server's last refusal of a connection and of the last warning about it.
    full: Option<Instant>,
    told: Option<Instant>,
    /// Connections opened before this time are dropped instead of returned.
    forgotten: Option<Instant>,
}

impl Room {
    fn open(&self) -> usize {
        Arc::strong_count(&self.open) - 1
    }

    /// True if no connection should be opened now, because an open one becomes free sooner.
    fn is_full(&self) -> bool {
        self.open() > 0 && self.full.is_some_and(|since| since.elapsed() < FULL)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("target", &self.target).field("permits", &self.permits).finish_non_exhaustive()
    }
}

impl Pool {
    /// At most `count` connections. A quarter of them is for urgent work alone, if there are four or more. Reads and writes each
    /// use at most three quarters of the others.
    pub(super) fn new(target: Target, count: usize) -> Self {
        let most = count.max(1);
        let reserved = most / 4;
        let shared = most - reserved;
        let for_each = shared.saturating_sub((shared / 4).max(1)).max(1);
        let [permits, urgent, reads, writes] =
            [shared, reserved, for_each, for_each].map(|count| Arc::new(Semaphore::new(count)));
        let (waiting, room, given_back) = (Waiting::default(), Mutex::default(), Condvar::new());
        Self { target, most, permits, urgent, reads, writes, waiting, room, given_back }
    }

    /// Utilization of the connections.
    pub(super) fn connections(&self) -> Connections {
        let free = self.permits.available_permits() + self.urgent.available_permits();
        let permitted = self.most.saturating_sub(free);
        let room = self.room();
        let idle = room.idle.len();
        // A task with a permit may still wait until its connection is opened or returned.
        let used = permitted.min(room.open().saturating_sub(idle));
        Connections {
            most: self.most,
            used,
            idle,
            waiting: self.waiting.count() + (permitted - used),
            writes_waiting: None,
        }
    }

    /// Target of the connections.
    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Waits for a permit to use a connection, in FIFO order. Keep the permit while the connection is checked out.
    pub(super) async fn permit(&self) -> OwnedSemaphorePermit {
        let permit = self.waiting.during(Arc::clone(&self.permits).acquire_owned()).await;
        permit.expect("the semaphore is never closed")
    }

    /// Waits for permission to read on a connection, in FIFO order. Some connections are left to writes.
    pub(super) async fn read_permits(&self) -> [OwnedSemaphorePermit; 2] {
        self.waiting.during(self.both_permits(&self.reads)).await
    }

    /// Waits for permission to write on a connection, in FIFO order. `None` after [`MAX_WRITE_WAIT`].
    /// Some connections are left to reads, which don't wait for the server's disk.
    pub(super) async fn write_permits(&self) -> Option<[OwnedSemaphorePermit; 2]> {
        self.waiting.during(timeout(MAX_WRITE_WAIT, self.both_permits(&self.writes))).await.ok()
    }

    /// Waits for a permit of this kind of work, then for one of all work.
    async fn both_permits(&self, kind: &Arc<Semaphore>) -> [OwnedSemaphorePermit; 2] {
        let closed = "the semaphores are never closed";
        let first = Arc::clone(kind).acquire_owned().await.expect(closed);
        [first, Arc::clone(&self.permits).acquire_owned().await.expect(closed)]
    }

    /// Waits until a connection may be used for work that many requests wait for: long reads and writes never take all.
    pub(super) async fn urgent_permit(&self) -> OwnedSemaphorePermit {
        let any = async {
            tokio::select! {
                biased;
                permit = Arc::clone(&self.urgent).acquire_owned() => permit,
                permit = Arc::clone(&self.permits).acquire_owned() => permit,
            }
        };
        self.waiting.during(any).await.expect("the semaphore is never closed")
    }

    /// Takes a connection out, or opens one. Where the server takes no more and some are open, waits for one of those, for as
    /// long as a connection may take. Blocks.
    pub(super) fn check_out(&self) -> Result<Connection, StoreError> {
        let deadline = Instant::now() + self.target.limit();
        let mut is_first_try = true;
        loop {
            while let Some((mut connection, since)) = self.next_idle(deadline) {
                if connection.is_usable(since) {
                    return Ok(connection);
                }
            }
            let (counted, opened_together) = {
                let room = self.room();
                (Arc::clone(&room.open), room.open() > 0)
            };
            let said = match Connection::open(&self.target) {
                Ok(connection) => return Ok(connection.counted(counted)),
                Err(OpenError::Postgres(said)) => said,
                // Temporary: ends when the server is promoted or the primary is back.
                Err(standby @ OpenError::Standby) => return Err(StoreError::Unavailable(Box::new(standby))),
                Err(other) => return Err(StoreError::Failed(Box::new(other))),
            };
            drop(counted);
            // The server's limits are approximate: of two simultaneous attempts, it may refuse both. If no open connection remains then,
            // one more attempt is made.
            let tries_again = said.is_full()
                && Instant::now() < deadline
                && (self.others_are_open(&said) || (is_first_try && opened_together));
            if !tries_again {
                return Err(StoreError::Unavailable(Box::new(said)));
            }
            is_first_try = false;
        }
    }

    /// Takes an idle connection. Waits for one while the server refuses further connections. `None` if a new one should be opened.
    fn next_idle(&self, deadline: Instant) -> Option<(Connection, Instant)> {
        let mut room = self.room();
        loop {
            let now = Instant::now();
            if !room.idle.is_empty() || !room.is_full() || now >= deadline {
                return room.idle.pop();
            }
            // The connection may be lost instead of returned.
            let patience = FULL.min(deadline - now);
            (room, _) = self.given_back.wait_timeout(room, patience).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Records that the server refuses further connections. Returns true if there are open ones to wait for.
    fn others_are_open(&self, said: &Said) -> bool {
        let mut room = self.room();
        let now = Instant::now();
        room.full = Some(now);
        // Connections being opened may be refused too; then the wait ends at the deadline.
        let has_others = room.open() > 0;
        if has_others && room.told.is_none_or(|told| now - told >= TELL) {
            room.told = Some(now);
            tracing::warn!(cause = %said, "PostgreSQL accepts no more connections; waiting for an open one");
        }
        has_others
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a connection that is not in a transaction. A connection in a transaction is dropped, which rolls it back.
    pub(super) fn check_in(&self, connection: Connection) {
        let mut room = self.room();
        let is_forgotten = room.forgotten.is_some_and(|forgotten| connection.is_older_than(forgotten));
        let dropped = if is_forgotten {
            Some(connection)
        } else {
            room.idle.push((connection, Instant::now()));
            None
        };
        drop(room);
        drop(dropped);
        self.given_back.notify_one();
    }

    /// Drops all connections, and those in use when they are returned: if one was lost, the others are lost too or soon will be. Blocks.
    pub(super) fn forget(&self) {
        let mut room = self.room();
        room.forgotten = Some(Instant::now());
        let lost = std::mem::take(&mut room.idle);
        drop(room);
        drop(lost);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut self.room().idle);
        if !idle.is_empty() {
            // Connections drive their own runtime and can't be closed on a thread that runs another.
            std::thread::spawn(move || drop(idle));
        }
    }
}
