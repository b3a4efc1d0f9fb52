//! Errors of copying a database.

use std::path::PathBuf;

use crate::storage::StoreError;
use crate::storage::postgres::OpenError;

/// Reason why a database was not copied. Rows are named by table and key; no other values are shown.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The source doesn't exist.
    #[error("there is no database at {}", .0.display())]
    SourceNotFound(PathBuf),
    /// The source is in use. Writes during or after the copy would be lost.
    #[error("the database {} is in use; stop the server and other programs that use it", .0.display())]
    SourceInUse(PathBuf),
    /// The file's schema is older than this program.
    #[error(
        "the database {} has schema version {found}, but this program copies version {expected}; run `leadscribe \
         migrate` on the data folder first, without --database-url",
        path.display()
    )]
    OlderSchema {
        /// Path of the file.
        path: PathBuf,
        /// Schema version of the file.
        found: i64,
        /// Schema version of this program.
        expected: i64,
    },
    /// The file's schema is newer than this program.
    #[error(
        "the database {} has schema version {found}, but this program copies version {expected}; use the newer program",
        path.display()
    )]
    NewerSchema {
        /// Path of the file.
        path: PathBuf,
        /// Schema version of the file.
        found: i64,
        /// Schema version of this program.
        expected: i64,
    },
    /// This program would not copy a table completely.
    #[error("the tables of the two databases differ: {0}")]
    TableMismatch(String),
    #[error("the PostgreSQL database is not empty: it contains {0}")]
    TargetNotEmpty(String),
    /// PostgreSQL can't represent a value.
    #[error("{row}: {column} contains {reason}, which PostgreSQL can't store")]
    UnsupportedValue {
        row: String,
        column: String,
        /// Description of the value.
        reason: &'static str,
    },
    /// PostgreSQL refuses a row.
    #[error("{row}: PostgreSQL rejected this row")]
    RowRefused {
        /// Rejected row.
        row: String,
        /// Error of PostgreSQL.
        #[source]
        cause: StoreError,
    },
    /// A value differs from the source.
    #[error("{row}: {column} differs between the databases")]
    ValueMismatch { row: String, column: String },
    /// A row is replaced by another one.
    #[error("expected the row `{expected}` in the PostgreSQL database, found `{found}`")]
    RowMismatch {
        /// Row of the source.
        expected: String,
        /// Row of the target in its place.
        found: String,
    },
    /// A row exists only in the target.
    #[error("{row}: this row is only in the PostgreSQL database")]
    ExtraRow { row: String },
    /// A row exists only in the source.
    #[error("{row}: this row is not in the PostgreSQL database")]
    MissingRow { row: String },
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

impl From<CopyError> for StoreError {
    fn from(error: CopyError) -> Self {
        match error {
            CopyError::Store(error) => error,
            // Wrapped so that it can be returned from a transaction.
            other => Self::Failed(Box::new(other)),
        }
    }
}

impl From<StoreError> for CopyError {
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
