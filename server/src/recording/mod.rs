//! Recordings: what an audio file holds, and where its bytes are kept.
//!
//! [`probe`] reads a file and says what it is; [`files`] keeps the bytes in an object store, which is a folder, or what
//! [`s3`] opens; [`owner`] says whose they are. `sound` reads a recording packet by packet, for [`probe`] and for
//! [`crate::speech::audio`]: `detect` tells formats by their first bytes, `wav` and `mpeg` find the packets of WAV and
//! MP3, and `library` those of FLAC and Ogg.
//! What is known of a recording is in the database, behind [`crate::storage::CallStore`]; the use cases that bring the
//! two together are in [`crate::service::recordings`]. Nothing here knows calls, HTTP or the database.

mod detect;
mod error;
pub mod files;
mod library;
mod mpeg;
pub mod owner;
mod packet;
pub mod probe;
mod s3;
pub(crate) mod sound;
#[cfg(test)]
mod testing;
mod wav;

pub use error::RecordingError;
pub use files::RecordingFiles;
pub use probe::{Audio, probe};
