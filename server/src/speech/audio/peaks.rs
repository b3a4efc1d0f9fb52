//! Computes the waveform of a channel whose length isn't known in advance.

use super::waveform::ChannelPeaks;

/// Maximum number of stored peaks. When there are more, pairs are merged, so memory is bounded. At least half of them
/// remain at the end, more than a client may request.
const MAX_PEAKS: usize = 8_192;

/// Running peaks of a channel.
pub(super) struct PeakAccumulator {
    /// Peak of each bucket. The last bucket may be shorter.
    peaks: Vec<f32>,
    bucket_samples: usize,
    /// Number of samples so far.
    sample_count: usize,
}

impl PeakAccumulator {
    pub(super) fn new() -> Self {
        Self { peaks: Vec::new(), bucket_samples: 1, sample_count: 0 }
    }

    /// Adds samples, which range from -1 to 1.
    pub(super) fn push(&mut self, samples: &[f32]) {
        for sample in samples {
            if self.sample_count == self.peaks.len() * self.bucket_samples {
                if self.peaks.len() == MAX_PEAKS {
                    self.merge_pairs();
                }
                self.peaks.push(0.0);
            }
            if let Some(last) = self.peaks.last_mut() {
                *last = last.max(sample.abs());
            }
            self.sample_count += 1;
        }
    }

    /// Returns the waveform, with peaks from 0 to 255.
    pub(super) fn finish(&self) -> ChannelPeaks {
        let peaks = self.peaks.iter().map(|peak| (peak * 255.0).round() as u8).collect();
        ChannelPeaks { peaks, bucket_samples: self.bucket_samples as u64, sample_count: self.sample_count as u64 }
    }

    fn merge_pairs(&mut self) {
        self.peaks = self.peaks.chunks(2).map(|pair| pair.iter().copied().fold(0.0, f32::max)).collect();
        self.bucket_samples *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_hold_their_loudest_sample() {
        let mut accumulator = PeakAccumulator::new();
        accumulator.push(&[0.1, -1.0, 0.2, 0.0, 0.0]);
        accumulator.push(&[0.5, 0.0, 0.0]);
        assert_eq!(accumulator.finish().resample(4), [255, 51, 128, 0]);
    }

    #[test]
    fn long_recordings_use_bounded_memory() {
        let mut accumulator = PeakAccumulator::new();
        // 20 sections, alternately loud and silent. Their boundaries are not bucket boundaries.
        for bucket in 0..20 {
            accumulator.push(&vec![if bucket % 2 == 0 { 0.8 } else { 0.0 }; 50_000]);
        }
        assert!(accumulator.peaks.len() <= MAX_PEAKS);
        let peaks = accumulator.finish().resample(200);
        let middles: Vec<u8> = peaks.iter().skip(5).step_by(10).copied().collect();
        assert_eq!(middles, [204, 0].repeat(10));
    }

    #[test]
    fn more_buckets_than_samples_repeat_samples() {
        let mut accumulator = PeakAccumulator::new();
        accumulator.push(&[1.0, 0.0]);
        assert_eq!(accumulator.finish().resample(4), [255, 255, 0, 0]);
        assert_eq!(PeakAccumulator::new().finish().resample(2), [0, 0]);
        assert!(accumulator.finish().resample(0).is_empty());
    }
}
