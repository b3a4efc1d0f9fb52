//! Errors of SQLite, classified by how callers can handle them.

use rusqlite::ErrorCode;

use crate::storage::StoreError;
use crate::storage::snapshot::NewerSchema;

/// Reason why the file couldn't be opened as a store.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A newer version of the program has changed the schema.
    #[error(transparent)]
    NewerSchema(#[from] NewerSchema),
    /// The schema migration failed.
    #[error("can't upgrade the database's schema")]
    Migration(#[source] refinery::Error),
    /// Commits would not be durable.
    #[error("SQLite doesn't accept synchronous=FULL (2); it reports {0}")]
    NotDurable(i64),
    /// Readers would block the writer.
    #[error("SQLite doesn't accept journal_mode=wal; it reports {0}; is the data folder on a network drive?")]
    JournalMode(String),
    /// Any other error.
    #[error("can't open the database")]
    Sqlite(#[from] rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let is_temporary = matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::DiskFull
                    | ErrorCode::ReadOnly
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::CannotOpen
                    | ErrorCode::OutOfMemory
            )
        );
        if is_temporary { Self::Unavailable(Box::new(error)) } else { Self::Failed(Box::new(error)) }
    }
}

/// True if another process has locked the file.
pub(super) fn is_locked(error: &StoreError) -> bool {
    let StoreError::Unavailable(cause) = error else { return false };
    let cause = cause.downcast_ref::<rusqlite::Error>().and_then(rusqlite::Error::sqlite_error_code);
    cause == Some(ErrorCode::DatabaseBusy)
}
