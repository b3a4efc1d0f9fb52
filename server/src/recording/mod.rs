//! Recordings: detection, decoding and storage of audio files.
//!
//! [`probe`] reads a file and determines its format; [`files`] stores the bytes in an object store, which is a folder or opened by [`s3`];
//! [`owner`] identifies the installation that owns them. `sound` reads a recording packet by packet, for [`probe`] and for
//! [`crate::speech::audio`]: `detect` recognizes formats by their first bytes, `wav` and `mpeg` find the packets of WAV and MP3, and
//! `symphonia_reader` those of FLAC and Ogg.
//!
//! Metadata of recordings is in the database, behind [`crate::storage::CallStore`]; [`crate::service::calls::recordings`] combines the two.
//! Nothing here accesses the database.

mod detect;
mod error;
pub(crate) mod files;
mod mpeg;
pub mod owner;
mod packet;
pub(crate) mod probe;
mod s3;
pub(crate) mod sound;
mod symphonia_reader;
#[cfg(test)]
mod testing;
mod wav;

pub use error::RecordingError;
pub use files::RecordingFiles;
pub use probe::{AudioProperties, probe};
pub use s3::is_remote_error;
