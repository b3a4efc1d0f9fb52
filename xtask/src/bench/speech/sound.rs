//! Audio of the benchmark: recordings as they are, over a telephone line, noise and silence.

use std::f64::consts::PI;
use std::path::Path;

use anyhow::{Result, ensure};
use hound::{SampleFormat, WavReader, WavSpec, WavWriter};

/// Sample rate in Hz of the recognisers and of the single-channel recordings.
pub const WIDE: u32 = 16_000;

/// Sample rate in Hz of a telephone line.
pub const NARROW: u32 = 8_000;

/// Pass band of a telephone line in Hz.
const BAND: (f64, f64) = (300.0, 3_400.0);

/// Length of the filters in taps: 40 dB within 200 Hz at 16 kHz.
const TAPS: usize = 257;

/// Reads a 16-bit WAV; returns its rate, and its samples by channel.
pub fn read(path: &Path) -> Result<(u32, Vec<Vec<f64>>)> {
    let mut wav = WavReader::open(path)?;
    let spec = wav.spec();
    ensure!(spec.bits_per_sample == 16 && spec.sample_format == SampleFormat::Int, "expected 16 bit, found {spec:?}");
    let mut channels = vec![Vec::new(); spec.channels.into()];
    for (sample, at) in wav.samples::<i16>().zip((0..channels.len()).cycle()) {
        channels[at].push(f64::from(sample?) / 32_768.0);
    }
    Ok((spec.sample_rate, channels))
}

/// Writes a 16-bit WAV with one channel.
pub fn write(path: &Path, rate: u32, samples: &[f64]) -> Result<()> {
    let spec = WavSpec { channels: 1, sample_rate: rate, bits_per_sample: 16, sample_format: SampleFormat::Int };
    let mut wav = WavWriter::create(path, spec)?;
    for sample in samples {
        wav.write_sample((sample * 32_768.0).round().clamp(-32_768.0, 32_767.0) as i16)?;
    }
    Ok(wav.finalize()?)
}

/// Simulates a telephone line, from [`WIDE`] to [`NARROW`].
pub fn telephone(samples: &[f64]) -> Vec<f64> {
    let filter: Vec<_> =
        low_pass(BAND.1, WIDE).into_iter().zip(low_pass(BAND.0, WIDE)).map(|(high, low)| high - low).collect();
    convolve(samples, &filter).into_iter().step_by(2).map(through_mu_law).collect()
}

/// Resamples from [`NARROW`] to [`WIDE`].
pub fn widened(samples: &[f64]) -> Vec<f64> {
    let spread: Vec<f64> = samples.iter().flat_map(|sample| [2.0 * sample, 0.0]).collect();
    convolve(&spread, &low_pass(f64::from(NARROW) / 2.0, WIDE))
}

/// Returns deterministic white noise at a tenth of full scale.
pub fn noise(seconds: u32, rate: u32) -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        // xorshift64, Marsaglia 2003.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..seconds * rate).map(|_| (next() * 2.0 - 1.0) * 0.1).collect()
}

/// Returns a windowed-sinc low-pass filter (Blackman) with this `cutoff`.
fn low_pass(cutoff: f64, rate: u32) -> Vec<f64> {
    let turn = 2.0 * PI * cutoff / f64::from(rate);
    let middle = (TAPS - 1) as f64 / 2.0;
    let taps = (0..TAPS).map(|at| {
        let x = at as f64 - middle;
        let sinc = if x == 0.0 { turn / PI } else { (turn * x).sin() / (PI * x) };
        let phase = 2.0 * PI * at as f64 / (TAPS - 1) as f64;
        sinc * (0.42 - 0.5 * phase.cos() + 0.08 * (2.0 * phase).cos())
    });
    taps.collect()
}

/// Filters samples without changing their number or delaying them.
fn convolve(samples: &[f64], filter: &[f64]) -> Vec<f64> {
    let middle = filter.len() / 2;
    let tap = |at: usize, tap: usize| {
        let from = (at + middle).checked_sub(tap)?;
        Some(samples.get(from)? * filter[tap])
    };
    (0..samples.len()).map(|at| (0..filter.len()).filter_map(|number| tap(at, number)).sum()).collect()
}

/// Encodes a sample with eight bits (G.711 µ-law) and decodes it again.
fn through_mu_law(sample: f64) -> f64 {
    const BIAS: i32 = 132;
    const CLIP: i32 = 32_635;
    let value = (sample * 32_768.0).round() as i32;
    let magnitude = value.abs().min(CLIP) + BIAS;
    // The highest bit gives the segment. Four more bits are kept, and half a step stands for the rest.
    let segment = magnitude.ilog2() - 7;
    let decoded = (((magnitude >> (segment + 3)) << 1 | 1) << (segment + 2)) - BIAS;
    f64::from(decoded * value.signum()) / 32_768.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(hertz: f64, rate: u32) -> Vec<f64> {
        (0..rate).map(|at| (2.0 * PI * hertz * f64::from(at) / f64::from(rate)).sin() * 0.5).collect()
    }

    /// Returns the root mean square of the middle, away from the edges.
    fn level(samples: &[f64]) -> f64 {
        let middle = &samples[samples.len() / 4..samples.len() * 3 / 4];
        (middle.iter().map(|sample| sample * sample).sum::<f64>() / middle.len() as f64).sqrt()
    }

    #[test]
    fn telephone_line_passes_its_band() {
        let loud = level(&tone(1_000.0, WIDE));
        assert!((level(&telephone(&tone(1_000.0, WIDE))) / loud - 1.0).abs() < 0.02);
        assert!(level(&telephone(&tone(100.0, WIDE))) / loud < 0.01);
        assert!(level(&telephone(&tone(5_000.0, WIDE))) / loud < 0.01);
    }

    #[test]
    fn upsampling_preserves_the_signal() {
        let wide = widened(&tone(1_000.0, NARROW));
        let difference: Vec<_> = wide.iter().zip(tone(1_000.0, WIDE)).map(|(found, right)| found - right).collect();
        assert_eq!(wide.len(), 16_000);
        assert!(level(&difference) < 0.001);
    }

    #[test]
    fn mu_law_matches_the_standard() {
        let through = |value: i32| (through_mu_law(f64::from(value) / 32_768.0) * 32_768.0).round() as i32;
        // G.711, table 2a, in 16 bits: the decoded value for each of these inputs.
        assert_eq!([0, 100, -1_000, 32_767, -32_768].map(through), [0, 104, -988, 32_124, -32_124]);
    }
}
