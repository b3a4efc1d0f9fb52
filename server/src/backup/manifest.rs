//! What a backup says of itself: at its beginning what will come, at its end what came.

use std::collections::BTreeMap;

use leadscribe_engine::api::Timestamp;
use serde::{Deserialize, Serialize};

use crate::storage::snapshot::TableContents;

/// The form of backups that this program makes, and the newest it reads.
pub const FORMAT: u64 = 1;

/// The first entry: what is needed to tell whether the rest can be read, and how much room it takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The form of the backup.
    pub format: u64,
    /// Version of the program that made it.
    pub program: String,
    /// Version of the database's schema.
    pub schema: i64,
    /// When the database was copied.
    pub made_at: Timestamp,
    /// How many entries follow at most.
    pub entries: u64,
    /// How many bytes they have together at most.
    pub bytes: u64,
    /// Where the recordings are.
    pub recordings: Recordings,
}

/// Where the recordings of a backup are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recordings {
    /// In the backup.
    Included,
    /// In a bucket of their own, which must be backed up apart: its URL.
    Bucket(String),
}

/// The last entry: everything that came before it, but for the header.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The entries by their paths.
    pub files: BTreeMap<String, FileContents>,
    /// What the tables of the database hold.
    pub tables: BTreeMap<String, TableContents>,
    /// Recordings that the database names and something is to be said about.
    pub remarks: Vec<Remark>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileContents {
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// What is to be said about a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// Its key.
    pub recording: String,
    /// What it is.
    pub left: Left,
}

/// Why a recording that the database names isn't in the backup as it was stored once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Left {
    /// It was purged or replaced while the backup was made.
    Purged,
    /// It was missing, or no plain file, and still is.
    Missing,
    /// It is in the backup, but its bytes are no longer those that were stored.
    Damaged,
}
