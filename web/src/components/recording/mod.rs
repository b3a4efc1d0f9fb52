//! Recordings: waveforms and playback.

pub mod playback;
pub mod player;
pub mod preview;
pub mod uploads;
pub mod waveform;
