//! What a copy of the embedded database holds: noted when a backup is made, and compared when it is restored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::RecordingKey;

/// What a database file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Version of its schema.
    pub schema: i64,
    /// Its tables by name, but for those that SQLite or an index keeps for itself.
    pub tables: BTreeMap<String, TableContents>,
    /// The recordings that its calls name, in the order of their keys.
    pub recordings: Vec<RecordingKey>,
}

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableContents {
    /// How many rows it has.
    pub rows: u64,
    /// SHA-256 over all values of all rows in the order of their keys, in hexadecimal. It doesn't depend on where in the
    /// file a row is.
    pub sha256: String,
}

/// Why a copy of the database could not be made or read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// There is nothing to copy.
    #[error("expected a database at {}, but there is none", .0.display())]
    None(std::path::PathBuf),
    /// No program of this kind made it.
    #[error("the file is no database of Leadscribe")]
    Foreign,
    /// A newer program has changed the schema.
    #[error(
        "the database has schema version {found}, but this program knows versions up to {known}: use the newer one"
    )]
    NewerSchema {
        /// Version of the file.
        found: i64,
        /// Newest version this program knows.
        known: i64,
    },
    /// SQLite finds fault with it.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// Anything else.
    #[error("the database could not be read")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}
