//! From a recording's file to pieces of speech, and the outline of its loudness.
//!
//! A file is decoded from its beginning to its end, a packet at a time; nothing here holds more of it than one piece of
//! speech, so that a day of sound takes no more memory than a minute. Everything here blocks. It knows no recogniser.

use std::path::Path;

use super::Samples;
use channels::{ChannelAnalysis, Delay, Relation, SamePaths, SameSound};
use cut::Cutter;
use decode::{Block, Decoder};
use echo_path::{EchoCanceller, EchoPath};
use peaks::Loudest;
use resample::Resampler;

pub use channels::Echoes;
pub use outline::Outline;
pub(super) use quietest::quietest;

mod channels;
mod cut;
mod decode;
mod echo_path;
mod music;
mod outline;
mod peaks;
mod quietest;
mod resample;
mod voice;

/// What of a recording is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// The left one of two.
    Left,
    /// The right one of two.
    Right,
    /// The only one, or both as one.
    Mixed,
}

/// What a recording consists of.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// 1 or 2.
    pub channels: u16,
    /// Length in seconds, as decoded.
    pub seconds: f64,
    /// There are two channels, and they carry the same sound. One may be softer, inverted, delayed or noisier.
    pub equal: bool,
    /// How each of two channels leaks into the other one.
    pub echoes: Echoes,
}

impl Layout {
    /// The path from the other channel into this one, if there is one.
    fn echo_in(&self, channel: Channel) -> Option<&EchoPath> {
        match channel {
            Channel::Left => self.echoes.into_left.as_ref(),
            Channel::Right => self.echoes.into_right.as_ref(),
            Channel::Mixed => None,
        }
    }
}

/// A recording can't be listened to.
#[derive(Debug, thiserror::Error)]
pub enum AudioError {
    /// It isn't audio, or is damaged, and will be the next time; the text is for staff.
    #[error("{0}")]
    Unusable(String),
    /// The file can't be read.
    #[error("the file can't be read")]
    Io(#[from] std::io::Error),
}

/// A stretch of speech.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// When it begins, in seconds from the beginning of the recording.
    pub start: f64,
    /// Its sound, at most [`MAX_PIECE_SECONDS`](super::MAX_PIECE_SECONDS).
    pub samples: Samples,
    /// Its stretches of speech: start and end in seconds from the beginning of the recording, in order.
    pub voiced: Vec<(f64, f64)>,
}

/// What was found in a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// Length of the channel, in seconds.
    pub seconds: f64,
    /// How long somebody spoke, in seconds.
    pub speech_seconds: f64,
    /// The stretches that are in no piece, since nobody spoke in them: beginning and end in seconds, by time.
    pub silences: Vec<(f64, f64)>,
}

/// Decodes a recording, and says what it consists of.
///
/// # Errors
/// [`AudioError`] when it can't be decoded or read.
pub fn survey(path: &Path) -> Result<Layout, AudioError> {
    let mut decoder = Decoder::open(path)?;
    let mut analysis = ChannelAnalysis::new();
    both_channels(&mut decoder, |left, right| {
        analysis.push(left, right);
        true
    })?;
    let mut layout =
        Layout { channels: decoder.channels(), seconds: decoder.seconds(), equal: false, echoes: Echoes::default() };
    if layout.channels == 2 {
        match analysis.finish() {
            Relation::Silent => layout.equal = true,
            Relation::Apart(echoes) => layout.echoes = echoes,
            Relation::MaybeSame(delay, echoes) => {
                layout.equal = is_same_sound(path, delay)?;
                if !layout.equal {
                    layout.echoes = echoes;
                }
            }
        }
    }
    Ok(layout)
}

/// Returns whether both channels of a recording carry the same sound, `delay` apart.
fn is_same_sound(path: &Path, delay: Delay) -> Result<bool, AudioError> {
    let mut estimate = SamePaths::new(delay);
    both_channels(&mut Decoder::open(path)?, |left, right| {
        estimate.push(left, right);
        true
    })?;
    let paths = estimate.finish();
    if paths.iter().all(Option::is_none) {
        return Ok(false);
    }
    let mut comparison = SameSound::new(delay, &paths);
    both_channels(&mut Decoder::open(path)?, |left, right| {
        comparison.push(left, right);
        true
    })?;
    Ok(comparison.finish())
}

/// Decodes the rest of a recording and passes both channels, if there are two, to `take` until that returns false.
fn both_channels(decoder: &mut Decoder, mut take: impl FnMut(&[f32], &[f32]) -> bool) -> Result<(), AudioError> {
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

/// Decodes a channel, finds where somebody speaks, and hands over what is said piece by piece, in order, until `take`
/// gives false; then only what was found until there is told. Of a recording with one channel that one is taken,
/// whichever is named. The echo of the other channel, as found by [`survey`], is no speech.
///
/// # Errors
/// [`AudioError`] when it can't be decoded or read.
pub fn pieces(
    path: &Path,
    channel: Channel,
    layout: &Layout,
    take: impl FnMut(Piece) -> bool,
) -> Result<Heard, AudioError> {
    let mut decoder = Decoder::open(path)?;
    let mut cutter = Cutter::new(take);
    if let Some(echo) = layout.echo_in(channel) {
        let mut canceller = EchoCanceller::new(echo);
        both_channels(&mut decoder, |left, right| {
            let (near, far) = if channel == Channel::Left { (left, right) } else { (right, left) };
            let (near, rest) = canceller.push(near, far);
            cutter.push(&near, &rest)
        })?;
        let (near, rest) = canceller.finish();
        cutter.push(&near, &rest);
        return Ok(cutter.finish());
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
        if !cutter.push(&converted, &converted) {
            return Ok(cutter.finish());
        }
        converted.clear();
    }
    if let Some(mut resampler) = resampler {
        resampler.finish(&mut converted)?;
        cutter.push(&converted, &converted);
    }
    Ok(cutter.finish())
}

/// Decodes a recording, and draws the outline of its loudness.
///
/// # Errors
/// [`AudioError`] when it can't be decoded or read.
pub fn outline(path: &Path) -> Result<Outline, AudioError> {
    let mut decoder = Decoder::open(path)?;
    let mut channels: Vec<Loudest> = Vec::new();
    while let Some(block) = decoder.next()? {
        channels.resize_with(block.channels.len(), Loudest::new);
        for (loudest, samples) in channels.iter_mut().zip(block.channels) {
            loudest.push(samples);
        }
    }
    Ok(Outline { seconds: decoder.seconds(), lines: channels.iter().map(Loudest::finish).collect() })
}

#[cfg(test)]
mod tests;
