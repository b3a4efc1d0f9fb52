//! Contents of a copy of the embedded database: recorded when a backup is made, and compared when it is restored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::RecordingKey;

/// Contents of a database file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseContents {
    pub schema_version: i64,
    /// Tables by name, except internal tables of SQLite and of indexes.
    pub tables: BTreeMap<String, TableContents>,
    /// Recordings that calls refer to, ordered by key.
    pub recordings: Vec<RecordingKey>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableContents {
    pub rows: u64,
    /// SHA-256 over all values of all rows in key order, in hexadecimal. Independent of where rows are stored in the file.
    pub sha256: String,
}

/// A newer version of the program has changed the schema. This version could damage data that it doesn't know.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database has schema version {found}, but this program supports versions up to {known}; use the newer program"
)]
pub struct NewerSchema {
    /// Version of the database.
    pub found: i64,
    /// Newest version that this program knows.
    pub known: i64,
}

impl NewerSchema {
    /// Refuses a database whose schema version is newer than `known`.
    pub fn check(found: i64, known: i64) -> Result<(), Self> {
        if found > known { Err(Self { found, known }) } else { Ok(()) }
    }
}

/// Reason why a copy of the database could not be made or read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The database file doesn't exist.
    #[error("there is no database at {}", .0.display())]
    NotFound(std::path::PathBuf),
    /// The file was not created by this program.
    #[error("the file is not a Leadscribe database")]
    NotOurDatabase,
    /// A newer version of the program has changed the schema.
    #[error(transparent)]
    NewerSchema(#[from] NewerSchema),
    /// SQLite reports corruption.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// Any other failure.
    #[error("can't read the database")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}
