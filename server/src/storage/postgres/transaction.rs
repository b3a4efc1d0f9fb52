//! Runs work in a transaction and retries it when that is safe.

use std::time::Duration;

use super::connection::Connection;
use super::error::{Failure, Said};
use super::pool::Pool;
use super::session::PgSession;
use crate::storage::StoreError;
use crate::storage::sql::{Session, WorkError};

/// Maximum number of runs of work that conflicts. In each conflict one of the transactions commits, so this is enough for about as many
/// concurrent transactions on the same rows.
const MAX_TRIES: u32 = 40;

/// Maximum pause before a retry; the first pauses are shorter.
const MAX_PAUSE: Duration = Duration::from_millis(100);

/// Kind of transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Single statement without an explicit transaction.
    Ask,
    /// Read-only snapshot.
    Read,
    /// Serializable write.
    Write,
    /// Work that locks the rows it depends on, such as the next unlocked entry of a queue.
    Claim,
}

impl Kind {
    /// Statement that starts the transaction; `None` if no explicit transaction is used.
    fn begin(self) -> Option<&'static str> {
        match self {
            Self::Ask => None,
            Self::Read => Some("START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
            Self::Write => Some("START TRANSACTION ISOLATION LEVEL SERIALIZABLE"),
            Self::Claim => Some("START TRANSACTION ISOLATION LEVEL READ COMMITTED"),
        }
    }

    /// True if a conflict may be the reason for the failure, so that the work is retried. A write may violate a constraint because of a row
    /// committed after its check. On retry the check finds the row and the write is refused properly.
    fn is_conflict(self, failure: Failure) -> bool {
        failure == Failure::Overtaken || failure == Failure::Contradicted && self == Self::Write
    }

    /// Store error that the work receives for a failed statement.
    pub(super) fn store_error(self, failure: Failure, said: Said) -> StoreError {
        if self.is_conflict(failure) { StoreError::Conflict(Box::new(said)) } else { failure.store_error(said) }
    }
}

/// Result of one run.
enum Run<T, E> {
    /// The work ended with its result or its own error. The connection can be reused.
    Ended(Result<T, E>),
    /// The work failed, and the connection may be broken.
    Broken(E),
    /// The connection was lost before the commit was sent, so nothing is written.
    Lost(Said),
    /// Another transaction conflicted; nothing is written.
    Conflict(E, Failure),
}

/// Runs `work` on a connection of the pool. Blocks.
pub(super) fn run<T, E: WorkError>(
    pool: &Pool,
    kind: Kind,
    work: impl Fn(&dyn Session) -> Result<T, E>,
) -> Result<T, E> {
    let mut was_lost = false;
    let mut tries = 0;
    loop {
        let mut connection = pool.check_out()?;
        match run_once(&mut connection, kind, &work) {
            Run::Ended(result) => {
                pool.check_in(connection);
                return result;
            }
            Run::Broken(error) => return Err(error),
            Run::Lost(said) if was_lost => return Err(StoreError::Unavailable(Box::new(said)).into()),
            Run::Lost(_) => {
                was_lost = true;
                pool.forget();
            }
            Run::Conflict(error, failure) => {
                pool.check_in(connection);
                tries += 1;
                if tries == MAX_TRIES {
                    return Err(give_up(error, failure));
                }
                std::thread::sleep(pause(tries));
            }
        }
    }
}

/// Error after the last try. A serialization conflict may succeed later; a constraint violation won't.
fn give_up<E: WorkError>(error: E, failure: Failure) -> E {
    let cause = format!("concurrent writes conflicted {MAX_TRIES} times").into();
    match failure {
        Failure::Overtaken => StoreError::Busy(cause).into(),
        _ => error,
    }
}

/// Random pause that grows with each try, so that the same transactions don't collide again.
fn pause(tries: u32) -> Duration {
    let longest = Duration::from_millis(1 << tries.min(10)).min(MAX_PAUSE);
    longest.mul_f64(rand::random())
}

/// Runs a read on this connection. `None` if it failed for a reason that may not affect another connection; then this connection can't be
/// reused.
pub(super) fn read_once<T>(
    connection: &mut Connection,
    work: &impl Fn(&dyn Session) -> Result<T, StoreError>,
) -> Option<Result<T, StoreError>> {
    match run_once(connection, Kind::Read, work) {
        Run::Ended(result) => Some(result),
        Run::Broken(_) | Run::Lost(_) | Run::Conflict(..) => None,
    }
}

fn run_once<T, E: WorkError>(
    connection: &mut Connection,
    kind: Kind,
    work: &impl Fn(&dyn Session) -> Result<T, E>,
) -> Run<T, E> {
    if let Some(begin) = kind.begin()
        && let Err(error) = connection.client.batch_execute(begin)
    {
        return Run::Lost(Said::of(&error));
    }
    let session = PgSession::new(connection, kind);
    let result = work(&session);
    match (session.into_failure(), result) {
        (None, Ok(done)) => commit(connection, kind, done),
        (None, Err(error)) if error.is_conflict() => roll_back(connection, Run::Conflict(error, Failure::Overtaken)),
        (None, Err(error)) => roll_back(connection, Run::Ended(Err(error))),
        (Some((Failure::Lost, said)), _) => Run::Lost(said),
        (Some((Failure::ReadOnly, said)), _) if is_standby(connection) => Run::Lost(said),
        (Some((failure, said)), result) => {
            // The transaction can't be committed, even if the work ignored the error.
            let error = result.err().unwrap_or_else(|| kind.store_error(failure, said).into());
            let run = if kind.is_conflict(failure) { Run::Conflict(error, failure) } else { Run::Ended(Err(error)) };
            roll_back(connection, run)
        }
    }
}

/// True if a connection whose transaction failed is lost or leads to a standby.
fn is_standby(connection: &mut Connection) -> bool {
    connection.client.batch_execute("ROLLBACK").is_err() || connection.is_replica().unwrap_or(true)
}

fn commit<T, E: WorkError>(connection: &mut Connection, kind: Kind, done: T) -> Run<T, E> {
    if kind.begin().is_none() {
        return Run::Ended(Ok(done));
    }
    let Err(error) = connection.client.batch_execute("COMMIT") else { return Run::Ended(Ok(done)) };
    let (failure, said) = (Failure::of(&error), Said::of(&error));
    match failure {
        // A read has all its data before the commit.
        Failure::Lost if kind == Kind::Read => Run::Ended(Ok(done)),
        // The server may have committed before the connection was lost.
        Failure::Lost => Run::Broken(StoreError::CommitUnknown(Box::new(said)).into()),
        _ if kind.is_conflict(failure) => Run::Conflict(kind.store_error(failure, said).into(), failure),
        _ => Run::Broken(kind.store_error(failure, said).into()),
    }
}

/// Rolls back, so that the connection can be reused.
fn roll_back<T, E: WorkError>(connection: &mut Connection, run: Run<T, E>) -> Run<T, E> {
    match (connection.client.batch_execute("ROLLBACK"), run) {
        (Err(error), Run::Conflict(..)) => Run::Lost(Said::of(&error)),
        (Err(_), Run::Ended(Err(error))) => Run::Broken(error),
        (_, run) => run,
    }
}
