//! Splits a recording into pieces of speech, and computes its waveform.
//!
//! Files are decoded as a stream. Memory holds at most one piece of speech, whatever the length of the file. All functions
//! block. This module doesn't depend on a recognizer.

use std::path::Path;

use leadscribe_engine::diagnostic::Message;

use super::Samples;
use channels::{ChannelAnalysis, ChannelRelation, Delay, SameSoundCheck, SameSoundPaths};
use decode::{Block, Decoder};
use echo_path::{EchoCanceller, EchoPath};
use peaks::PeakAccumulator;
use piece_splitter::PieceSplitter;
use resample::Resampler;

pub use channels::EchoPaths;
pub(super) use quietest::find_quietest;
pub use waveform::Waveform;

mod channels;
mod decode;
mod echo_path;
mod music;
mod peaks;
mod piece_splitter;
mod quietest;
mod resample;
mod voice;
mod waveform;

/// Channel of a recording to process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Left channel of two.
    Left,
    /// Right channel of two.
    Right,
    /// The only channel, or both mixed.
    Mixed,
}

/// Channel layout of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Number of channels, 1 or 2.
    pub channels: u16,
    /// Length in seconds, as decoded.
    pub seconds: f64,
    /// True if there are two channels with the same sound. One may be quieter, inverted, delayed or noisier.
    pub has_equal_channels: bool,
    /// Echo paths between the two channels.
    pub echoes: EchoPaths,
}

impl Layout {
    /// Returns the echo path from the other channel into this one, if there is one.
    fn echo_path_into(&self, channel: Channel) -> Option<&EchoPath> {
        match channel {
            Channel::Left => self.echoes.into_left.as_ref(),
            Channel::Right => self.echoes.into_right.as_ref(),
            Channel::Mixed => None,
        }
    }
}

/// Reason why a recording can't be processed.
#[derive(Debug, thiserror::Error)]
pub enum AudioError {
    /// The file isn't audio or is damaged; a retry would fail. The text is for staff.
    #[error("{0}")]
    Unusable(Message),
    /// The file can't be read.
    #[error("the file can't be read")]
    Io(#[from] std::io::Error),
}

/// A piece of speech.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Start, in seconds from the beginning of the recording.
    pub start: f64,
    /// Sound, at most [`MAX_PIECE_SECONDS`](super::MAX_PIECE_SECONDS).
    pub samples: Samples,
    /// Sections with voice: start and end in seconds from the beginning of the recording, in order.
    pub voiced: Vec<(f64, f64)>,
}

/// Summary of a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeechSummary {
    /// Length of the channel, in seconds.
    pub seconds: f64,
    /// Total length of speech, in seconds.
    pub speech_seconds: f64,
    /// Silent sections outside all pieces: start and end in seconds, in order.
    pub silences: Vec<(f64, f64)>,
}

/// Decodes a recording and returns its channel layout.
///
/// # Errors
/// [`AudioError`] if it can't be decoded or read.
pub fn detect_layout(path: &Path) -> Result<Layout, AudioError> {
    let mut decoder = Decoder::open(path)?;
    let mut analysis = ChannelAnalysis::new();
    for_each_stereo_block(&mut decoder, |left, right| {
        analysis.push(left, right);
        true
    })?;
    let mut layout = Layout {
        channels: decoder.channels(),
        seconds: decoder.seconds(),
        has_equal_channels: false,
        echoes: EchoPaths::default(),
    };
    if layout.channels == 2 {
        match analysis.finish() {
            ChannelRelation::Silent => layout.has_equal_channels = true,
            ChannelRelation::Different(echoes) => layout.echoes = echoes,
            ChannelRelation::MaybeSame(delay, echoes) => {
                layout.has_equal_channels = is_same_sound(path, delay)?;
                if !layout.has_equal_channels {
                    layout.echoes = echoes;
                }
            }
        }
    }
    Ok(layout)
}

/// Returns whether both channels of a recording carry the same sound with this delay.
fn is_same_sound(path: &Path, delay: Delay) -> Result<bool, AudioError> {
    let mut estimate = SameSoundPaths::new(delay);
    for_each_stereo_block(&mut Decoder::open(path)?, |left, right| {
        estimate.push(left, right);
        true
    })?;
    let paths = estimate.finish();
    if paths.iter().all(Option::is_none) {
        return Ok(false);
    }
    let mut comparison = SameSoundCheck::new(delay, &paths);
    for_each_stereo_block(&mut Decoder::open(path)?, |left, right| {
        comparison.push(left, right);
        true
    })?;
    Ok(comparison.finish())
}

/// Decodes the rest of a recording and passes both channels, if there are two, to `take` until `take` returns false.
fn for_each_stereo_block(
    decoder: &mut Decoder,
    mut take: impl FnMut(&[f32], &[f32]) -> bool,
) -> Result<(), AudioError> {
    let mut converters = Vec::new();
    let mut converted = [Vec::new(), Vec::new()];
    while let Some(Block { rate, channels }) = decoder.next()? {
        if let [left, right] = channels {
            if converters.is_empty() {
                converters = vec![Resampler::new(rate)?, Resampler::new(rate)?];
            }
            for ((converter, sound), converted) in converters.iter_mut().zip([left, right]).zip(&mut converted) {
                converter.push(sound, converted)?;
            }
            if !take(&converted[0], &converted[1]) {
                return Ok(());
            }
            converted.iter_mut().for_each(Vec::clear);
        }
    }
    for (converter, converted) in converters.iter_mut().zip(&mut converted) {
        converter.finish(converted)?;
    }
    take(&converted[0], &converted[1]);
    Ok(())
}

/// Decodes a channel, detects speech, and passes it to `take` piece by piece, in order, until `take` returns false. The
/// summary then covers the part processed so far. `channel` is ignored for a recording with one channel. The echo of the
/// other channel, as found by [`detect_layout`], doesn't count as speech.
///
/// # Errors
/// [`AudioError`] if it can't be decoded or read.
pub fn split_into_pieces(
    path: &Path,
    channel: Channel,
    layout: &Layout,
    take: impl FnMut(Piece) -> bool,
) -> Result<SpeechSummary, AudioError> {
    let mut decoder = Decoder::open(path)?;
    let mut splitter = PieceSplitter::new(take);
    if let Some(echo) = layout.echo_path_into(channel) {
        let mut canceller = EchoCanceller::new(echo);
        for_each_stereo_block(&mut decoder, |left, right| {
            let (near, far) = if channel == Channel::Left { (left, right) } else { (right, left) };
            let (near, without_echo) = canceller.push(near, far);
            splitter.push(&near, &without_echo)
        })?;
        let (near, without_echo) = canceller.finish();
        splitter.push(&near, &without_echo);
        return Ok(splitter.finish());
    }
    let mut resampler = None;
    let mut mixed = Vec::new();
    let mut converted = Vec::new();
    while let Some(block) = decoder.next()? {
        let sound = match (block.channels, channel) {
            ([left, _], Channel::Left) => left,
            ([_, right], Channel::Right) => right,
            ([left, right], Channel::Mixed) => {
                mixed.clear();
                mixed.extend(left.iter().zip(right).map(|(left, right)| (left + right) / 2.0));
                &mixed
            }
            ([only, ..], _) => only,
            ([], _) => continue,
        };
        let resampler = match &mut resampler {
            Some(resampler) => resampler,
            none => none.insert(Resampler::new(block.rate)?),
        };
        resampler.push(sound, &mut converted)?;
        if !splitter.push(&converted, &converted) {
            return Ok(splitter.finish());
        }
        converted.clear();
    }
    if let Some(mut resampler) = resampler {
        resampler.finish(&mut converted)?;
        splitter.push(&converted, &converted);
    }
    Ok(splitter.finish())
}

/// Decodes a recording and returns its waveform.
///
/// # Errors
/// [`AudioError`] if it can't be decoded or read.
pub fn compute_waveform(path: &Path) -> Result<Waveform, AudioError> {
    let mut decoder = Decoder::open(path)?;
    let mut channels: Vec<PeakAccumulator> = Vec::new();
    while let Some(block) = decoder.next()? {
        channels.resize_with(block.channels.len(), PeakAccumulator::new);
        for (accumulator, samples) in channels.iter_mut().zip(block.channels) {
            accumulator.push(samples);
        }
    }
    Ok(Waveform { seconds: decoder.seconds(), channels: channels.iter().map(PeakAccumulator::finish).collect() })
}

#[cfg(test)]
mod tests;
