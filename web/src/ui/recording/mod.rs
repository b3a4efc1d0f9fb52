//! Recordings: waveforms and playback.

pub mod playback;
pub mod player;
pub mod waveform;
pub mod waveform_cache;
pub mod waveform_preview;
