//! Computes the waveform of a channel whose length isn't known in advance.

use super::outline::Line;

/// Maximum number of stored peaks. When there are more, pairs are merged, so memory is bounded. At least half as many remain
/// at the end, one for each peak that may be requested.
const MOST: usize = 8_192;

/// Running peaks of a channel.
pub(super) struct Loudest {
    /// Peak of each stretch. The last stretch may be shorter.
    peaks: Vec<f32>,
    /// Number of samples in a stretch.
    length: usize,
    /// Number of samples taken so far.
    taken: usize,
}

impl Loudest {
    pub(super) fn new() -> Self {
        Self { peaks: Vec::new(), length: 1, taken: 0 }
    }

    /// Takes the next samples, from -1 to 1.
    pub(super) fn push(&mut self, samples: &[f32]) {
        for sample in samples {
            if self.taken == self.peaks.len() * self.length {
                if self.peaks.len() == MOST {
                    self.halve();
                }
                self.peaks.push(0.0);
            }
            if let Some(last) = self.peaks.last_mut() {
                *last = last.max(sample.abs());
            }
            self.taken += 1;
        }
    }

    /// Returns the waveform, with peaks from 0 to 255.
    pub(super) fn finish(&self) -> Line {
        let peaks = self.peaks.iter().map(|peak| (peak * 255.0).round() as u8).collect();
        Line { peaks, length: self.length as u64, taken: self.taken as u64 }
    }

    fn halve(&mut self) {
        self.peaks = self.peaks.chunks(2).map(|two| two.iter().copied().fold(0.0, f32::max)).collect();
        self.length *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_have_their_loudest_sample() {
        let mut loudest = Loudest::new();
        loudest.push(&[0.1, -1.0, 0.2, 0.0, 0.0]);
        loudest.push(&[0.5, 0.0, 0.0]);
        assert_eq!(loudest.finish().stretches(4), [255, 51, 128, 0]);
    }

    #[test]
    fn long_recordings_use_bounded_memory() {
        let mut loudest = Loudest::new();
        // 20 stretches, alternately loud and silent. Their borders don't coincide with those of the stored peaks.
        for stretch in 0..20 {
            loudest.push(&vec![if stretch % 2 == 0 { 0.8 } else { 0.0 }; 50_000]);
        }
        assert!(loudest.peaks.len() <= MOST);
        let peaks = loudest.finish().stretches(200);
        let middles: Vec<u8> = peaks.iter().skip(5).step_by(10).copied().collect();
        assert_eq!(middles, [204, 0].repeat(10));
    }

    #[test]
    fn more_stretches_than_samples_repeat_the_samples() {
        let mut loudest = Loudest::new();
        loudest.push(&[1.0, 0.0]);
        assert_eq!(loudest.finish().stretches(4), [255, 255, 0, 0]);
        assert_eq!(Loudest::new().finish().stretches(2), [0, 0]);
        assert!(loudest.finish().stretches(0).is_empty());
    }
}
