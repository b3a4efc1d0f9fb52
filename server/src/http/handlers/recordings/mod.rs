//! Recordings of calls: upload, playback and waveform.

mod etag;
pub mod peaks;
pub mod play;
mod range;
pub mod upload;
