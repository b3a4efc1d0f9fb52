//! Recordings: waveforms and playback.

pub mod playback;
pub mod waveform;
pub mod waveform_preview;
