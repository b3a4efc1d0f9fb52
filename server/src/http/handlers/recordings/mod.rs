//! Recordings of calls: upload, playback and waveform.

pub mod peaks;
pub mod play;
mod range;
pub mod upload;
