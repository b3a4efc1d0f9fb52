//! Runs work in a transaction and retries it when that is safe.

use std::time::Duration;

use super::connection::Connection;
use super::error::{Failure, ServerError};
use super::pool::Pool;
use super::session::PgSession;
use crate::storage::sql::{Session, WorkError};
use crate::storage::{Result, StoreError};

/// Maximum number of runs of work that conflicts. In each conflict one of the transactions commits, so this is enough for about as many
/// concurrent transactions on the same rows.
const MAX_ATTEMPTS: u32 = 40;

/// Maximum pause before a retry; the first pauses are shorter.
const MAX_RETRY_DELAY: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TransactionKind {
    /// Single statement without an explicit transaction.
    SingleStatement,
    /// Read-only snapshot.
    Read,
    /// Serializable write.
    Write,
    /// Work that locks the rows it depends on, such as the next unlocked entry of a queue.
    Locking,
}

impl TransactionKind {
    /// Statement that starts the transaction; `None` if no explicit transaction is used.
    fn begin_statement(self) -> Option<&'static str> {
        match self {
            Self::SingleStatement => None,
            Self::Read => Some("START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
            Self::Write => Some("START TRANSACTION ISOLATION LEVEL SERIALIZABLE"),
            Self::Locking => Some("START TRANSACTION ISOLATION LEVEL READ COMMITTED"),
        }
    }

    /// True if a conflict may be the reason for the failure, so that the work is retried. A write may violate a constraint because of a row
    /// committed after its check. On retry the check finds the row and the write is refused properly.
    fn is_conflict(self, failure: Failure) -> bool {
        failure == Failure::SerializationConflict || failure == Failure::ConstraintViolation && self == Self::Write
    }

    /// Store error that the work receives for a failed statement.
    pub(super) fn store_error(self, failure: Failure, error: ServerError) -> StoreError {
        if self.is_conflict(failure) { StoreError::Conflict(Box::new(error)) } else { failure.store_error(error) }
    }
}

enum RunOutcome<T, E> {
    /// The work ended with its result or its own error. The connection can be reused.
    Ended(Result<T, E>),
    /// The work failed, and the connection may be broken.
    Failed(E),
    /// The connection was lost before the commit was sent, so nothing is written.
    ConnectionLost(ServerError),
    /// Another transaction conflicted; nothing is written.
    Conflict(E, Failure),
}

/// Runs `work` on a connection of the pool. Blocks.
pub(super) fn run<T, E: WorkError>(
    pool: &Pool,
    kind: TransactionKind,
    work: impl Fn(&dyn Session) -> Result<T, E>,
) -> Result<T, E> {
    let mut has_reconnected = false;
    let mut attempts = 0;
    loop {
        let mut connection = pool.check_out()?;
        match run_once(&mut connection, kind, &work) {
            RunOutcome::Ended(result) => {
                pool.check_in(connection);
                return result;
            }
            RunOutcome::Failed(error) => return Err(error),
            RunOutcome::ConnectionLost(server_error) if has_reconnected => {
                return Err(StoreError::Unavailable(Box::new(server_error)).into());
            }
            RunOutcome::ConnectionLost(_) => {
                has_reconnected = true;
                pool.reset();
            }
            RunOutcome::Conflict(error, failure) => {
                pool.check_in(connection);
                attempts += 1;
                if attempts == MAX_ATTEMPTS {
                    return Err(final_error(error, failure));
                }
                std::thread::sleep(retry_delay(attempts));
            }
        }
    }
}

/// Error after the last attempt. A serialization conflict may succeed later; a constraint violation won't.
fn final_error<E: WorkError>(error: E, failure: Failure) -> E {
    let cause = format!("concurrent writes conflicted {MAX_ATTEMPTS} times").into();
    match failure {
        Failure::SerializationConflict => StoreError::Busy(cause).into(),
        _ => error,
    }
}

/// Random pause that grows with each attempt, so that the same transactions don't collide again.
fn retry_delay(attempts: u32) -> Duration {
    let max_delay = Duration::from_millis(1 << attempts.min(10)).min(MAX_RETRY_DELAY);
    max_delay.mul_f64(rand::random())
}

/// Runs a read on this connection. `None` if it failed for a reason that may not affect another connection; then this connection can't be
/// reused.
pub(super) fn read_once<T>(
    connection: &mut Connection,
    work: &impl Fn(&dyn Session) -> Result<T>,
) -> Option<Result<T>> {
    match run_once(connection, TransactionKind::Read, work) {
        RunOutcome::Ended(result) => Some(result),
        RunOutcome::Failed(_) | RunOutcome::ConnectionLost(_) | RunOutcome::Conflict(..) => None,
    }
}

fn run_once<T, E: WorkError>(
    connection: &mut Connection,
    kind: TransactionKind,
    work: &impl Fn(&dyn Session) -> Result<T, E>,
) -> RunOutcome<T, E> {
    if let Some(begin) = kind.begin_statement()
        && let Err(error) = connection.client.batch_execute(begin)
    {
        return RunOutcome::ConnectionLost(ServerError::from_error(&error));
    }
    let session = PgSession::new(connection, kind);
    let result = work(&session);
    match (session.into_failure(), result) {
        (None, Ok(value)) => commit(connection, kind, value),
        (None, Err(error)) if error.is_conflict() => {
            roll_back(connection, RunOutcome::Conflict(error, Failure::SerializationConflict))
        }
        (None, Err(error)) => roll_back(connection, RunOutcome::Ended(Err(error))),
        (Some((Failure::ConnectionLost, server_error)), _) => RunOutcome::ConnectionLost(server_error),
        (Some((Failure::ReadOnly, server_error)), _) if is_standby(connection) => {
            RunOutcome::ConnectionLost(server_error)
        }
        (Some((failure, server_error)), result) => {
            // The transaction can't be committed, even if the work ignored the error.
            let error = result.err().unwrap_or_else(|| kind.store_error(failure, server_error).into());
            let run = if kind.is_conflict(failure) {
                RunOutcome::Conflict(error, failure)
            } else {
                RunOutcome::Ended(Err(error))
            };
            roll_back(connection, run)
        }
    }
}

/// True if a connection whose transaction failed is lost or leads to a standby.
fn is_standby(connection: &mut Connection) -> bool {
    connection.client.batch_execute("ROLLBACK").is_err() || connection.is_replica().unwrap_or(true)
}

fn commit<T, E: WorkError>(connection: &mut Connection, kind: TransactionKind, value: T) -> RunOutcome<T, E> {
    if kind.begin_statement().is_none() {
        return RunOutcome::Ended(Ok(value));
    }
    let Err(error) = connection.client.batch_execute("COMMIT") else { return RunOutcome::Ended(Ok(value)) };
    let (failure, server_error) = (Failure::classify(&error), ServerError::from_error(&error));
    match failure {
        // A read has all its data before the commit.
        Failure::ConnectionLost if kind == TransactionKind::Read => RunOutcome::Ended(Ok(value)),
        // The server may have committed before the connection was lost.
        Failure::ConnectionLost => RunOutcome::Failed(StoreError::CommitUnknown(Box::new(server_error)).into()),
        _ if kind.is_conflict(failure) => RunOutcome::Conflict(kind.store_error(failure, server_error).into(), failure),
        _ => RunOutcome::Failed(kind.store_error(failure, server_error).into()),
    }
}

/// Rolls back, so that the connection can be reused.
fn roll_back<T, E: WorkError>(connection: &mut Connection, run: RunOutcome<T, E>) -> RunOutcome<T, E> {
    match (connection.client.batch_execute("ROLLBACK"), run) {
        (Err(error), RunOutcome::Conflict(..)) => RunOutcome::ConnectionLost(ServerError::from_error(&error)),
        (Err(_), RunOutcome::Ended(Err(error))) => RunOutcome::Failed(error),
        (_, run) => run,
    }
}
