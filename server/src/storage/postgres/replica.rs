//! Reads from a replica with the consistency of the primary.
//!
//! Before each read, the primary reports its position in the log, which costs almost nothing. The replica is used if it has replayed the
//! log up to that position on the same timeline. Every read therefore sees everything that any process committed before it. A replica that
//! lags, follows another server or can't be reached is not used for a while; the primary answers instead.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;

use super::connection::{Connection, LogPosition, ReplicaProgress};
use super::error::OpenError;
use super::identity::Identity;
use super::pool::Pool;
use super::target::{Role, Target};
use super::transaction;
use crate::storage::StoreError;
use crate::storage::sql::Session;

/// Maximum wait for the replica to catch up: a few times the lag within a data center. A direct read would load the primary for about as
/// long.
const PATIENCE: Duration = Duration::from_millis(20);

/// Interval between checks of the replica's position.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// Pause in using a replica that lagged.
const AFTER_LAG: Duration = Duration::from_millis(500);

/// Pause in using a replica that failed. Detecting that may have taken a full connection timeout.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// Replica of the primary.
#[derive(Debug)]
pub(super) struct Replica {
    pool: Pool,
    rest: Mutex<Rest>,
}

/// Pause in using the replica.
#[derive(Debug, Default)]
struct Rest {
    /// End of the pause.
    until: Option<Instant>,
    /// Last logged reason; `None` once the replica was used again.
    reason: Option<&'static str>,
}

impl Replica {
    /// Connects to the replica at `url` of the database `primary`. Blocks.
    ///
    /// # Errors
    /// The URL is invalid, or the server is not a replica of that database. A server that can't be reached now or was promoted is no error,
    /// because a new replica may take its place after a failover.
    pub(super) fn open(url: &str, connections: usize, primary: &Identity) -> Result<Self, OpenError> {
        let target = Target::of(url, Role::Replica)?;
        match Connection::open(&target) {
            Ok(mut connection) => match expect(&mut connection, primary) {
                Err(OpenError::Promoted) => tracing::warn!("replica was promoted to primary; it now serves all reads"),
                other => other?,
            },
            Err(OpenError::Postgres(error)) => {
                tracing::warn!(%error, "replica is unavailable; reads go to the primary")
            }
            Err(error) => return Err(error),
        }
        Ok(Self { pool: Pool::new(target, connections), rest: Mutex::default() })
    }

    /// Waits for a connection permit; `None` while the replica is paused.
    pub(super) async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        if self.rests() { None } else { Some(self.pool.permit().await) }
    }

    /// Runs a read on the replica in a state that includes everything the primary has now. `None` if the primary should be read instead.
    /// `permit` covers the query to the primary and is released before the read. Blocks.
    pub(super) fn read<T>(
        &self,
        primary: &Pool,
        permit: OwnedSemaphorePermit,
        work: &impl Fn(&dyn Session) -> Result<T, StoreError>,
    ) -> Option<Result<T, StoreError>> {
        let mut asked = primary.check_out().ok()?;
        let (Ok(position), Ok(identity)) = (asked.log_position(), asked.identity()) else {
            self.leave_alone(AFTER_FAILURE, "the primary doesn't report its position in the write-ahead log");
            return None;
        };
        primary.check_in(asked);
        drop(permit);
        let Ok(mut connection) = self.pool.check_out() else {
            self.rest(AFTER_FAILURE);
            return None;
        };
        // Host names may resolve to other servers than before.
        if !connection.identity().is_ok_and(|found| found.is_that_of(&identity)) {
            self.forget("it is a replica of another database");
            return None;
        }
        match wait_for(&mut connection, &position) {
            Ok(ReplicaProgress::Yes) => {}
            Ok(ReplicaProgress::NotYet) => {
                self.pool.check_in(connection);
                self.rest(AFTER_LAG);
                return None;
            }
            Ok(ReplicaProgress::OtherTimeline) => {
                self.pool.check_in(connection);
                self.leave_alone(
                    AFTER_FAILURE,
                    "it follows another timeline than the primary's, or reports the new one only after its next \
                     restart point; grant pg_read_all_stats to see it immediately",
                );
                return None;
            }
            Ok(ReplicaProgress::UnknownTimeline) => {
                self.pool.check_in(connection);
                self.leave_alone(
                    AFTER_FAILURE,
                    "the user can't read which timeline it follows; grant pg_read_all_stats, or EXECUTE on \
                     pg_control_checkpoint() and pg_control_recovery()",
                );
                return None;
            }
            Ok(ReplicaProgress::NoReplica) => {
                self.forget("it was promoted; there may have been a failover");
                return None;
            }
            Err(_) => {
                self.rest(AFTER_FAILURE);
                return None;
            }
        }
        let done = transaction::read_once(&mut connection, work);
        match done {
            Some(_) => {
                self.pool.check_in(connection);
                self.resting().reason = None;
            }
            // Replay may conflict with the read; then only this read is abandoned.
            None => self.rest(AFTER_LAG),
        }
        done
    }

    fn resting(&self) -> MutexGuard<'_, Rest> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rests(&self) -> bool {
        self.resting().until.is_some_and(|until| Instant::now() < until)
    }

    fn rest(&self, pause: Duration) {
        self.resting().until = Some(Instant::now() + pause);
    }

    /// Pauses the use of the replica, and logs the reason unless it is the same as before.
    fn leave_alone(&self, pause: Duration, reason: &'static str) {
        self.rest(pause);
        if self.resting().reason.replace(reason) != Some(reason) {
            tracing::warn!(reason, "replica is not used; reads go to the primary");
        }
    }

    /// Drops all connections, because they lead to a wrong server, and pauses.
    fn forget(&self, reason: &'static str) {
        self.pool.forget();
        self.leave_alone(AFTER_FAILURE, reason);
    }
}

/// Checks that a connection leads to a replica of this database.
///
/// # Errors
/// It doesn't, or the connection is lost.
pub(super) fn expect(connection: &mut Connection, primary: &Identity) -> Result<(), OpenError> {
    match (connection.is_replica()?, connection.identity()?.is_that_of(primary)) {
        (true, true) => Ok(()),
        (true, false) => Err(OpenError::OtherReplica),
        (false, true) => Err(OpenError::Promoted),
        (false, false) => Err(OpenError::NoReplica),
    }
}

/// Waits until the replica has replayed the log up to this position or the wait is over. Returns its progress.
fn wait_for(connection: &mut Connection, position: &LogPosition) -> Result<ReplicaProgress, postgres::Error> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let replayed = connection.replayed(position)?;
        if replayed != ReplicaProgress::NotYet || Instant::now() >= deadline {
            return Ok(replayed);
        }
        std::thread::sleep(LOOK_AGAIN);
    }
}
