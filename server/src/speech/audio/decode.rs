//! Decodes a file part by part, with a constant sample rate and number of channels.

use std::fs::File;
use std::path::Path;

use super::AudioError;
use super::resample::Resampler;
use crate::recording::RecordingError;
use crate::recording::sound::AudioReader;

/// Maximum number of silent frames in a block.
const MAX_SILENT_FRAMES: u64 = 8_192;

/// Decodes a file.
pub(super) struct Decoder {
    reader: AudioReader,
    /// Latest part, decoded; empty after it was returned.
    part: Vec<Vec<f32>>,
    /// Sample rate of that part.
    part_rate: u32,
    /// Silent frames to return before that part in place of lost audio.
    silence: u64,
    /// One resampler for each channel, while the sample rate of the parts differs from that of most of the file.
    resamplers: Vec<Resampler>,
    /// Latest block: samples of each channel.
    block: Vec<Vec<f32>>,
}

/// A block of decoded audio.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    /// Sample rate, constant for a file.
    pub rate: u32,
    /// Samples of the 1 or 2 channels, from -1 to 1.
    pub channels: &'a [Vec<f32>],
}

impl Decoder {
    /// Opens a file.
    ///
    /// # Errors
    /// [`AudioError`] if the file isn't audio of a known encoding or can't be read.
    pub(super) fn open(path: &Path) -> Result<Self, AudioError> {
        let reader = AudioReader::open(File::open(path)?)?;
        let part_rate = reader.rate();
        let (part, block) = (Vec::new(), Vec::new());
        Ok(Self { reader, part, part_rate, silence: 0, resamplers: Vec::new(), block })
    }

    /// Returns the next block; `None` at the end. A truncated file simply ends. Lost or damaged audio is replaced by silence.
    ///
    /// # Errors
    /// [`AudioError`] if the file can't be read any further, or nothing or too little of it could be decoded.
    pub(super) fn next(&mut self) -> Result<Option<Block<'_>>, AudioError> {
        let channels = usize::from(self.reader.channels());
        loop {
            self.block.resize_with(channels, Vec::new);
            self.block.iter_mut().for_each(Vec::clear);
            if self.silence > 0 {
                let frames = self.silence.min(MAX_SILENT_FRAMES);
                self.silence -= frames;
                self.block.iter_mut().for_each(|channel| channel.resize(frames as usize, 0.0));
                self.resample()?;
            } else if !self.part.is_empty() {
                std::mem::swap(&mut self.block, &mut self.part);
                self.part.clear();
                self.resample()?;
            } else if let Some(part) = self.reader.next()? {
                if part.rate() != self.part_rate {
                    self.finish_resampling()?;
                    self.part_rate = part.rate();
                    if self.part_rate != self.reader.rate() {
                        for _ in 0..channels {
                            self.resamplers.push(Resampler::between(self.part_rate, self.reader.rate())?);
                        }
                    }
                }
                self.silence = part.lost_frames();
                self.reader.decode(&part, &mut self.part);
            } else {
                self.finish_resampling()?;
                if self.block.iter().all(Vec::is_empty) {
                    return Ok(None);
                }
            }
            if self.block.iter().any(|channel| !channel.is_empty()) {
                return Ok(Some(Block { rate: self.reader.rate(), channels: &self.block }));
            }
        }
    }

    /// Converts the block to the sample rate of most of the file.
    fn resample(&mut self) -> Result<(), AudioError> {
        for (channel, resampler) in self.block.iter_mut().zip(&mut self.resamplers) {
            let sound = std::mem::take(channel);
            resampler.push(&sound, channel)?;
        }
        Ok(())
    }

    /// Flushes the resamplers into the block and removes them.
    fn finish_resampling(&mut self) -> Result<(), AudioError> {
        for (channel, mut resampler) in self.block.iter_mut().zip(self.resamplers.drain(..)) {
            resampler.finish(channel)?;
        }
        Ok(())
    }

    /// Returns the length decoded so far, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.reader.seconds()
    }

    /// Returns the number of channels: 1 or 2.
    pub(super) fn channels(&self) -> u16 {
        self.reader.channels()
    }
}

impl From<RecordingError> for AudioError {
    fn from(error: RecordingError) -> Self {
        match error {
            RecordingError::Unusable(why) => Self::Unusable(why),
            RecordingError::Io(error) => Self::Io(error),
        }
    }
}
