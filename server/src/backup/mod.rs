//! Backup of an installation in one file: a copy of the embedded database, its recordings, and the options file of the data folder.
//!
//! The file is a tar archive compressed with zstd, so that it can be unpacked without this program. `manifest` defines its header and
//! manifest, `writer` creates it, `reader` unpacks and verifies it, and `restore_target` moves the result to the data folder. This module
//! doesn't access the database: callers copy it and list its contents.

mod manifest;
mod reader;
mod restore_target;
#[cfg(test)]
mod tests;
mod writer;

pub use manifest::{RecordingIssueKind, RecordingsLocation};
pub use reader::{UnpackedBackup, ensure_free_space, unpack};
pub use restore_target::RestoreTarget;
pub use writer::{BackupSource, BackupSummary, write};

/// Progress of a backup or restore, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read or written.
    pub done: u64,
    /// Maximum total.
    pub total: u64,
}

/// Prefix of incomplete backup files.
pub const UNFINISHED_PREFIX: &str = ".leadscribe-backup-";

const HEADER_ENTRY: &str = "leadscribe-backup.json";

/// The database entry, named as in the data folder.
const DATABASE_ENTRY: &str = "leadscribe.db";

/// The options entry, named as in the data folder.
const OPTIONS_ENTRY: &str = "leadscribe.toml";

/// The recordings folder, named as in the data folder.
const RECORDINGS_FOLDER: &str = "recordings";

const MANIFEST_ENTRY: &str = "manifest.json";
