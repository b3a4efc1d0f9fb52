//! Decodes a file packet by packet.

use std::fs::File;
use std::path::Path;

use symphonia::core::codecs::audio::AudioDecoder;
use symphonia::core::errors::Error as SymphoniaError;
use symphonia::core::formats::{FormatReader, TrackType};

use super::AudioError;
use crate::recording::open::{at_end, decoder, open};
use crate::recording::probe::MAX_SECONDS;

/// Decodes a file.
pub(super) struct Decoder {
    format: Box<dyn FormatReader>,
    decoder: Box<dyn AudioDecoder>,
    track: u32,
    /// The latest packet: samples of each channel.
    channels: Vec<Vec<f32>>,
    /// Channels and samples a second, as first decoded.
    shape: Option<(usize, u32)>,
    /// Samples of a channel that were decoded.
    frames: u64,
    /// Packets that were decoded.
    decoded: u64,
    /// Packets that could not be.
    broken: u64,
}

/// Some of a recording's sound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    /// Samples a second, the same for all of a file.
    pub rate: u32,
    /// Samples of each of the 1 or 2 channels, from -1 to 1.
    pub channels: &'a [Vec<f32>],
}

impl Decoder {
    /// # Errors
    /// [`AudioError`] when it isn't audio of a known encoding, or can't be read.
    pub(super) fn open(path: &Path) -> Result<Self, AudioError> {
        let format = open(File::open(path)?).or_else(|error| match error {
            SymphoniaError::IoError(error) if !at_end(&error) => Err(AudioError::Io(error)),
            _ => unusable("expected an audio file, found something else"),
        })?;
        let track = format.default_track(TrackType::Audio);
        let Some((track, decoder)) = track.and_then(|track| Some((track.id, decoder(track)?))) else {
            return unusable("the recording is in an encoding that can't be decoded");
        };
        Ok(Self { format, decoder, track, channels: Vec::new(), shape: None, frames: 0, decoded: 0, broken: 0 })
    }

    /// What comes next; none at the end. A file that breaks off ends there, and damaged packets are skipped.
    ///
    /// # Errors
    /// [`AudioError`] when the file can't be used any further, or nothing or too little of it could be decoded.
    pub(super) fn next(&mut self) -> Result<Option<Block<'_>>, AudioError> {
        loop {
            let packet = match self.format.next_packet() {
                Ok(Some(packet)) if packet.track_id == self.track => packet,
                Ok(Some(_)) => continue,
                Err(SymphoniaError::IoError(error)) if !at_end(&error) => return Err(AudioError::Io(error)),
                Err(SymphoniaError::ResetRequired) => {
                    return unusable("expected one recording, found several chained in one file");
                }
                Ok(None) | Err(_) => return self.end(),
            };
            match self.decoder.decode(&packet) {
                Ok(sound) if sound.frames() == 0 => {}
                Ok(sound) => {
                    let shape = (sound.spec().channels().count(), sound.spec().rate());
                    if *self.shape.get_or_insert(shape) != shape {
                        return unusable("the number of channels or the sample rate changes in the middle");
                    }
                    if !(1..=2).contains(&shape.0) || shape.1 == 0 {
                        return unusable("expected 1 or 2 channels with sound");
                    }
                    self.decoded += 1;
                    self.frames += sound.frames() as u64;
                    if self.frames as f64 > MAX_SECONDS * f64::from(shape.1) {
                        return unusable("expected at most 24 hours, found more");
                    }
                    sound.copy_to_vecs_planar(&mut self.channels);
                    for sample in self.channels.iter_mut().flatten() {
                        // Floating point can hold anything, and decoders overshoot.
                        *sample = if sample.is_finite() { sample.clamp(-1.0, 1.0) } else { 0.0 };
                    }
                    return Ok(Some(Block { rate: shape.1, channels: &self.channels }));
                }
                Err(_) => self.broken += 1,
            }
        }
    }

    /// How much was decoded so far, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.shape.map_or(0.0, |(_, rate)| self.frames as f64 / f64::from(rate))
    }

    /// How many channels there are; 0 before the first block.
    pub(super) fn channels(&self) -> u16 {
        self.shape.map_or(0, |(channels, _)| u16::try_from(channels).unwrap_or(u16::MAX))
    }

    /// At the end of the file.
    fn end(&self) -> Result<Option<Block<'_>>, AudioError> {
        match (self.decoded, self.broken) {
            (0, _) => unusable("the recording holds no sound that can be decoded"),
            (decoded, broken) if broken > decoded => unusable("the recording is damaged: most of it can't be decoded"),
            _ => Ok(None),
        }
    }
}

fn unusable<T>(why: &str) -> Result<T, AudioError> {
    Err(AudioError::Unusable(why.to_owned()))
}
