//! Audio of the benchmark: original recordings, the same over a telephone line, noise and silence.

use std::f64::consts::PI;
use std::path::Path;

use anyhow::{Result, ensure};
use hound::{SampleFormat, WavReader, WavSpec, WavWriter};

/// Sample rate in Hz of the recognizers and of the single-channel recordings.
pub const WIDEBAND_RATE: u32 = 16_000;

/// Sample rate in Hz of a telephone line.
pub const TELEPHONE_RATE: u32 = 8_000;

/// Pass band of a telephone line in Hz.
const PASS_BAND: (f64, f64) = (300.0, 3_400.0);

/// Length of the filters in taps: 40 dB within 200 Hz at 16 kHz.
const FILTER_TAPS: usize = 257;

/// Reads a 16-bit WAV; returns its rate, and its samples by channel.
pub fn read(path: &Path) -> Result<(u32, Vec<Vec<f64>>)> {
    let mut wav = WavReader::open(path)?;
    let spec = wav.spec();
    ensure!(spec.bits_per_sample == 16 && spec.sample_format == SampleFormat::Int, "expected 16 bit, found {spec:?}");
    let mut channels = vec![Vec::new(); spec.channels.into()];
    for (sample, channel_index) in wav.samples::<i16>().zip((0..channels.len()).cycle()) {
        channels[channel_index].push(f64::from(sample?) / 32_768.0);
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

/// Simulates a telephone line, from [`WIDEBAND_RATE`] to [`TELEPHONE_RATE`].
pub fn simulate_telephone(samples: &[f64]) -> Vec<f64> {
    let filter: Vec<_> = low_pass(PASS_BAND.1, WIDEBAND_RATE)
        .into_iter()
        .zip(low_pass(PASS_BAND.0, WIDEBAND_RATE))
        .map(|(high, low)| high - low)
        .collect();
    convolve(samples, &filter).into_iter().step_by(2).map(mu_law_round_trip).collect()
}

/// Resamples from [`TELEPHONE_RATE`] to [`WIDEBAND_RATE`].
pub fn upsample(samples: &[f64]) -> Vec<f64> {
    let zero_stuffed: Vec<f64> = samples.iter().flat_map(|sample| [2.0 * sample, 0.0]).collect();
    convolve(&zero_stuffed, &low_pass(f64::from(TELEPHONE_RATE) / 2.0, WIDEBAND_RATE))
}

/// Returns deterministic white noise at a tenth of full scale.
pub fn noise(seconds: u32, rate: u32) -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next_random = || {
        // xorshift64, Marsaglia 2003.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..seconds * rate).map(|_| (next_random() * 2.0 - 1.0) * 0.1).collect()
}

/// Returns a windowed-sinc low-pass filter (Blackman) with this `cutoff`.
fn low_pass(cutoff: f64, rate: u32) -> Vec<f64> {
    let angular_cutoff = 2.0 * PI * cutoff / f64::from(rate);
    let middle = (FILTER_TAPS - 1) as f64 / 2.0;
    let taps = (0..FILTER_TAPS).map(|index| {
        let x = index as f64 - middle;
        let sinc = if x == 0.0 { angular_cutoff / PI } else { (angular_cutoff * x).sin() / (PI * x) };
        let phase = 2.0 * PI * index as f64 / (FILTER_TAPS - 1) as f64;
        sinc * (0.42 - 0.5 * phase.cos() + 0.08 * (2.0 * phase).cos())
    });
    taps.collect()
}

/// Filters samples without changing their number or delaying them.
fn convolve(samples: &[f64], filter: &[f64]) -> Vec<f64> {
    let middle = filter.len() / 2;
    let weighted_sample = |index: usize, tap_index: usize| {
        let source = (index + middle).checked_sub(tap_index)?;
        Some(samples.get(source)? * filter[tap_index])
    };
    (0..samples.len())
        .map(|index| (0..filter.len()).filter_map(|tap_index| weighted_sample(index, tap_index)).sum())
        .collect()
}

/// Encodes a sample with eight bits (G.711 µ-law) and decodes it again.
fn mu_law_round_trip(sample: f64) -> f64 {
    const BIAS: i32 = 132;
    const CLIP: i32 = 32_635;
    let value = (sample * 32_768.0).round() as i32;
    let magnitude = value.abs().min(CLIP) + BIAS;
    // The highest bit gives the segment. Four more bits are kept; half a step replaces the rest.
    let segment = magnitude.ilog2() - 7;
    let decoded = (((magnitude >> (segment + 3)) << 1 | 1) << (segment + 2)) - BIAS;
    f64::from(decoded * value.signum()) / 32_768.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(hertz: f64, rate: u32) -> Vec<f64> {
        (0..rate).map(|index| (2.0 * PI * hertz * f64::from(index) / f64::from(rate)).sin() * 0.5).collect()
    }

    /// Returns the root mean square of the middle, away from the edges.
    fn level(samples: &[f64]) -> f64 {
        let middle = &samples[samples.len() / 4..samples.len() * 3 / 4];
        (middle.iter().map(|sample| sample * sample).sum::<f64>() / middle.len() as f64).sqrt()
    }

    #[test]
    fn telephone_line_passes_its_band() {
        let original_level = level(&tone(1_000.0, WIDEBAND_RATE));
        assert!((level(&simulate_telephone(&tone(1_000.0, WIDEBAND_RATE))) / original_level - 1.0).abs() < 0.02);
        assert!(level(&simulate_telephone(&tone(100.0, WIDEBAND_RATE))) / original_level < 0.01);
        assert!(level(&simulate_telephone(&tone(5_000.0, WIDEBAND_RATE))) / original_level < 0.01);
    }

    #[test]
    fn upsampling_preserves_the_signal() {
        let wide = upsample(&tone(1_000.0, TELEPHONE_RATE));
        let difference: Vec<_> =
            wide.iter().zip(tone(1_000.0, WIDEBAND_RATE)).map(|(actual, expected)| actual - expected).collect();
        assert_eq!(wide.len(), 16_000);
        assert!(level(&difference) < 0.001);
    }

    #[test]
    fn mu_law_matches_the_standard() {
        let round_trip = |value: i32| (mu_law_round_trip(f64::from(value) / 32_768.0) * 32_768.0).round() as i32;
        // G.711, table 2a, in 16 bits: the decoded value for each of these inputs.
        assert_eq!([0, 100, -1_000, 32_767, -32_768].map(round_trip), [0, 104, -988, 32_124, -32_124]);
    }
}
