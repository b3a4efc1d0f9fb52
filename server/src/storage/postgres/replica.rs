//! Reads from a replica, as if they were read from the primary.
//!
//! Before each read the primary is asked for its position in the log, which costs it next to nothing. The replica is used if it
//! has replayed the log up to there, on the same timeline. So every read sees all that was committed before it, by whichever
//! process. A replica that lags, follows another server or can't be reached is left alone for a while, and the primary answers.

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

/// How long a read waits for the replica: a few times the lag of a replica in the same building. For the same time the read
/// would keep the primary busy.
const PATIENCE: Duration = Duration::from_millis(20);

/// Time between two looks at its position.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// How long a replica that lagged is left alone.
const AFTER_LAG: Duration = Duration::from_millis(500);

/// How long a replica that can't be used is left alone: to find that out may have taken a connection's whole timeout.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// A replica of the primary.
#[derive(Debug)]
pub(super) struct Replica {
    pool: Pool,
    rest: Mutex<Rest>,
}

/// Whether the replica is left alone.
#[derive(Debug, Default)]
struct Rest {
    /// It isn't used before this moment.
    until: Option<Instant>,
    /// The reason that was logged; none once it was used again.
    reason: Option<&'static str>,
}

impl Replica {
    /// Finds the replica at `url` of the database `primary`. Blocks.
    ///
    /// # Errors
    /// The URL isn't one, or leads to something else than a replica of that database. That the server can't be reached now is none,
    /// nor that it was promoted: after a failover a new replica may take its place.
    pub(super) fn open(url: &str, connections: usize, primary: &Identity) -> Result<Self, OpenError> {
        let target = Target::of(url, Role::Replica)?;
        match Connection::open(&target) {
            Ok(mut connection) => match expect(&mut connection, primary) {
                Err(OpenError::Promoted) => tracing::warn!("the replica is the primary now, which answers everything"),
                other => other?,
            },
            Err(OpenError::Postgres(error)) => tracing::warn!(%error, "the replica can't be used; the primary answers"),
            Err(error) => return Err(error),
        }
        Ok(Self { pool: Pool::new(target, connections), rest: Mutex::default() })
    }

    /// Waits until a connection may be used; none while the replica is left alone.
    pub(super) async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        if self.rests() { None } else { Some(self.pool.permit().await) }
    }

    /// Runs a read on the replica, of a state that has all that the primary has now; none when the primary should be read.
    /// The primary is asked under `permit`, which is given back before the read. Blocks.
    pub(super) fn read<T>(
        &self,
        primary: &Pool,
        permit: OwnedSemaphorePermit,
        work: &impl Fn(&dyn Session) -> Result<T, StoreError>,
    ) -> Option<Result<T, StoreError>> {
        let mut asked = primary.check_out().ok()?;
        let (Ok(position), Ok(identity)) = (asked.log_position(), asked.identity()) else {
            self.leave_alone(AFTER_FAILURE, "the primary doesn't tell its position in the log");
            return None;
        };
        primary.check_in(asked);
        drop(permit);
        let Ok(mut connection) = self.pool.check_out() else {
            self.rest(AFTER_FAILURE);
            return None;
        };
        // The names of either host may mean another server by now.
        if !connection.identity().is_ok_and(|found| found.is_that_of(&identity)) {
            self.forget("it isn't one of this database");
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
                    "it follows another timeline than the primary is on, or tells the new one only after its next restart point; \
                     a user who is granted pg_read_all_stats is told at once",
                );
                return None;
            }
            Ok(ReplicaProgress::UnknownTimeline) => {
                self.pool.check_in(connection);
                self.leave_alone(
                    AFTER_FAILURE,
                    "the user isn't told which timeline it follows; grant pg_read_all_stats, or EXECUTE on \
                     pg_control_checkpoint() and pg_control_recovery()",
                );
                return None;
            }
            Ok(ReplicaProgress::NoReplica) => {
                self.forget("it was promoted, perhaps in a failover");
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
            // What it replays may contradict what is read; then only this read is given up.
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

    /// Rests, and logs the reason unless it is the same as before.
    fn leave_alone(&self, pause: Duration, reason: &'static str) {
        self.rest(pause);
        if self.resting().reason.replace(reason) != Some(reason) {
            tracing::warn!(reason, "the replica isn't used; the primary answers");
        }
    }

    /// Drops all connections, for they lead to another server than they should, and rests.
    fn forget(&self, reason: &'static str) {
        self.pool.forget();
        self.leave_alone(AFTER_FAILURE, reason);
    }
}

/// Makes sure that a connection leads to a replica of this database.
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

/// How far the replica is, once it has replayed the log up to this position or was waited for long enough.
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
