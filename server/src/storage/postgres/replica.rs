//! Reads from a replica, as if they were read from the primary.
//!
//! Before each read the primary is asked how far its log is, which costs it nothing, and the replica is used if it has
//! come so far too. So every read sees all that was committed before it, by whichever process, and a session its own writes
//! in any case. A replica that lags or can't be reached is left alone for a moment, and the primary answers.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;

use super::connection::Connection;
use super::error::OpenError;
use super::identity::Identity;
use super::pool::Pool;
use super::target::Target;
use super::transaction;
use crate::storage::StoreError;
use crate::storage::sql::Session;

/// How long a read waits for the replica: a few times what a replica in the same building lags. For the same time the read
/// would keep the primary busy.
const PATIENCE: Duration = Duration::from_millis(20);

/// How long between two looks at how far it is.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// How long a replica that lagged is left alone.
const AFTER_LAG: Duration = Duration::from_millis(500);

/// How long a replica that could not be used is left alone: to find that out may have taken a connection's whole timeout.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// A replica of the primary.
#[derive(Debug)]
pub(super) struct Replica {
    pool: Pool,
    /// Which database it must have.
    primary: Identity,
    /// It isn't used before this moment.
    rests_until: Mutex<Option<Instant>>,
}

impl Replica {
    /// Finds the replica at `url` of the database `primary`. Blocks.
    ///
    /// # Errors
    /// The URL isn't one, or leads to something else than a replica of that database. That the server can't be reached now is none,
    /// nor that it was made the primary: after a failover a new replica may take its place.
    pub(super) fn open(url: &str, connections: usize, primary: Identity) -> Result<Self, OpenError> {
        let target = Target::read(url)?;
        match Connection::open(&target) {
            Ok(mut connection) => match expect(&mut connection, &primary) {
                Err(OpenError::Promoted) => tracing::warn!("the replica is the primary now, which answers everything"),
                other => other?,
            },
            Err(OpenError::Postgres(error)) => tracing::warn!(%error, "the replica can't be used; the primary answers"),
            Err(error) => return Err(error),
        }
        Ok(Self { pool: Pool::new(target, connections), primary, rests_until: Mutex::default() })
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
        let position = asked.log_position().ok()?;
        primary.check_in(asked);
        drop(permit);
        let Ok(mut connection) = self.pool.check_out() else {
            self.rest(AFTER_FAILURE);
            return None;
        };
        // The host's name may mean another server by now.
        if !connection.identity().is_ok_and(|found| found.is_that_of(&self.primary)) {
            tracing::warn!("the replica isn't one of this database; the primary answers");
            self.rest(AFTER_FAILURE);
            return None;
        }
        match has_come_to(&mut connection, &position) {
            Ok(true) => {}
            Ok(false) => {
                self.pool.check_in(connection);
                self.rest(AFTER_LAG);
                return None;
            }
            Err(_) => {
                self.rest(AFTER_FAILURE);
                return None;
            }
        }
        let done = transaction::read_once(&mut connection, work);
        match done {
            Some(_) => self.pool.check_in(connection),
            // What it replays may contradict what is read; then only this read is given up.
            None => self.rest(AFTER_LAG),
        }
        done
    }

    fn rests(&self) -> bool {
        let until = *self.rests_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    fn rest(&self, pause: Duration) {
        *self.rests_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + pause);
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

/// Whether the replica has replayed the log up to this position, waiting for it a little.
fn has_come_to(connection: &mut Connection, position: &str) -> Result<bool, postgres::Error> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if connection.has_replayed(position)? {
            return Ok(true);
        }
        if Instant::now() >= deadline {
            return Ok(false);
        }
        std::thread::sleep(LOOK_AGAIN);
    }
}
