//! From a recording's file to pieces of speech, and the outline of its loudness.
//!
//! A file is decoded from its beginning to its end, a packet at a time; nothing here holds more of it than one piece of
//! speech, so that a day of sound takes no more memory than a minute. Everything here blocks. It knows no recogniser.

use std::path::Path;

use super::Samples;
use cut::Cutter;
use decode::Decoder;
use peaks::Loudest;
use resample::Resampler;

pub use outline::Outline;

mod cut;
mod decode;
mod outline;
mod peaks;
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// 1 or 2.
    pub channels: u16,
    /// Length in seconds, as decoded.
    pub seconds: f64,
    /// There are two channels, and they carry the same sound.
    pub equal: bool,
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

/// How much two channels that carry the same sound may differ in a second of it, as a share of their energy: 20 dB. An
/// encoder that squeezes the channels one by one makes a difference of a few percent; another voice makes more, if
/// only for that second.
const SAME: f64 = 0.01;

/// Differences softer than this are no sound at all, as the energy of a sample: 60 dB below full scale.
const NOTHING: f64 = 1e-6;

/// Decodes a recording once, and says what it consists of.
///
/// # Errors
/// [`AudioError`] when it can't be decoded or read.
pub fn survey(path: &Path) -> Result<Layout, AudioError> {
    let mut decoder = Decoder::open(path)?;
    let mut comparison = Comparison::default();
    while let Some(block) = decoder.next()? {
        if let [left, right] = block.channels {
            comparison.push(left, right, block.rate);
        }
    }
    let equal = decoder.channels() == 2 && comparison.finish();
    Ok(Layout { channels: decoder.channels(), seconds: decoder.seconds(), equal })
}

/// Decodes a channel, finds where somebody speaks, and hands over what is said piece by piece, in order, until `take`
/// gives false; then only what was found until there is told. Of a recording with one channel that one is taken,
/// whichever is named.
///
/// # Errors
/// [`AudioError`] when it can't be decoded or read.
pub fn pieces(path: &Path, channel: Channel, take: impl FnMut(Piece) -> bool) -> Result<Heard, AudioError> {
    let mut decoder = Decoder::open(path)?;
    let mut cutter = Cutter::new(take);
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
        if !cutter.push(&converted) {
            return Ok(cutter.finish());
        }
        converted.clear();
    }
    if let Some(mut resampler) = resampler {
        resampler.finish(&mut converted)?;
        cutter.push(&converted);
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

/// Compares two channels second by second.
#[derive(Default)]
struct Comparison {
    /// Samples of this second so far.
    samples: u32,
    /// Their energy, the mean of both channels.
    energy: f64,
    /// The energy of the difference.
    difference: f64,
    /// A second was found in which they differ.
    different: bool,
}

impl Comparison {
    fn push(&mut self, left: &[f32], right: &[f32], rate: u32) {
        for (left, right) in left.iter().zip(right) {
            let (left, right) = (f64::from(*left), f64::from(*right));
            self.energy += (left * left + right * right) / 2.0;
            self.difference += (left - right) * (left - right);
            self.samples += 1;
            if self.samples >= rate {
                *self = Self { different: self.differ(), ..Self::default() };
            }
        }
    }

    fn differ(&self) -> bool {
        self.different || self.difference > (self.energy * SAME).max(f64::from(self.samples) * NOTHING)
    }

    /// Whether they carry the same sound.
    fn finish(&self) -> bool {
        !self.differ()
    }
}

#[cfg(test)]
mod tests;
