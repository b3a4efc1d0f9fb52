//! Reads from a replica with the consistency of the primary.
//!
//! Before each read, the primary reports its position in the log, which costs almost nothing. The replica is used if it has replayed the
//! log up to that position on the same timeline. Every read therefore sees everything that any process committed before it. A replica that
//! lags, follows another server or can't be reached is not used for a while; the primary is used instead.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::connection::{Connection, LogPosition, ReplicaProgress};
use super::error::OpenError;
use super::identity::Identity;
use super::pool::Pool;
use super::target::{Role, Target};
use super::transaction;
use crate::concurrency_limit::ConcurrencyPermit;
use crate::storage::Result;
use crate::storage::sql::Session;

/// Maximum wait for the replica to catch up: a few times the lag within a data center. A direct read would load the primary for about as
/// long.
const MAX_CATCH_UP_WAIT: Duration = Duration::from_millis(20);

/// Interval between checks of the replica's position.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Pause in using a replica that lagged.
const LAG_DELAY: Duration = Duration::from_millis(500);

/// Pause in using a replica that failed. Detecting that may have taken a full connection timeout.
const FAILURE_DELAY: Duration = Duration::from_secs(5);

/// Replica of the primary.
#[derive(Debug)]
pub(super) struct Replica {
    pool: Pool,
    pause: Mutex<PauseState>,
}

/// Pause in using the replica.
#[derive(Debug, Default)]
struct PauseState {
    /// End of the pause.
    ends_at: Option<Instant>,
    /// Last logged reason; `None` once the replica was used again.
    last_reason: Option<&'static str>,
}

impl Replica {
    /// Connects to the replica at `url` of the database `primary`. Blocks.
    ///
    /// # Errors
    /// The URL is invalid, or the server is not a replica of that database. A server that can't be reached now or was
    /// promoted isn't an error, because a new replica may take its place after a failover.
    pub(super) fn open(url: &str, connections: usize, primary: &Identity) -> Result<Self, OpenError> {
        let target = Target::parse(url, Role::Replica)?;
        match Connection::open(&target) {
            Ok(mut connection) => match check_replica(&mut connection, primary) {
                Err(OpenError::ReplicaPromoted) => {
                    tracing::warn!("replica was promoted to primary; it now serves all reads")
                }
                other => other?,
            },
            Err(OpenError::Postgres(error)) => {
                tracing::warn!(%error, "replica is unavailable; reads go to the primary")
            }
            Err(error) => return Err(error),
        }
        Ok(Self { pool: Pool::new(target, connections), pause: Mutex::default() })
    }

    /// Waits for a connection permit; `None` while the replica is paused.
    pub(super) async fn permit(&self) -> Option<ConcurrencyPermit> {
        if self.is_paused() { None } else { Some(self.pool.permit().await) }
    }

    /// Runs a read on the replica in a state that includes everything the primary has now. `None` if the primary should be read instead.
    /// `permit` covers the query to the primary and is released before the read. Blocks.
    pub(super) fn read<T>(
        &self,
        primary: &Pool,
        permit: ConcurrencyPermit,
        work: &impl Fn(&dyn Session) -> Result<T>,
    ) -> Option<Result<T>> {
        let mut primary_connection = primary.check_out().ok()?;
        let (Ok(position), Ok(identity)) = (primary_connection.log_position(), primary_connection.identity()) else {
            self.pause_with_reason(FAILURE_DELAY, "the primary doesn't report its position in the write-ahead log");
            return None;
        };
        primary.check_in(primary_connection);
        drop(permit);
        let Ok(mut connection) = self.pool.check_out() else {
            self.pause_for(FAILURE_DELAY);
            return None;
        };
        // Host names may resolve to other servers than before.
        if !connection.identity().is_ok_and(|found| found.matches(&identity)) {
            self.reset("it is a replica of another database");
            return None;
        }
        match wait_for_position(&mut connection, &position) {
            Ok(ReplicaProgress::CaughtUp) => {}
            Ok(ReplicaProgress::Behind) => {
                self.pool.check_in(connection);
                self.pause_for(LAG_DELAY);
                return None;
            }
            Ok(ReplicaProgress::OtherTimeline) => {
                self.pool.check_in(connection);
                self.pause_with_reason(
                    FAILURE_DELAY,
                    "it follows another timeline than the primary's, or reports the new one only after its next \
                     restart point; grant pg_read_all_stats to see it immediately",
                );
                return None;
            }
            Ok(ReplicaProgress::UnknownTimeline) => {
                self.pool.check_in(connection);
                self.pause_with_reason(
                    FAILURE_DELAY,
                    "the user can't read which timeline it follows; grant pg_read_all_stats, or EXECUTE on \
                     pg_control_checkpoint() and pg_control_recovery()",
                );
                return None;
            }
            Ok(ReplicaProgress::NotAReplica) => {
                self.reset("it was promoted; there may have been a failover");
                return None;
            }
            Err(_) => {
                self.pause_for(FAILURE_DELAY);
                return None;
            }
        }
        let result = transaction::read_once(&mut connection, work);
        match result {
            Some(_) => {
                self.pool.check_in(connection);
                self.lock_pause().last_reason = None;
            }
            // Replay may conflict with the read; then only this read is abandoned.
            None => self.pause_for(LAG_DELAY),
        }
        result
    }

    fn lock_pause(&self) -> MutexGuard<'_, PauseState> {
        self.pause.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_paused(&self) -> bool {
        self.lock_pause().ends_at.is_some_and(|until| Instant::now() < until)
    }

    fn pause_for(&self, pause: Duration) {
        self.lock_pause().ends_at = Some(Instant::now() + pause);
    }

    /// Pauses the use of the replica, and logs the reason unless it is the same as before.
    fn pause_with_reason(&self, pause: Duration, reason: &'static str) {
        self.pause_for(pause);
        if self.lock_pause().last_reason.replace(reason) != Some(reason) {
            tracing::warn!(reason, "replica is not used; reads go to the primary");
        }
    }

    /// Drops all connections, because they lead to a wrong server, and pauses.
    fn reset(&self, reason: &'static str) {
        self.pool.reset();
        self.pause_with_reason(FAILURE_DELAY, reason);
    }
}

/// Checks that a connection leads to a replica of this database.
///
/// # Errors
/// It doesn't, or the connection is lost.
pub(super) fn check_replica(connection: &mut Connection, primary: &Identity) -> Result<(), OpenError> {
    match (connection.is_replica()?, connection.identity()?.matches(primary)) {
        (true, true) => Ok(()),
        (true, false) => Err(OpenError::ReplicaOfOtherDatabase),
        (false, true) => Err(OpenError::ReplicaPromoted),
        (false, false) => Err(OpenError::NotAReplica),
    }
}

/// Waits until the replica has replayed the log up to this position or the wait is over. Returns its progress.
fn wait_for_position(connection: &mut Connection, position: &LogPosition) -> Result<ReplicaProgress, postgres::Error> {
    let deadline = Instant::now() + MAX_CATCH_UP_WAIT;
    loop {
        let progress = connection.replica_progress(position)?;
        if progress != ReplicaProgress::Behind || Instant::now() >= deadline {
            return Ok(progress);
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}
