//! Relation of the two channels of a recording: the same sound on both, or one side that leaks into the other.

use super::echo_path::{EchoCanceller, EchoPath, LEAD, MAX_DELAY, PathEstimator, Spectra, Transform, WINDOW};
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

/// How much of a channel the other one must explain, before their delay is compensated, for them to be compared. In a
/// short recording a delay leaves much of the later channel without its source.
const MIN_EXPLAINED_DELAYED: f64 = 0.2;
/// How much of a channel the other one must explain, once their delay is compensated, for them to be compared.
const MIN_EXPLAINED: f64 = 0.6;
/// How much softer one of two channels with the same sound may be, in terms of energy: 11 dB. An echo is softer.
const MIN_SAME_GAIN: f64 = 0.08;
/// See [`PathEstimator::estimate`].
const SAME_CAUTION: f64 = 0.01;
/// See [`PathEstimator::estimate`]. Without a delay weak frequencies are reliable too.
const ALIGNED_CAUTION: f64 = 1e-4;
/// Length of the stretches in which two channels are compared, in samples: half a second.
const STRETCH_SAMPLES: usize = SAMPLE_RATE as usize / 2;
/// Largest share of the energy of such a stretch that may differ: -17 dB. Another voice makes more, if only for that time.
const MAX_DIFFERENCE_SHARE: f64 = 0.02;
/// Length of the blocks by which steady noise is told from a voice, in samples: 50 ms, shorter than a syllable.
const NOISE_BLOCK_SAMPLES: usize = SAMPLE_RATE as usize / 20;
/// The share of the blocks whose difference is taken for steady noise, which may be on one channel alone.
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
    /// They may carry the same sound. [`SamePaths`] and [`SameSound`] verify it.
    MaybeSame(Delay, Echoes),
}

/// Samples by which the right channel is later than the left one; negative if the left one is later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delay(isize);

/// Aligns two channels: omits the beginning of the later one.
struct Alignment {
    /// Samples of the left channel that are still omitted.
    skip_left: usize,
    /// Samples of the right channel that are still omitted.
    skip_right: usize,
}

impl Alignment {
    fn new(Delay(delay): Delay) -> Self {
        let samples = |delay: isize| usize::try_from(delay).unwrap_or(0);
        Self { skip_left: samples(-delay), skip_right: samples(delay) }
    }

    /// Returns what remains of the next samples of both channels.
    fn align<'a>(&mut self, left: &'a [f32], right: &'a [f32]) -> (&'a [f32], &'a [f32]) {
        (omit(&mut self.skip_left, left), omit(&mut self.skip_right, right))
    }
}

/// Omits samples as long as `skip` is above 0.
fn omit<'a>(skip: &mut usize, sound: &'a [f32]) -> &'a [f32] {
    let (omitted, rest) = sound.split_at((*skip).min(sound.len()));
    *skip -= omitted.len();
    rest
}

/// Cuts two channels of [`SAMPLE_RATE`] into overlapping windows.
struct Windows {
    transform: Transform,
    left: Vec<f32>,
    right: Vec<f32>,
}

impl Windows {
    fn new() -> Self {
        // The middles of the windows then cover the first sound completely.
        let silence = vec![0.0; WINDOW / 2];
        Self { transform: Transform::new(), left: silence.clone(), right: silence }
    }

    /// Takes samples of both channels and passes the windows that are complete to `take`.
    fn push(&mut self, left: &[f32], right: &[f32], mut take: impl FnMut(&Spectra, &Spectra)) {
        self.left.extend(left);
        self.right.extend(right);
        let mut done = 0;
        while self.left.len().min(self.right.len()) >= done + WINDOW {
            let left = self.transform.spectra(&self.left[done..done + WINDOW]);
            let right = self.transform.spectra(&self.right[done..done + WINDOW]);
            take(&left, &right);
            done += HOP;
        }
        self.left.drain(..done);
        self.right.drain(..done);
    }

    /// Passes the rest to `take`, as far as both channels have it.
    fn finish(&mut self, take: impl FnMut(&Spectra, &Spectra)) {
        let samples = self.left.len().min(self.right.len());
        self.left.truncate(samples);
        self.right.truncate(samples);
        let silence = vec![0.0; WINDOW];
        self.push(&silence, &silence, take);
    }
}

/// First pass: analyses two channels as they are decoded.
pub(super) struct ChannelAnalysis {
    windows: Windows,
    paths: Paths,
}

/// Paths between the channels in either direction.
struct Paths {
    same: PathEstimator,
    into_left: PathEstimator,
    into_right: PathEstimator,
    /// The loudest window of either channel, as the energy of a sample.
    loudest: f64,
}

impl Paths {
    fn add(&mut self, left: &Spectra, right: &Spectra) {
        self.loudest = self.loudest.max(left.energy).max(right.energy);
        self.same.add(left, right, 1.0);
        // An echo shows best where its own side is quiet.
        if left.energy > MIN_WINDOW_ENERGY {
            self.into_right.add(left, right, 1.0 / (right.energy + ROUNDING));
        }
        if right.energy > MIN_WINDOW_ENERGY {
            self.into_left.add(right, left, 1.0 / (left.energy + ROUNDING));
        }
    }
}

impl ChannelAnalysis {
    pub(super) fn new() -> Self {
        let paths = Paths {
            same: PathEstimator::new(),
            into_left: PathEstimator::of_telephone(),
            into_right: PathEstimator::of_telephone(),
            loudest: 0.0,
        };
        Self { windows: Windows::new(), paths }
    }

    /// Takes as many samples of both channels.
    pub(super) fn push(&mut self, left: &[f32], right: &[f32]) {
        self.windows.push(left, right, |left, right| self.paths.add(left, right));
    }

    pub(super) fn finish(mut self) -> Relation {
        self.windows.finish(|left, right| self.paths.add(left, right));
        let Paths { same, into_left, into_right, loudest } = self.paths;
        if loudest < MIN_SOUND_ENERGY {
            return Relation::Silent;
        }
        let echoes = Echoes { into_left: echo(&into_left), into_right: echo(&into_right) };
        let same = same.estimate(-MAX_DELAY + LEAD..=MAX_DELAY - LEAD, SAME_CAUTION);
        match same.filter(|same| same.explained >= MIN_EXPLAINED_DELAYED) {
            Some(same) => Relation::MaybeSame(Delay(same.path.start + LEAD), echoes),
            None => Relation::Apart(echoes),
        }
    }
}

/// The path of an echo; none if it isn't one.
fn echo(estimator: &PathEstimator) -> Option<EchoPath> {
    let estimated = estimator.estimate(EARLIEST_ECHO..=MAX_DELAY, ECHO_CAUTION)?;
    (estimated.gain <= LOUDEST_ECHO && estimated.prominence >= MIN_PROMINENCE).then_some(estimated.path)
}

/// Second pass: estimates the paths between the channels without their delay.
pub(super) struct SamePaths {
    alignment: Alignment,
    windows: Windows,
    into_left: PathEstimator,
    into_right: PathEstimator,
}

impl SamePaths {
    pub(super) fn new(delay: Delay) -> Self {
        let (into_left, into_right) = (PathEstimator::new(), PathEstimator::new());
        Self { alignment: Alignment::new(delay), windows: Windows::new(), into_left, into_right }
    }

    /// Takes as many samples of both channels.
    pub(super) fn push(&mut self, left: &[f32], right: &[f32]) {
        let (left, right) = self.alignment.align(left, right);
        self.windows.push(left, right, |left, right| {
            self.into_left.add(right, left, 1.0);
            self.into_right.add(left, right, 1.0);
        });
    }

    /// Returns the paths into the left and into the right channel, each as far as it may be that of the same sound.
    pub(super) fn finish(mut self) -> [Option<EchoPath>; 2] {
        self.windows.finish(|left, right| {
            self.into_left.add(right, left, 1.0);
            self.into_right.add(left, right, 1.0);
        });
        [self.into_left, self.into_right].map(|path| {
            let same = path.estimate(-LEAD..=LEAD, ALIGNED_CAUTION)?;
            let has_gain = (MIN_SAME_GAIN..=1.0 / MIN_SAME_GAIN).contains(&same.gain);
            (has_gain && same.explained >= MIN_EXPLAINED).then_some(same.path)
        })
    }
}

/// Third pass: verifies that one of the channels is the other one, sent over a path. Noise on one of them disturbs the
/// prediction of the other one, so either direction is enough.
pub(super) struct SameSound {
    alignment: Alignment,
    into_left: Option<Comparison>,
    into_right: Option<Comparison>,
}

impl SameSound {
    pub(super) fn new(delay: Delay, paths: &[Option<EchoPath>; 2]) -> Self {
        let [into_left, into_right] = paths.each_ref().map(|path| path.as_ref().map(Comparison::new));
        Self { alignment: Alignment::new(delay), into_left, into_right }
    }

    /// Takes as many samples of both channels.
    pub(super) fn push(&mut self, left: &[f32], right: &[f32]) {
        let (left, right) = self.alignment.align(left, right);
        if let Some(comparison) = &mut self.into_left {
            comparison.push(right, left);
        }
        if let Some(comparison) = &mut self.into_right {
            comparison.push(left, right);
        }
    }

    /// Returns whether they carry the same sound.
    pub(super) fn finish(self) -> bool {
        [self.into_left, self.into_right].into_iter().flatten().any(Comparison::finish)
    }
}

/// Verifies stretch by stretch that a channel, the target, is the other one, the source, sent over a path.
struct Comparison {
    canceller: EchoCanceller,
    /// Samples that the target has more than the source.
    excess: isize,
    target: Vec<f32>,
    rest: Vec<f32>,
    /// Energy per sample of each stretch: of the target, of its prediction from the source, and of the difference.
    stretches: Vec<[f32; 3]>,
    /// Energy per sample of the difference in each block.
    blocks: Vec<f32>,
}

impl Comparison {
    fn new(path: &EchoPath) -> Self {
        Self {
            canceller: EchoCanceller::new(path),
            excess: 0,
            target: Vec::new(),
            rest: Vec::new(),
            stretches: Vec::new(),
            blocks: Vec::new(),
        }
    }

    fn push(&mut self, source: &[f32], target: &[f32]) {
        self.excess += target.len().cast_signed() - source.len().cast_signed();
        let known = self.canceller.push(target, source);
        self.add(known);
        self.compare_stretches();
    }

    fn add(&mut self, (target, rest): (Vec<f32>, Vec<f32>)) {
        self.target.extend(target);
        self.rest.extend(rest);
    }

    /// Compares the stretches that are complete. The last one takes what remains after it.
    fn compare_stretches(&mut self) {
        while self.target.len() >= 2 * STRETCH_SAMPLES {
            self.compare(STRETCH_SAMPLES);
        }
    }

    /// Compares the samples that come first.
    fn compare(&mut self, samples: usize) {
        let blocks = self.rest[..samples].chunks_exact(NOISE_BLOCK_SAMPLES);
        self.blocks.extend(blocks.map(|block| mean_energy(block.iter().copied())));
        let (target, rest) = (&self.target[..samples], &self.rest[..samples]);
        let predicted = target.iter().zip(rest).map(|(target, rest)| target - rest);
        self.stretches.push([
            mean_energy(target.iter().copied()),
            mean_energy(predicted),
            mean_energy(rest.iter().copied()),
        ]);
        self.target.drain(..samples);
        self.rest.drain(..samples);
    }

    /// Returns whether the target is the source.
    fn finish(mut self) -> bool {
        let known = self.canceller.finish();
        self.add(known);
        // The source has nothing for what is in excess.
        let common = self.target.len().saturating_sub(usize::try_from(self.excess).unwrap_or(0));
        self.target.truncate(common);
        self.rest.truncate(common);
        self.compare_stretches();
        if !self.target.is_empty() {
            self.compare(self.target.len());
        }
        self.blocks.sort_by(f32::total_cmp);
        let all = self.stretches.iter().map(|[target, ..]| f64::from(*target)).sum::<f64>();
        let noise = self.blocks.get((self.blocks.len() as f64 * NOISE_SHARE) as usize).copied().map_or(0.0, f64::from);
        let is_noise = noise <= LOUDEST_NOISE * all / self.stretches.len().max(1) as f64;
        let noise = if is_noise { noise * NOISE_VARIATION } else { 0.0 };
        self.stretches.iter().all(|stretch| {
            let [target, explained, rest] = stretch.map(f64::from);
            rest <= (target.min(explained) * MAX_DIFFERENCE_SHARE).max(noise).max(MIN_SOUND_ENERGY)
        })
    }
}

/// Energy per sample.
fn mean_energy(sound: impl ExactSizeIterator<Item = f32>) -> f32 {
    let samples = sound.len().max(1) as f64;
    (sound.map(|sample| f64::from(sample) * f64::from(sample)).sum::<f64>() / samples) as f32
}

#[cfg(test)]
mod tests;
