//! Compares the two channels of a recording: detects the same sound on both, and echo from one to the other.

use super::echo_path::{EchoCanceller, EchoPath, LEAD_SAMPLES, MAX_DELAY, PathEstimator, Spectra, Transform, WINDOW};
use crate::speech::SAMPLE_RATE;

/// Distance between two windows in samples. Their faded halves overlap.
const HOP_SAMPLES: usize = WINDOW / 4;
/// Minimum energy per sample of an analyzed window: 70 dB below full scale.
const MIN_WINDOW_ENERGY: f64 = 1e-7;
/// Energy per sample added to avoid division by zero: 100 dB below full scale, the noise of 16 bits.
const ENERGY_FLOOR: f64 = 1e-10;
/// Minimum energy per sample of sound; anything quieter counts as silence: 60 dB below full scale.
const MIN_SOUND_ENERGY: f64 = 1e-6;

/// Maximum energy of an echo relative to its source: -6 dB. Louder sound can't be told from the source.
const MAX_ECHO_GAIN: f64 = 0.25;
/// Minimum prominence of an echo path. Unrelated voices reach 15; an audible echo has more than 25.
const MIN_PROMINENCE: f64 = 20.0;
/// Minimum delay of an echo, in samples. An echo may precede its source if the channels were recorded at different places.
const MIN_ECHO_DELAY: isize = -32;
/// See [`PathEstimator::estimate`].
const ECHO_REGULARIZATION: f64 = 0.03;

/// Minimum share of a channel that the other one must explain before their delay is compensated. In a short recording, a
/// delay leaves much of the later channel without its source.
const MIN_EXPLAINED_DELAYED: f64 = 0.2;
/// Minimum share of a channel that the other one must explain after their delay is compensated.
const MIN_EXPLAINED: f64 = 0.6;
/// Minimum relative energy of the quieter channel with the same sound: -11 dB. An echo is quieter.
const MIN_SAME_GAIN: f64 = 0.08;
/// See [`PathEstimator::estimate`].
const SAME_REGULARIZATION: f64 = 0.01;
/// See [`PathEstimator::estimate`]. Without a delay, weak frequencies are reliable as well.
const ALIGNED_REGULARIZATION: f64 = 1e-4;
/// Length of the sections in which channels are compared, in samples: half a second.
const SECTION_SAMPLES: usize = SAMPLE_RATE as usize / 2;
/// Maximum share of a section's energy that may differ: -17 dB. Another voice differs more, even if it speaks only in that
/// section.
const MAX_DIFFERENCE_SHARE: f64 = 0.02;
/// Length of the blocks used to tell steady noise from a voice, in samples: 50 ms, shorter than a syllable.
const NOISE_BLOCK_SAMPLES: usize = SAMPLE_RATE as usize / 20;
/// Quantile of the blocks' differences that is taken as steady noise, which may be on one channel only.
const NOISE_QUANTILE: f64 = 0.1;
/// Factor by which the energy of steady noise may vary between sections.
const MAX_NOISE_VARIATION: f64 = 3.0;
/// Maximum energy of steady noise, as a share of the total energy.
const MAX_NOISE_SHARE: f64 = 0.1;

/// Echo paths between the channels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EchoPaths {
    /// From the right channel to the left one.
    pub(super) into_left: Option<EchoPath>,
    /// From the left channel to the right one.
    pub(super) into_right: Option<EchoPath>,
}

/// Relation of two channels.
pub(super) enum ChannelRelation {
    /// The channels carry different sound.
    Different(EchoPaths),
    /// Both channels are silent.
    Silent,
    /// The channels may carry the same sound. [`SameSoundPaths`] and [`SameSoundCheck`] verify it.
    MaybeSame(Delay, EchoPaths),
}

/// Delay of the right channel against the left one, in samples; negative if the left one is later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delay(isize);

/// Aligns two channels by omitting the beginning of the later one.
struct Alignment {
    /// Remaining samples of the left channel to omit.
    skip_left: usize,
    /// Remaining samples of the right channel to omit.
    skip_right: usize,
}

impl Alignment {
    fn new(Delay(delay): Delay) -> Self {
        let samples = |delay: isize| usize::try_from(delay).unwrap_or(0);
        Self { skip_left: samples(-delay), skip_right: samples(delay) }
    }

    /// Returns the next samples of both channels without the omitted ones.
    fn align<'a>(&mut self, left: &'a [f32], right: &'a [f32]) -> (&'a [f32], &'a [f32]) {
        (skip_samples(&mut self.skip_left, left), skip_samples(&mut self.skip_right, right))
    }
}

/// Omits `skip` samples and reduces `skip` by their number.
fn skip_samples<'a>(skip: &mut usize, sound: &'a [f32]) -> &'a [f32] {
    let (omitted, rest) = sound.split_at((*skip).min(sound.len()));
    *skip -= omitted.len();
    rest
}

/// Splits two channels of [`SAMPLE_RATE`] into overlapping windows.
struct Windows {
    transform: Transform,
    left: Vec<f32>,
    right: Vec<f32>,
}

impl Windows {
    fn new() -> Self {
        // Start with silence, so that the middles of the windows cover the first sound completely.
        let silence = vec![0.0; WINDOW / 2];
        Self { transform: Transform::new(), left: silence.clone(), right: silence }
    }

    /// Takes samples of both channels and passes complete windows to `take`.
    fn push(&mut self, left: &[f32], right: &[f32], mut take: impl FnMut(&Spectra, &Spectra)) {
        self.left.extend(left);
        self.right.extend(right);
        let mut consumed = 0;
        while self.left.len().min(self.right.len()) >= consumed + WINDOW {
            let left = self.transform.spectra(&self.left[consumed..consumed + WINDOW]);
            let right = self.transform.spectra(&self.right[consumed..consumed + WINDOW]);
            take(&left, &right);
            consumed += HOP_SAMPLES;
        }
        self.left.drain(..consumed);
        self.right.drain(..consumed);
    }

    /// Passes the remaining windows to `take`, up to the end of the shorter channel.
    fn finish(&mut self, take: impl FnMut(&Spectra, &Spectra)) {
        let samples = self.left.len().min(self.right.len());
        self.left.truncate(samples);
        self.right.truncate(samples);
        let silence = vec![0.0; WINDOW];
        self.push(&silence, &silence, take);
    }
}

/// First pass: analyzes two channels as they are decoded.
pub(super) struct ChannelAnalysis {
    windows: Windows,
    paths: ChannelPaths,
}

/// Paths between the channels in either direction.
struct ChannelPaths {
    same: PathEstimator,
    into_left: PathEstimator,
    into_right: PathEstimator,
    /// Maximum energy per sample of a window of either channel.
    loudest: f64,
}

impl ChannelPaths {
    fn add(&mut self, left: &Spectra, right: &Spectra) {
        self.loudest = self.loudest.max(left.energy).max(right.energy);
        self.same.add(left, right, 1.0);
        // An echo is most visible while the near side is quiet.
        if left.energy > MIN_WINDOW_ENERGY {
            self.into_right.add(left, right, 1.0 / (right.energy + ENERGY_FLOOR));
        }
        if right.energy > MIN_WINDOW_ENERGY {
            self.into_left.add(right, left, 1.0 / (left.energy + ENERGY_FLOOR));
        }
    }
}

impl ChannelAnalysis {
    pub(super) fn new() -> Self {
        let paths = ChannelPaths {
            same: PathEstimator::new(),
            into_left: PathEstimator::for_telephone_band(),
            into_right: PathEstimator::for_telephone_band(),
            loudest: 0.0,
        };
        Self { windows: Windows::new(), paths }
    }

    /// Takes the same number of samples of both channels.
    pub(super) fn push(&mut self, left: &[f32], right: &[f32]) {
        self.windows.push(left, right, |left, right| self.paths.add(left, right));
    }

    pub(super) fn finish(mut self) -> ChannelRelation {
        self.windows.finish(|left, right| self.paths.add(left, right));
        let ChannelPaths { same, into_left, into_right, loudest } = self.paths;
        if loudest < MIN_SOUND_ENERGY {
            return ChannelRelation::Silent;
        }
        let echoes =
            EchoPaths { into_left: estimate_echo_path(&into_left), into_right: estimate_echo_path(&into_right) };
        let same = same.estimate(-MAX_DELAY + LEAD_SAMPLES..=MAX_DELAY - LEAD_SAMPLES, SAME_REGULARIZATION);
        match same.filter(|same| same.explained >= MIN_EXPLAINED_DELAYED) {
            Some(same) => ChannelRelation::MaybeSame(Delay(same.path.start + LEAD_SAMPLES), echoes),
            None => ChannelRelation::Different(echoes),
        }
    }
}

/// Returns the path of an echo, or `None` if it isn't one.
fn estimate_echo_path(estimator: &PathEstimator) -> Option<EchoPath> {
    let estimated = estimator.estimate(MIN_ECHO_DELAY..=MAX_DELAY, ECHO_REGULARIZATION)?;
    (estimated.gain <= MAX_ECHO_GAIN && estimated.prominence >= MIN_PROMINENCE).then_some(estimated.path)
}

/// Second pass: estimates the paths between the channels after compensating their delay.
pub(super) struct SameSoundPaths {
    alignment: Alignment,
    windows: Windows,
    into_left: PathEstimator,
    into_right: PathEstimator,
}

impl SameSoundPaths {
    pub(super) fn new(delay: Delay) -> Self {
        let (into_left, into_right) = (PathEstimator::new(), PathEstimator::new());
        Self { alignment: Alignment::new(delay), windows: Windows::new(), into_left, into_right }
    }

    /// Takes the same number of samples of both channels.
    pub(super) fn push(&mut self, left: &[f32], right: &[f32]) {
        let (left, right) = self.alignment.align(left, right);
        self.windows.push(left, right, |left, right| {
            self.into_left.add(right, left, 1.0);
            self.into_right.add(left, right, 1.0);
        });
    }

    /// Returns the paths into the left and the right channel, each only if both channels may have the same sound.
    pub(super) fn finish(mut self) -> [Option<EchoPath>; 2] {
        self.windows.finish(|left, right| {
            self.into_left.add(right, left, 1.0);
            self.into_right.add(left, right, 1.0);
        });
        [self.into_left, self.into_right].map(|path| {
            let same = path.estimate(-LEAD_SAMPLES..=LEAD_SAMPLES, ALIGNED_REGULARIZATION)?;
            let has_gain = (MIN_SAME_GAIN..=1.0 / MIN_SAME_GAIN).contains(&same.gain);
            (has_gain && same.explained >= MIN_EXPLAINED).then_some(same.path)
        })
    }
}

/// Third pass: verifies that one channel is the other one sent over a path. Noise on a channel disturbs the prediction of
/// the other one, so one direction is sufficient.
pub(super) struct SameSoundCheck {
    alignment: Alignment,
    into_left: Option<Comparison>,
    into_right: Option<Comparison>,
}

impl SameSoundCheck {
    pub(super) fn new(delay: Delay, paths: &[Option<EchoPath>; 2]) -> Self {
        let [into_left, into_right] = paths.each_ref().map(|path| path.as_ref().map(Comparison::new));
        Self { alignment: Alignment::new(delay), into_left, into_right }
    }

    /// Takes the same number of samples of both channels.
    pub(super) fn push(&mut self, left: &[f32], right: &[f32]) {
        let (left, right) = self.alignment.align(left, right);
        if let Some(comparison) = &mut self.into_left {
            comparison.push(right, left);
        }
        if let Some(comparison) = &mut self.into_right {
            comparison.push(left, right);
        }
    }

    /// Returns whether the channels carry the same sound.
    pub(super) fn finish(self) -> bool {
        [self.into_left, self.into_right].into_iter().flatten().any(Comparison::finish)
    }
}

/// Verifies section by section that a channel (the target) is the other one (the source) sent over a path.
struct Comparison {
    canceller: EchoCanceller,
    /// Number of samples by which the target is longer than the source.
    excess: isize,
    target: Vec<f32>,
    /// Difference between the target and its prediction.
    residual: Vec<f32>,
    /// Energy per sample in each section: of the target, of its prediction from the source, and of the difference.
    sections: Vec<[f32; 3]>,
    /// Energy per sample of the difference in each block.
    blocks: Vec<f32>,
}

impl Comparison {
    fn new(path: &EchoPath) -> Self {
        Self {
            canceller: EchoCanceller::new(path),
            excess: 0,
            target: Vec::new(),
            residual: Vec::new(),
            sections: Vec::new(),
            blocks: Vec::new(),
        }
    }

    fn push(&mut self, source: &[f32], target: &[f32]) {
        self.excess += target.len().cast_signed() - source.len().cast_signed();
        let processed = self.canceller.push(target, source);
        self.append(processed);
        self.compare_sections();
    }

    fn append(&mut self, (target, residual): (Vec<f32>, Vec<f32>)) {
        self.target.extend(target);
        self.residual.extend(residual);
    }

    /// Compares the complete sections. The last section includes the remaining samples.
    fn compare_sections(&mut self) {
        while self.target.len() >= 2 * SECTION_SAMPLES {
            self.compare(SECTION_SAMPLES);
        }
    }

    /// Compares the first `samples` samples.
    fn compare(&mut self, samples: usize) {
        let blocks = self.residual[..samples].chunks_exact(NOISE_BLOCK_SAMPLES);
        self.blocks.extend(blocks.map(|block| mean_energy(block.iter().copied())));
        let (target, residual) = (&self.target[..samples], &self.residual[..samples]);
        let predicted = target.iter().zip(residual).map(|(target, residual)| target - residual);
        self.sections.push([
            mean_energy(target.iter().copied()),
            mean_energy(predicted),
            mean_energy(residual.iter().copied()),
        ]);
        self.target.drain(..samples);
        self.residual.drain(..samples);
    }

    /// Returns whether the target is the source.
    fn finish(mut self) -> bool {
        let processed = self.canceller.finish();
        self.append(processed);
        // Excess samples have no source.
        let common_samples = self.target.len().saturating_sub(usize::try_from(self.excess).unwrap_or(0));
        self.target.truncate(common_samples);
        self.residual.truncate(common_samples);
        self.compare_sections();
        if !self.target.is_empty() {
            self.compare(self.target.len());
        }
        self.blocks.sort_by(f32::total_cmp);
        let total_energy = self.sections.iter().map(|[target, ..]| f64::from(*target)).sum::<f64>();
        let noise =
            self.blocks.get((self.blocks.len() as f64 * NOISE_QUANTILE) as usize).copied().map_or(0.0, f64::from);
        let is_noise = noise <= MAX_NOISE_SHARE * total_energy / self.sections.len().max(1) as f64;
        let noise = if is_noise { noise * MAX_NOISE_VARIATION } else { 0.0 };
        self.sections.iter().all(|section| {
            let [target, predicted, residual] = section.map(f64::from);
            residual <= (target.min(predicted) * MAX_DIFFERENCE_SHARE).max(noise).max(MIN_SOUND_ENERGY)
        })
    }
}

/// Returns the energy per sample.
fn mean_energy(sound: impl ExactSizeIterator<Item = f32>) -> f32 {
    let samples = sound.len().max(1) as f64;
    (sound.map(|sample| f64::from(sample) * f64::from(sample)).sum::<f64>() / samples) as f32
}

#[cfg(test)]
mod tests;
