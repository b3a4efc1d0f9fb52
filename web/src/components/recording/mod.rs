//! Recordings: their waveforms, and playing them.

pub mod playback;
pub mod player;
pub mod preview;
pub mod uploads;
pub mod waveform;
