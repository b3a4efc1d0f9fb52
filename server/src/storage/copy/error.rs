//! Why a database was not copied.

use std::path::PathBuf;

use crate::storage::StoreError;
use crate::storage::postgres::OpenError;

/// A database was not copied. Rows are named by table and key, and no value is shown but those of keys.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// There is nothing to copy.
    #[error("expected a database at {}, but there is none", .0.display())]
    NoSource(PathBuf),
    /// What others write while it is copied, or after it was, would be lost.
    #[error("the database {} is in use: stop the server first, and whatever else works with it", .0.display())]
    InUse(PathBuf),
    /// The file's schema is older than this program's.
    #[error(
        "the database {} has schema version {found}, but this program copies version {expected}: \
         run `leadscribe migrate` of this program on the data folder alone first",
        path.display()
    )]
    OlderSource {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The version of this program.
        expected: i64,
    },
    /// A newer program has changed the file's schema.
    #[error(
        "the database {} has schema version {found}, but this program copies version {expected}: \
         use the newer program, which wrote it",
        path.display()
    )]
    NewerSource {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The version of this program.
        expected: i64,
    },
    /// A table that this program would not copy whole.
    #[error("expected the same tables in both databases, but {0}")]
    Tables(String),
    /// Something is in the target.
    #[error("expected an empty PostgreSQL database, but it holds {0}")]
    NotEmpty(String),
    /// PostgreSQL has no such value.
    #[error("{row}: {column} holds {why}, which PostgreSQL can't")]
    Unfit {
        /// The row.
        row: String,
        /// The column.
        column: String,
        /// What it holds.
        why: &'static str,
    },
    /// PostgreSQL doesn't take a row.
    #[error("{row}: PostgreSQL refuses this row")]
    Refused {
        /// The row.
        row: String,
        /// What it says.
        #[source]
        cause: StoreError,
    },
    /// A value is not what was copied.
    #[error("{row}: {column} is not the same in both databases")]
    Different {
        /// The row.
        row: String,
        /// The column.
        column: String,
    },
    /// A row is not where it should be.
    #[error("expected the row `{expected}` in the PostgreSQL database, found `{found}`")]
    OtherRow {
        /// The row of the source.
        expected: String,
        /// The row of the target in its place.
        found: String,
    },
    /// A row is only in the target.
    #[error("{row}: this row is only in the PostgreSQL database")]
    Surplus {
        /// The row.
        row: String,
    },
    /// A row is only in the source.
    #[error("{row}: this row is not in the PostgreSQL database")]
    Missing {
        /// The row.
        row: String,
    },
    /// The source can't be read.
    #[error("the database in the data folder could not be read")]
    Source(#[from] rusqlite::Error),
    /// The target can't be opened.
    #[error("can't open the PostgreSQL database of --database-url")]
    Open(#[from] OpenError),
    /// The target failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<MoveError> for StoreError {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Store(error) => error,
            // Wrapped for its way through a transaction.
            other => Self::Failed(Box::new(other)),
        }
    }
}

impl From<StoreError> for MoveError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Failed(cause) => match cause.downcast() {
                Ok(own) => *own,
                Err(other) => Self::Store(StoreError::Failed(other)),
            },
            other => Self::Store(other),
        }
    }
}
