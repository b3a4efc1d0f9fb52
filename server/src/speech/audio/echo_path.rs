//! Estimates and cancels the echo path from one channel to the other over a whole recording.
//!
//! The estimate is the Wiener solution: the cross-spectrum of both channels divided by the spectrum of the source,
//! accumulated window by window. Memory use doesn't depend on the length of the recording.

use std::ops::RangeInclusive;
use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};

use super::voice::BAND_HZ;
use crate::speech::SAMPLE_RATE;

/// Window length in samples: 2 s. An echo with 0.2 s delay is reduced by 22 dB; with a window of 1 s only by 13 dB.
pub(super) const WINDOW: usize = 32_768;
/// Maximum delay in samples: 256 ms. Must be less than a quarter of a window.
pub(super) const MAX_DELAY: isize = 4_096;
/// Length of a path in samples: 64 ms, in which an echo in a telephone or a small room fades out.
pub(super) const TAPS: usize = 1_024;
/// Samples of a path before its strongest tap.
pub(super) const LEAD_SAMPLES: isize = 160;
/// Width in samples over which the energy of a path is summed to find its peak.
const PEAK_WIDTH: usize = 16;

/// Path of sound from one channel to the other.
#[derive(Clone, Debug, PartialEq)]
pub struct EchoPath {
    /// Delay of the first tap, in samples; negative if it precedes the source.
    pub(super) start: isize,
    /// Impulse response, in samples.
    pub(super) taps: Vec<f32>,
}

/// An estimated path with measures of its reliability.
#[derive(Debug)]
pub(super) struct PathEstimate {
    pub(super) path: EchoPath,
    /// Share of the source's energy that arrives.
    pub(super) gain: f64,
    /// Energy at the strongest delay divided by the mean energy of all delays. Unrelated sound has 3 to 15.
    pub(super) prominence: f64,
    /// Share of the target's energy that the path explains: 0 to 1.
    pub(super) explained: f64,
}

/// Spectra of one channel in a window.
pub(super) struct Spectra {
    /// Spectrum of the whole window.
    whole: Vec<Complex<f32>>,
    /// Spectrum of the middle half, faded in and out.
    middle: Vec<Complex<f32>>,
    /// Energy per sample.
    pub(super) energy: f64,
}

/// Computes [`Spectra`].
pub(super) struct Transform {
    forward: Arc<dyn RealToComplex<f32>>,
    fade: Vec<f32>,
    input: Vec<f32>,
}

impl Transform {
    pub(super) fn new() -> Self {
        let forward = RealFftPlanner::new().plan_fft_forward(WINDOW);
        let phase = |n: usize| std::f32::consts::TAU * n as f32 / (WINDOW / 2) as f32;
        Self {
            fade: (0..WINDOW / 2).map(|n| 0.5 - 0.5 * phase(n).cos()).collect(),
            input: forward.make_input_vec(),
            forward,
        }
    }

    /// Returns the spectra of [`WINDOW`] samples.
    pub(super) fn spectra(&mut self, sound: &[f32]) -> Spectra {
        let energy = sound.iter().map(|sample| f64::from(sample * sample)).sum::<f64>() / WINDOW as f64;
        self.input.copy_from_slice(sound);
        let whole = self.transform();
        self.input.fill(0.0);
        let middle = WINDOW / 4..WINDOW / 4 + WINDOW / 2;
        for ((input, sample), fade) in self.input[middle.clone()].iter_mut().zip(&sound[middle]).zip(&self.fade) {
            *input = sample * fade;
        }
        Spectra { whole, middle: self.transform(), energy }
    }

    fn transform(&mut self) -> Vec<Complex<f32>> {
        let mut bins = self.forward.make_output_vec();
        self.forward.process(&mut self.input, &mut bins).expect("buffers of the planned length");
        bins
    }
}

/// Accumulates the windows of two channels.
pub(super) struct PathEstimator {
    /// Range of analyzed frequency bins.
    band: RangeInclusive<usize>,
    cross: Vec<Complex<f64>>,
    source: Vec<Complex<f64>>,
    target: f64,
}

impl PathEstimator {
    /// Creates an estimator for all frequencies.
    pub(super) fn new() -> Self {
        Self::with_band(1..=WINDOW / 2 - 1)
    }

    /// Creates an estimator for the telephone band.
    pub(super) fn for_telephone_band() -> Self {
        Self::with_band(BAND_HZ.0 * WINDOW / SAMPLE_RATE as usize..=BAND_HZ.1 * WINDOW / SAMPLE_RATE as usize)
    }

    fn with_band(band: RangeInclusive<usize>) -> Self {
        let none = vec![Complex::default(); WINDOW / 2 + 1];
        Self { band, cross: none.clone(), source: none, target: 0.0 }
    }

    /// Adds a window with a weight.
    pub(super) fn add(&mut self, source: &Spectra, target: &Spectra, weight: f64) {
        let to_f64 = |bin: &Complex<f32>| Complex::new(f64::from(bin.re), f64::from(bin.im));
        for bin in self.band.clone() {
            let middle = to_f64(&source.middle[bin]).conj() * weight;
            self.cross[bin] += middle * to_f64(&target.whole[bin]);
            self.source[bin] += middle * to_f64(&source.whole[bin]);
            self.target += (to_f64(&target.middle[bin]).conj() * to_f64(&target.whole[bin])).re * weight;
        }
    }

    /// Estimates the path with one of these delays, in samples. A higher `regularization` gives less weight to frequencies at which the source is
    /// weak. `None` if there was no sound.
    pub(super) fn estimate(&self, delays: RangeInclusive<isize>, regularization: f64) -> Option<PathEstimate> {
        let energy: f64 = self.band.clone().map(|bin| self.source[bin].norm()).sum();
        let mean = energy / self.band.clone().count() as f64;
        if mean <= 0.0 || self.target <= 0.0 {
            return None;
        }
        let inverse = RealFftPlanner::<f32>::new().plan_fft_inverse(WINDOW);
        let mut response = inverse.make_input_vec();
        let (mut arriving, mut sent) = (0.0, 0.0);
        for bin in self.band.clone() {
            let source = self.source[bin];
            let norm = source.norm();
            let value =
                self.cross[bin] * source.conj() / (norm * (norm + regularization * mean)).max(f64::MIN_POSITIVE);
            arriving += value.norm_sqr() * source.re;
            sent += source.re;
            response[bin] = Complex::new(value.re as f32, value.im as f32) / WINDOW as f32;
        }
        let mut impulse = inverse.make_output_vec();
        inverse.process(&mut response, &mut impulse).ok()?;
        let response_at = |delay: isize| impulse[delay.rem_euclid(WINDOW as isize).cast_unsigned()];
        let energy = |delay: isize| {
            let around = delay - (PEAK_WIDTH / 2) as isize..delay + (PEAK_WIDTH / 2) as isize;
            around.map(|delay| f64::from(response_at(delay)).powi(2)).sum::<f64>()
        };
        let (delay, strongest) = delays.map(|delay| (delay, energy(delay))).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let all_delays = -MAX_DELAY..MAX_DELAY;
        let mean = all_delays.clone().map(|delay| f64::from(response_at(delay)).powi(2)).sum::<f64>()
            / all_delays.count() as f64;
        let start = delay - LEAD_SAMPLES;
        let path = EchoPath { start, taps: (0..TAPS).map(|tap| response_at(start + tap as isize)).collect() };
        Some(PathEstimate {
            path,
            gain: arriving / sent,
            prominence: strongest / (mean * PEAK_WIDTH as f64),
            explained: arriving / self.target,
        })
    }
}

/// Predicts the sound that arrives over a path, block by block (overlap-save).
pub(super) struct Predictor {
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
    response: Vec<Complex<f32>>,
    /// Source samples to skip at the beginning, for a path that begins before its source.
    skip: usize,
    /// Latest block and later samples of the source, delayed by the start of the path.
    source: Vec<f32>,
}

impl Predictor {
    pub(super) fn new(path: &EchoPath) -> Self {
        let mut planner = RealFftPlanner::new();
        let (forward, inverse) = (planner.plan_fft_forward(2 * TAPS), planner.plan_fft_inverse(2 * TAPS));
        let mut taps = forward.make_input_vec();
        for (tap, value) in taps.iter_mut().zip(&path.taps) {
            *tap = value / (2 * TAPS) as f32;
        }
        let mut response = forward.make_output_vec();
        forward.process(&mut taps, &mut response).expect("buffers of the planned length");
        // The first block needs earlier samples: [`TAPS`] for overlap-save, and the delay of the path. They are silent.
        let before = TAPS as isize + path.start;
        let skip = usize::try_from(-before).unwrap_or(0);
        let source = vec![0.0; usize::try_from(before).unwrap_or(0)];
        Self { forward, inverse, response, skip, source }
    }

    /// Takes source samples and appends the prediction as far as it is known.
    pub(super) fn push(&mut self, source: &[f32], predicted: &mut Vec<f32>) {
        let skipped = self.skip.min(source.len());
        self.skip -= skipped;
        self.source.extend(&source[skipped..]);
        let mut consumed = 0;
        while let Some(block) = self.source.get(consumed..consumed + 2 * TAPS) {
            let mut block = block.to_vec();
            let mut bins = self.forward.make_output_vec();
            self.forward.process(&mut block, &mut bins).expect("buffers of the planned length");
            bins.iter_mut().zip(&self.response).for_each(|(bin, response)| *bin *= response);
            // These bins of a real signal are real; rounding may leave an imaginary part that the library rejects.
            for end in [0, TAPS] {
                bins[end].im = 0.0;
            }
            self.inverse.process(&mut bins, &mut block).expect("buffers of the planned length");
            predicted.extend(&block[TAPS..]);
            consumed += TAPS;
        }
        self.source.drain(..consumed);
    }
}

/// Removes the echo of one channel from the other.
pub(super) struct EchoCanceller {
    predictor: Predictor,
    near: Vec<f32>,
    predicted: Vec<f32>,
}

impl EchoCanceller {
    pub(super) fn new(path: &EchoPath) -> Self {
        Self { predictor: Predictor::new(path), near: Vec::new(), predicted: Vec::new() }
    }

    /// Takes the same number of samples of both channels. Returns the samples of `near` whose echo is known, and the same
    /// samples without the echo.
    pub(super) fn push(&mut self, near: &[f32], far: &[f32]) -> (Vec<f32>, Vec<f32>) {
        self.near.extend(near);
        self.predictor.push(far, &mut self.predicted);
        let known_samples = self.near.len().min(self.predicted.len());
        let near: Vec<f32> = self.near.drain(..known_samples).collect();
        let residual = near.iter().zip(self.predicted.drain(..known_samples)).map(|(near, echo)| near - echo).collect();
        (near, residual)
    }

    /// Returns the remaining samples, like [`EchoCanceller::push`].
    pub(super) fn finish(&mut self) -> (Vec<f32>, Vec<f32>) {
        let remaining = self.near.len();
        let silence = vec![0.0; remaining + MAX_DELAY.unsigned_abs() + 2 * TAPS];
        let (mut near, mut residual) = self.push(&[], &silence);
        near.truncate(remaining);
        residual.truncate(remaining);
        (near, residual)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_numbers;
    use super::*;

    /// Generates reproducible noise.
    fn noise(samples: usize, seed: u64) -> Vec<f32> {
        let mut random = random_numbers(seed);
        (0..samples).map(|_| random() * 0.1).collect()
    }

    fn delayed(sound: &[f32], delay: usize, factor: f32) -> Vec<f32> {
        let mut delayed = vec![0.0; delay];
        delayed.extend(sound[..sound.len() - delay].iter().map(|sample| sample * factor));
        delayed
    }

    fn estimate(source: &[f32], target: &[f32]) -> PathEstimate {
        let (mut transform, mut estimator) = (Transform::new(), PathEstimator::new());
        for (source, target) in
            source.windows(WINDOW).step_by(WINDOW / 4).zip(target.windows(WINDOW).step_by(WINDOW / 4))
        {
            let (source, target) = (transform.spectra(source), transform.spectra(target));
            estimator.add(&source, &target, 1.0);
        }
        estimator.estimate(-MAX_DELAY..=MAX_DELAY, 0.01).unwrap()
    }

    #[test]
    fn finds_delay_gain_and_polarity() {
        let sound = noise(100_000, 7);
        for (delay, factor) in [(0, 1.0), (1, -1.0), (400, 0.25), (3_200, -0.003)] {
            let estimated = estimate(&sound, &delayed(&sound, delay, factor));
            let strongest =
                estimated.path.taps.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap();
            assert_eq!(estimated.path.start + strongest.0 as isize, delay as isize);
            assert_eq!(strongest.1.signum(), factor.signum());
            let gain = 10.0 * (estimated.gain / f64::from(factor * factor)).log10();
            assert!(gain.abs() < 0.5, "{gain} dB");
            assert!(estimated.prominence > 100.0 && estimated.explained > 0.9, "{estimated:?}");
        }
        let early = estimate(&delayed(&sound, 300, 1.0), &sound);
        assert!((early.path.start + LEAD_SAMPLES + 300).abs() < 10, "{}", early.path.start);
    }

    #[test]
    fn unrelated_sound_has_no_path() {
        let estimated = estimate(&noise(100_000, 7), &noise(100_000, 8));
        assert!(estimated.prominence < 10.0 && estimated.explained < 0.5, "{estimated:?}");
    }

    #[test]
    fn cancels_echo_of_known_path() {
        let mut taps = vec![0.0; TAPS];
        (taps[3], taps[900]) = (0.5, -0.25);
        let far = noise(10_000, 7);
        for start in [-5, 0, 250] {
            let path = EchoPath { start, taps: taps.clone() };
            let near: Vec<f32> = (0..far.len() as isize)
                .map(|n| {
                    let at = |delay: isize| usize::try_from(n - delay).ok().and_then(|n| far.get(n)).unwrap_or(&0.0);
                    0.5 * at(start + 3) - 0.25 * at(start + 900)
                })
                .collect();
            let mut canceller = EchoCanceller::new(&path);
            let (mut sound, mut residual) = (Vec::new(), Vec::new());
            let mut take = |(near, without_echo): (Vec<f32>, Vec<f32>)| {
                sound.extend(near);
                residual.extend(without_echo);
            };
            for (near, far) in near.chunks(333).zip(far.chunks(333)) {
                take(canceller.push(near, far));
            }
            take(canceller.finish());
            assert_eq!(sound, near);
            let max_residual = residual.iter().map(|sample| sample.abs()).fold(0.0, f32::max);
            assert!(max_residual < 1e-5, "{start}: {max_residual}");
        }
    }
}
