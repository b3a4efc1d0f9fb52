//! Recordings: what an audio file holds, and where its bytes are kept.
//!
//! [`probe`] reads a file with the decoding library and says what it is; [`files`] keeps the bytes in an object store,
//! which is a folder, or what [`s3`] opens; [`owner`] says whose they are.
//! `open` finds the decoder of a file, also for [`crate::speech::audio`], and mends the headers of WAV files first.
//! What is known of a recording is in the database, behind [`crate::storage::CallStore`]; the use cases that bring the
//! two together are in [`crate::service::recordings`]. Nothing here knows calls, HTTP or the database.

pub mod files;
pub(crate) mod open;
pub mod owner;
pub mod probe;
mod s3;
mod wav;

pub use files::RecordingFiles;
pub use probe::{Audio, ProbeError, probe};
