//! Sample rate conversion without a time shift.

use leadscribe_engine::diagnostic::{common, work};
use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Indexing, Resampler as _, WindowFunction};

use super::AudioError;
use crate::speech::SAMPLE_RATE;

/// Approximate number of samples converted at once. A larger number makes the low-pass filter steeper; at 8 kHz, frequencies
/// up to 3.8 kHz pass.
const CHUNK_SAMPLES: usize = 1_024;

/// Converts a channel to another sample rate.
pub(super) struct Resampler {
    /// `None` if the rates are equal.
    converter: Option<Converter>,
}

struct Converter {
    inner: Fft<f32>,
    /// Sample rate of the input.
    rate: u64,
    /// Sample rate of the output.
    target: u64,
    /// Input not yet converted.
    pending: Vec<f32>,
    output: Vec<f32>,
    /// Remaining samples of the converter's delay to drop at the beginning.
    delay: usize,
    /// Number of samples taken.
    input_samples: u64,
    output_samples: u64,
}

impl Resampler {
    /// Creates a converter from `rate` to [`SAMPLE_RATE`].
    ///
    /// # Errors
    /// [`AudioError::Unusable`] if the rate isn't supported.
    pub(super) fn new(rate: u32) -> Result<Self, AudioError> {
        Self::between(rate, SAMPLE_RATE)
    }

    /// Creates a converter from `rate` to `target`.
    ///
    /// # Errors
    /// [`AudioError::Unusable`] if the rates aren't supported.
    pub(super) fn between(rate: u32, target: u32) -> Result<Self, AudioError> {
        if rate == target {
            return Ok(Self { converter: None });
        }
        let window = WindowFunction::BlackmanHarris2;
        let inner = Fft::new_custom(rate as usize, target as usize, CHUNK_SAMPLES, 1, 1, window, FixedSync::Both)
            .map_err(conversion_error)?;
        let converter = Converter {
            rate: u64::from(rate),
            target: u64::from(target),
            pending: Vec::new(),
            output: vec![0.0; inner.output_frames_max()],
            delay: inner.output_delay(),
            input_samples: 0,
            output_samples: 0,
            inner,
        };
        Ok(Self { converter: Some(converter) })
    }

    /// Takes samples and appends the output so far to `converted`.
    ///
    /// # Errors
    /// [`AudioError::Unusable`] if the conversion fails.
    pub(super) fn push(&mut self, sound: &[f32], converted: &mut Vec<f32>) -> Result<(), AudioError> {
        let Some(converter) = &mut self.converter else {
            converted.extend(sound);
            return Ok(());
        };
        converter.input_samples += sound.len() as u64;
        converter.pending.extend(sound);
        converter.run(converted)
    }

    /// Appends the rest to `converted`, so that the total length matches the input.
    ///
    /// # Errors
    /// [`AudioError::Unusable`] if the conversion fails.
    pub(super) fn finish(&mut self, converted: &mut Vec<f32>) -> Result<(), AudioError> {
        let Some(converter) = &mut self.converter else { return Ok(()) };
        let expected_samples = (converter.input_samples * converter.target).div_ceil(converter.rate);
        while converter.output_samples < expected_samples {
            let needed_samples = converter.inner.input_frames_next();
            converter.pending.resize(needed_samples, 0.0);
            converter.run(converted)?;
        }
        converted.truncate(converted.len() - (converter.output_samples - expected_samples) as usize);
        converter.output_samples = expected_samples;
        Ok(())
    }
}

impl Converter {
    /// Converts as much of the input as possible.
    fn run(&mut self, converted: &mut Vec<f32>) -> Result<(), AudioError> {
        let mut consumed = 0;
        while self.pending.len() - consumed >= self.inner.input_frames_next() {
            let frames = self.pending.len();
            let input = InterleavedSlice::new(&self.pending, 1, frames).map_err(conversion_error)?;
            let frames = self.output.len();
            let mut output = InterleavedSlice::new_mut(&mut self.output, 1, frames).map_err(conversion_error)?;
            let indexing = Indexing::new().input_offset(consumed);
            let (read, written) =
                self.inner.process_into_buffer(&input, &mut output, Some(&indexing)).map_err(conversion_error)?;
            consumed += read;
            let skipped = self.delay.min(written);
            self.delay -= skipped;
            self.output_samples += (written - skipped) as u64;
            converted.extend(self.output[skipped..written].iter().map(|sample| sample.clamp(-1.0, 1.0)));
        }
        self.pending.drain(..consumed);
        Ok(())
    }
}

fn conversion_error(error: impl std::fmt::Display) -> AudioError {
    AudioError::Unusable(common::labeled(work::recording_undecodable(), error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts sound in blocks of odd sizes.
    fn convert(rate: u32, sound: &[f32]) -> Vec<f32> {
        let mut resampler = Resampler::new(rate).unwrap();
        let mut converted = Vec::new();
        for block in sound.chunks(777) {
            resampler.push(block, &mut converted).unwrap();
        }
        resampler.finish(&mut converted).unwrap();
        converted
    }

    #[test]
    fn resampling_keeps_positions_and_length() {
        for rate in [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 44_099, 192_000] {
            for seconds in [0.01, 9.75] {
                let mut sound = vec![0.0; (10.5 * f64::from(rate)) as usize];
                let click = (seconds * f64::from(rate)).round() as usize;
                sound[click] = 1.0;
                let converted = convert(rate, &sound);
                let loudest = converted.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
                let actual = loudest.map_or(0, |(index, _)| index) as f64 / f64::from(SAMPLE_RATE);
                let expected = click as f64 / f64::from(rate);
                // One sample is 0.06 ms.
                assert!((actual - expected).abs() < 1.5e-4, "{rate} Hz: {expected} became {actual}");
                let length = (sound.len() as f64 / f64::from(rate) * f64::from(SAMPLE_RATE)).ceil();
                assert_eq!(converted.len() as f64, length, "{rate} Hz");
            }
        }
    }

    #[test]
    fn resampling_keeps_level_to_the_last_sample() {
        for rate in [8_000, 11_025, 44_100, 48_000] {
            let turn = |n: usize| std::f32::consts::TAU * 1_000.0 * n as f32 / rate as f32;
            let sound: Vec<f32> = (0..rate as usize / 2).map(|n| 0.5 * turn(n).sin()).collect();
            let converted = convert(rate, &sound);
            for part in [2_000..3_000, 6_500..7_500] {
                let loudest = converted[part].iter().copied().fold(0.0, f32::max);
                assert!((loudest - 0.5).abs() < 0.01, "{rate} Hz: {loudest}");
            }
            let last = &converted[7_984..];
            assert!(last.iter().any(|sample| sample.abs() > 0.4), "{rate} Hz: {last:?}");
        }
    }

    #[test]
    fn keeps_sound_shorter_than_the_delay() {
        assert_eq!(convert(8_000, &[0.5; 10]).len(), 20);
        assert_eq!(convert(8_000, &[]).len(), 0);
    }
}
