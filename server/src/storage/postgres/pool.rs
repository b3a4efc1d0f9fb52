//! Connection pool.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::Connection;
use super::error::{OpenError, ServerError};
use super::target::Target;
use crate::concurrency_limit::{ConcurrencyLimit, ConcurrencyPermit, current_credential};
use crate::storage::wait_counter::WaitCounter;
use crate::storage::{ConnectionStats, Result, StoreError};

/// Time for which no new connections are attempted after the server refused one. Open connections are shared in the meantime.
const FULL_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Maximum time for which a write waits for a connection while others write.
const MAX_WRITE_WAIT: Duration = Duration::from_secs(10);

/// Interval between repeated warnings that the server refuses connections.
const FULL_WARNING_INTERVAL: Duration = Duration::from_secs(60);

/// Bounded pool of connections, opened on demand. If the server refuses further connections, the open ones are shared.
pub(super) struct Pool {
    target: Target,
    max: usize,
    permits: ConcurrencyLimit,
    /// Permits reserved for urgent work.
    urgent_permits: ConcurrencyLimit,
    /// Permits for reads. There are fewer than connections for work that isn't urgent.
    reads: ConcurrencyLimit,
    /// Permits for writes, as many as for reads.
    writes: ConcurrencyLimit,
    waiting: WaitCounter,
    state: Mutex<PoolState>,
    /// Notified when a connection is returned.
    returned: Condvar,
}

#[derive(Default)]
struct PoolState {
    /// Idle connections, each with the time at which it became idle. The most recently used is last.
    idle: Vec<(Connection, Instant)>,
    /// Its reference count is one more than the number of connections that are open or being opened, in use or not.
    open_guard: Arc<()>,
    /// Time at which the server last refused a connection.
    refused_at: Option<Instant>,
    /// Time of the last warning about refused connections.
    warned_at: Option<Instant>,
    /// Connections opened before this time are dropped instead of returned.
    reset_at: Option<Instant>,
}

impl PoolState {
    fn open_count(&self) -> usize {
        Arc::strong_count(&self.open_guard) - 1
    }

    /// True if no connection should be opened now, because an open one becomes free sooner.
    fn is_full(&self) -> bool {
        self.open_count() > 0 && self.refused_at.is_some_and(|since| since.elapsed() < FULL_RETRY_DELAY)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("target", &self.target).field("permits", &self.permits).finish_non_exhaustive()
    }
}

impl Pool {
    /// Creates a pool of at most `count` connections. A quarter of them is reserved for urgent work, if there are four or more. Reads and
    /// writes each use at most three quarters of the others. Of four permits or more of a kind, each credential leaves one to the others.
    pub(super) fn new(target: Target, count: usize) -> Self {
        let max = count.max(1);
        let reserved = max / 4;
        let shared = max - reserved;
        let per_kind = shared.saturating_sub((shared / 4).max(1)).max(1);
        let [permits, urgent_permits, reads, writes] = [shared, reserved, per_kind, per_kind]
            .map(|count| ConcurrencyLimit::new(count, count - usize::from(count >= 4)));
        let (waiting, state, returned) = (WaitCounter::default(), Mutex::default(), Condvar::new());
        Self { target, max, permits, urgent_permits, reads, writes, waiting, state, returned }
    }

    /// Utilization of the connections.
    pub(super) fn stats(&self) -> ConnectionStats {
        let free = self.permits.available_permits() + self.urgent_permits.available_permits();
        let permits_in_use = self.max.saturating_sub(free);
        let state = self.lock_state();
        let idle = state.idle.len();
        // A task with a permit may still wait until its connection is opened or returned.
        let in_use = permits_in_use.min(state.open_count().saturating_sub(idle));
        ConnectionStats {
            max: self.max,
            in_use,
            idle,
            waiting: self.waiting.count() + (permits_in_use - in_use),
            writes_waiting: None,
        }
    }

    /// Target of the connections.
    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// Waits for a permit to use a connection. Waiting credentials take turns, here and in the methods below. Keep the permit while the
    /// connection is checked out.
    pub(super) async fn permit(&self) -> ConcurrencyPermit {
        self.waiting.count_while(self.permits.acquire(&current_credential())).await
    }

    /// Waits for permission to read on a connection. Some connections are left to writes.
    pub(super) async fn read_permits(&self) -> [ConcurrencyPermit; 2] {
        self.waiting.count_while(self.both_permits(&self.reads)).await
    }

    /// Waits for permission to write on a connection. `None` after [`MAX_WRITE_WAIT`]. Some connections
    /// are left to reads, which don't wait for the server's disk.
    pub(super) async fn write_permits(&self) -> Option<[ConcurrencyPermit; 2]> {
        self.waiting.count_while(timeout(MAX_WRITE_WAIT, self.both_permits(&self.writes))).await.ok()
    }

    /// Waits for a permit of this kind of work, then for one of all work.
    async fn both_permits(&self, kind: &ConcurrencyLimit) -> [ConcurrencyPermit; 2] {
        let credential = current_credential();
        [kind.acquire(&credential).await, self.permits.acquire(&credential).await]
    }

    /// Waits for a permit for urgent work, which many requests wait for. Long reads and writes never take all connections.
    pub(super) async fn urgent_permit(&self) -> ConcurrencyPermit {
        let credential = current_credential();
        let acquire = async {
            tokio::select! {
                biased;
                permit = self.urgent_permits.acquire(&credential) => permit,
                permit = self.permits.acquire(&credential) => permit,
            }
        };
        self.waiting.count_while(acquire).await
    }

    /// Takes an idle connection, or opens one. If the server refuses further connections and some are open, waits for one of them, at most
    /// as long as a connection attempt may take. Blocks.
    pub(super) fn check_out(&self) -> Result<Connection> {
        let deadline = Instant::now() + self.target.time_limit();
        let mut is_first_try = true;
        loop {
            while let Some((mut connection, since)) = self.next_idle(deadline) {
                if connection.is_usable(since) {
                    return Ok(connection);
                }
            }
            let (count_guard, had_open_connections) = {
                let state = self.lock_state();
                (Arc::clone(&state.open_guard), state.open_count() > 0)
            };
            let error = match Connection::open(&self.target) {
                Ok(connection) => return Ok(connection.with_count_guard(count_guard)),
                Err(OpenError::Postgres(error)) => error,
                // Temporary: ends when the server is promoted or the primary is back.
                Err(standby @ OpenError::IsStandby) => return Err(StoreError::Unavailable(Box::new(standby))),
                Err(other) => return Err(StoreError::Failed(Box::new(other))),
            };
            drop(count_guard);
            // The server's limits are approximate: of two simultaneous attempts, it may refuse both. If no open connection remains then,
            // one more attempt is made.
            let should_retry = error.is_full()
                && Instant::now() < deadline
                && (self.record_refusal(&error) || (is_first_try && had_open_connections));
            if !should_retry {
                return Err(StoreError::Unavailable(Box::new(error)));
            }
            is_first_try = false;
        }
    }

    /// Takes an idle connection. Waits for one while the server refuses further connections. `None` if a new one should be opened.
    fn next_idle(&self, deadline: Instant) -> Option<(Connection, Instant)> {
        let mut state = self.lock_state();
        loop {
            let now = Instant::now();
            if !state.idle.is_empty() || !state.is_full() || now >= deadline {
                return state.idle.pop();
            }
            // The connection may be lost instead of returned.
            let timeout = FULL_RETRY_DELAY.min(deadline - now);
            (state, _) = self.returned.wait_timeout(state, timeout).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Records that the server refuses further connections. Returns true if there are open ones to wait for.
    fn record_refusal(&self, error: &ServerError) -> bool {
        let mut state = self.lock_state();
        let now = Instant::now();
        state.refused_at = Some(now);
        // Connections being opened may be refused too. The wait then ends at the deadline.
        let has_others = state.open_count() > 0;
        if has_others && state.warned_at.is_none_or(|warned_at| now - warned_at >= FULL_WARNING_INTERVAL) {
            state.warned_at = Some(now);
            tracing::warn!(cause = %error, "PostgreSQL accepts no more connections; waiting for an open one");
        }
        has_others
    }

    fn lock_state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a connection that is not in a transaction. A connection in a transaction is dropped, which rolls it back.
    pub(super) fn check_in(&self, connection: Connection) {
        let mut state = self.lock_state();
        let is_outdated = state.reset_at.is_some_and(|reset_at| connection.is_older_than(reset_at));
        let dropped = if is_outdated {
            Some(connection)
        } else {
            state.idle.push((connection, Instant::now()));
            None
        };
        drop(state);
        drop(dropped);
        self.returned.notify_one();
    }

    /// Drops all connections, and those in use when they are returned: if one was lost, the others are lost too or soon will be. Blocks.
    pub(super) fn reset(&self) {
        let mut state = self.lock_state();
        state.reset_at = Some(Instant::now());
        let dropped = std::mem::take(&mut state.idle);
        drop(state);
        drop(dropped);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut self.lock_state().idle);
        if !idle.is_empty() {
            // Connections drive their own runtime and can't be closed on a thread that runs another.
            std::thread::spawn(move || drop(idle));
        }
    }
}
