//! Relation of the two channels of a recording: the same sound on both, or one side that leaks into the other.

use super::echo_path::{EchoCanceller, EchoPath, LEAD, MAX_DELAY, PathEstimate, PathEstimator, Transform, WINDOW};
use crate::speech::SAMPLE_RATE;

/// Samples between the beginnings of two windows: their faded halves overlap.
const HOP: usize = WINDOW / 4;
/// Least energy per sample of a window that is analysed: 70 dB below full scale.
const MIN_WINDOW_ENERGY: f64 = 1e-7;
/// Energy of a sample that is added before dividing by it: 100 dB below full scale, the noise of 16 bits.
const ROUNDING: f64 = 1e-10;
/// Least energy per sample of sound; what is softer counts as silence: 60 dB below full scale.
const MIN_SOUND_ENERGY: f64 = 1e-6;

/// The most that an echo has of the energy of its source: -6 dB. What is louder can't be told from the source.
const LOUDEST_ECHO: f64 = 0.25;
/// Least prominence of the path of an echo. Unrelated voices reach 15, an audible echo has more than 25.
const MIN_PROMINENCE: f64 = 20.0;
/// Earliest delay of an echo, in samples. It may precede its source if the channels were recorded at different places.
const EARLIEST_ECHO: isize = -32;
/// See [`PathEstimator::estimate`].
const ECHO_CAUTION: f64 = 0.03;

/// How much softer one of two channels with the same sound may be, in terms of energy: 11 dB. An echo is softer.
const SAME_GAIN: f64 = 0.08;
/// How much of a channel the other one must explain before they are compared in detail.
const SAME_EXPLAINED: f64 = 0.6;
/// See [`PathEstimator::estimate`].
const SAME_CAUTION: f64 = 0.01;
/// Length of the stretches in which two channels are compared, in samples: half a second.
const STRETCH_SAMPLES: usize = SAMPLE_RATE as usize / 2;
/// Largest share of the energy of such a stretch that may differ: -17 dB. Another voice makes more, if only for that time.
const MAX_DIFFERENCE_SHARE: f64 = 0.02;
/// The share of the stretches that are taken for steady noise, which may be on one channel alone.
const NOISE_SHARE: f64 = 0.1;
/// How much louder than usual that noise may be in a stretch, in terms of energy.
const NOISE_VARIATION: f64 = 3.0;
/// How loud that noise may be, as a share of the energy of all.
const LOUDEST_NOISE: f64 = 0.1;

/// Paths of echo between the channels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Echoes {
    /// From the right channel into the left one, if it does.
    pub(super) into_left: Option<EchoPath>,
    /// From the left channel into the right one, if it does.
    pub(super) into_right: Option<EchoPath>,
}

/// Relation of two channels.
pub(super) enum Relation {
    /// They carry different sound.
    Apart(Echoes),
    /// Neither has any sound.
    Silent,
    /// They may carry the same sound, over this path from left to right. [`SameSound`] verifies it.
    MaybeSame(EchoPath, Echoes),
}

/// Analyses two channels of [`SAMPLE_RATE`] as they are decoded.
pub(super) struct ChannelAnalysis {
    transform: Transform,
    left: Vec<f32>,
    right: Vec<f32>,
    same: PathEstimator,
    into_left: PathEstimator,
    into_right: PathEstimator,
    /// The loudest window of either channel, as the energy of a sample.
    loudest: f64,
}

impl ChannelAnalysis {
    pub(super) fn new() -> Self {
        // The first sound is in the middle of a window.
        let silence = vec![0.0; WINDOW / 4];
        Self {
            transform: Transform::new(),
            left: silence.clone(),
            right: silence,
            same: PathEstimator::new(),
            into_left: PathEstimator::new(),
            into_right: PathEstimator::new(),
            loudest: 0.0,
        }
    }

    /// Takes as many samples of both channels.
    pub(super) fn push(&mut self, left: &[f32], right: &[f32]) {
        self.left.extend(left);
        self.right.extend(right);
        let mut done = 0;
        while self.left.len().min(self.right.len()) >= done + WINDOW {
            let left = self.transform.spectra(&self.left[done..done + WINDOW]);
            let right = self.transform.spectra(&self.right[done..done + WINDOW]);
            done += HOP;
            self.loudest = self.loudest.max(left.energy).max(right.energy);
            self.same.add(&left, &right, 1.0);
            // An echo shows best where its own side is quiet.
            if left.energy > MIN_WINDOW_ENERGY {
                self.into_right.add(&left, &right, 1.0 / (right.energy + ROUNDING));
            }
            if right.energy > MIN_WINDOW_ENERGY {
                self.into_left.add(&right, &left, 1.0 / (left.energy + ROUNDING));
            }
        }
        self.left.drain(..done);
        self.right.drain(..done);
    }

    pub(super) fn finish(mut self) -> Relation {
        let silence = vec![0.0; WINDOW];
        self.push(&silence, &silence);
        if self.loudest < MIN_SOUND_ENERGY {
            return Relation::Silent;
        }
        let echoes = Echoes { into_left: echo(&self.into_left), into_right: echo(&self.into_right) };
        let same = self.same.estimate(-MAX_DELAY + LEAD..=MAX_DELAY - LEAD, SAME_CAUTION);
        let is_same = |same: &PathEstimate| {
            (SAME_GAIN..=1.0 / SAME_GAIN).contains(&same.gain) && same.explained >= SAME_EXPLAINED
        };
        match same.filter(is_same) {
            Some(same) => Relation::MaybeSame(same.path, echoes),
            None => Relation::Apart(echoes),
        }
    }
}

/// The path of an echo; none if it isn't one.
fn echo(estimator: &PathEstimator) -> Option<EchoPath> {
    let estimated = estimator.estimate(EARLIEST_ECHO..=MAX_DELAY, ECHO_CAUTION)?;
    (estimated.gain <= LOUDEST_ECHO && estimated.prominence >= MIN_PROMINENCE).then_some(estimated.path)
}

/// Verifies stretch by stretch that the right channel is the left one, sent over a path.
pub(super) struct SameSound {
    canceller: EchoCanceller,
    /// Samples at the beginning for which there is no source.
    skip: usize,
    /// Samples at the end for which there is no source.
    ahead: usize,
    right: Vec<f32>,
    rest: Vec<f32>,
    /// Energy per sample of each stretch: of the right channel, of its prediction from the left one, and of the difference.
    stretches: Vec<[f32; 3]>,
}

impl SameSound {
    pub(super) fn new(path: &EchoPath) -> Self {
        let delay = path.start + LEAD;
        Self {
            canceller: EchoCanceller::new(path),
            skip: usize::try_from(delay).unwrap_or(0),
            ahead: usize::try_from(-delay).unwrap_or(0),
            right: Vec::new(),
            rest: Vec::new(),
            stretches: Vec::new(),
        }
    }

    /// Takes as many samples of both channels.
    pub(super) fn push(&mut self, left: &[f32], right: &[f32]) {
        let known = self.canceller.push(right, left);
        self.add(known);
    }

    fn add(&mut self, (right, rest): (Vec<f32>, Vec<f32>)) {
        let skipped = self.skip.min(right.len());
        self.skip -= skipped;
        self.right.extend(&right[skipped..]);
        self.rest.extend(&rest[skipped..]);
        while self.right.len() >= STRETCH_SAMPLES + self.ahead {
            self.compare(STRETCH_SAMPLES);
        }
    }

    /// Compares the samples that come first.
    fn compare(&mut self, samples: usize) {
        let mut sums = [0.0_f64; 3];
        for (right, rest) in self.right.drain(..samples).zip(self.rest.drain(..samples)) {
            let values = [right, right - rest, rest].map(f64::from);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * value);
        }
        self.stretches.push(sums.map(|sum| (sum / samples as f64) as f32));
    }

    /// Returns whether they carry the same sound.
    pub(super) fn finish(mut self) -> bool {
        let known = self.canceller.finish();
        self.add(known);
        let left = self.right.len().saturating_sub(self.ahead);
        if left > 0 {
            self.compare(left);
        }
        let mut rests: Vec<f32> = self.stretches.iter().map(|[_, _, rest]| *rest).collect();
        rests.sort_by(f32::total_cmp);
        let all = self.stretches.iter().map(|[right, ..]| f64::from(*right)).sum::<f64>();
        let noise = rests.get((rests.len() as f64 * NOISE_SHARE) as usize).copied().map_or(0.0, f64::from);
        let is_noise = noise <= LOUDEST_NOISE * all / self.stretches.len().max(1) as f64;
        let noise = if is_noise { noise * NOISE_VARIATION } else { 0.0 };
        self.stretches.iter().all(|stretch| {
            let [right, explained, rest] = stretch.map(f64::from);
            rest <= (right.min(explained) * MAX_DIFFERENCE_SHARE).max(noise).max(MIN_SOUND_ENERGY)
        })
    }
}

#[cfg(test)]
mod tests;
