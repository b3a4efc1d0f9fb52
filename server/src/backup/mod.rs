//! Backup of an installation in one file: a copy of the embedded database, its recordings, and the options file of the data folder.
//!
//! The file is a tar archive compressed with zstd, so that it can be unpacked without this program. `manifest` defines its header and
//! manifest, `write` creates it, `read` unpacks and verifies it, and `place` moves the result to the data folder. This module doesn't
//! access the database: callers copy it and list its contents.

mod manifest;
mod place;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use manifest::{FORMAT, Header, Left, Manifest, Recordings, Remark};
pub use place::Place;
pub use read::{Read, expect_room, read};
pub use write::{Source, Written, write};

/// Progress of a backup or restore, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read or written.
    pub done: u64,
    /// Maximum total.
    pub total: u64,
}

/// Prefix of incomplete backup files.
pub const UNFINISHED: &str = ".leadscribe-backup-";

/// Name of the first entry.
const HEADER: &str = "leadscribe-backup.json";

/// The database entry, named as in the data folder.
const DATABASE: &str = "leadscribe.db";

/// The options entry, named as in the data folder.
const OPTIONS: &str = "leadscribe.toml";

/// The recordings folder, named as in the data folder.
const RECORDINGS: &str = "recordings";

/// Name of the last entry.
const MANIFEST: &str = "manifest.json";
