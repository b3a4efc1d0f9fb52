//! Metadata of a backup: the header at its beginning, and the manifest at its end.

use std::collections::BTreeMap;

use leadscribe_engine::api::Timestamp;
use serde::{Deserialize, Serialize};

use crate::storage::snapshot::TableContents;

/// Format version of backups that this program writes, and the newest that it reads. Version 1 had other names for some members.
pub const FORMAT_VERSION: u64 = 2;

/// The first entry: the data needed to decide whether the backup can be restored, and its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Format version of the backup. Programs of all versions read this member and the next.
    pub format: u64,
    /// Version of the program that wrote it.
    pub program: String,
    /// Version of the database schema.
    #[serde(alias = "schema")]
    pub schema_version: i64,
    /// Time at which the database was copied.
    #[serde(alias = "made_at")]
    pub created_at: Timestamp,
    /// Maximum number of entries that follow.
    #[serde(alias = "entries")]
    pub max_entries: u64,
    /// Maximum total size of the entries, in bytes.
    #[serde(alias = "bytes")]
    pub max_bytes: u64,
    pub recordings: RecordingsLocation,
}

/// Location of the recordings of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordingsLocation {
    /// In the backup.
    Included,
    /// In a bucket with this URL, which must be backed up separately.
    Bucket(String),
}

/// The last entry: lists everything before it, except the header.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The entries by path.
    pub files: BTreeMap<String, FileContents>,
    /// Contents of the database tables.
    pub tables: BTreeMap<String, TableContents>,
    /// Recordings of the database that are missing from the backup or damaged.
    #[serde(alias = "remarks")]
    pub recording_issues: Vec<RecordingIssue>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileContents {
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: String,
}

/// A recording that is missing from the backup or damaged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordingIssue {
    /// Key of the recording.
    pub recording: String,
    /// The problem.
    #[serde(alias = "left")]
    pub kind: RecordingIssueKind,
}

/// Problem with a recording of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordingIssueKind {
    /// It was purged or replaced during the backup.
    Purged,
    /// The database refers to it, but its file is missing or isn't a regular file.
    Missing,
    /// It is in the backup, but its content doesn't match the digest in its key.
    Damaged,
}
