//! An installation in one file: a copy of the embedded database, the recordings it names, and the options of the data folder.
//!
//! The file is a tar archive compressed by zstd, so that what is in it can be had without this program too. `manifest` says
//! what stands at its beginning and end, `write` makes it, `read` takes it apart and believes nothing it says, `place` puts what
//! was taken apart where a data folder belongs. Nothing here knows how the database is copied or looked through: whoever
//! calls brings that along.

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

/// How far a backup or a restore is, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Read or written.
    pub done: u64,
    /// All there are, at most.
    pub total: u64,
}

/// What files of a backup are called until they are complete.
pub const UNFINISHED: &str = ".leadscribe-backup-";

/// The first entry.
const HEADER: &str = "leadscribe-backup.json";

/// The entry of the database, by its name in the data folder.
const DATABASE: &str = "leadscribe.db";

/// The entry of the options, by their name in the data folder.
const OPTIONS: &str = "leadscribe.toml";

/// The folder of the recordings, in the data folder too.
const RECORDINGS: &str = "recordings";

/// The last entry.
const MANIFEST: &str = "manifest.json";
