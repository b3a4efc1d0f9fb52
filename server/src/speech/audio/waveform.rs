//! Waveform of a whole recording, as stored and displayed.

use leadscribe_engine::api::Peaks;

/// Format version, the first byte of the stored form.
const VERSION: u8 = 1;

/// Waveform of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Waveform {
    /// Length of the recording in seconds, as decoded.
    pub(super) seconds: f64,
    pub(super) channels: Vec<ChannelPeaks>,
}

/// Waveform of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChannelPeaks {
    /// Peak of each bucket, 0 to 255. The last bucket may be shorter.
    pub(super) peaks: Vec<u8>,
    /// Number of samples per bucket, 1 or more.
    pub(super) bucket_samples: u64,
    /// Total number of samples.
    pub(super) sample_count: u64,
}

impl Waveform {
    /// Returns `count` peaks for each channel, one for each of `count` equal buckets.
    pub fn peaks(&self, count: usize) -> Peaks {
        let channels = self.channels.iter().map(|channel| channel.resample(count)).collect();
        Peaks { duration: self.seconds, channels }
    }

    /// Serializes the waveform: version and seconds, then for each channel the length of a bucket, the number of samples,
    /// and the peaks. Numbers are little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(self.seconds.to_le_bytes());
        for channel in &self.channels {
            bytes.extend(channel.bucket_samples.to_le_bytes());
            bytes.extend(channel.sample_count.to_le_bytes());
            bytes.extend(&channel.peaks);
        }
        bytes
    }

    /// Deserializes the result of [`Waveform::to_bytes`]; `None` if the bytes are invalid or incomplete.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first()?;
        let (seconds, mut rest) = rest.split_first_chunk()?;
        let seconds = f64::from_le_bytes(*seconds);
        if *version != VERSION || !seconds.is_finite() {
            return None;
        }
        let mut channels = Vec::new();
        while !rest.is_empty() {
            let (bucket_samples, after) = rest.split_first_chunk()?;
            let (sample_count, after) = after.split_first_chunk()?;
            let (bucket_samples, sample_count) =
                (u64::from_le_bytes(*bucket_samples), u64::from_le_bytes(*sample_count));
            let count =
                usize::try_from(sample_count.checked_add(bucket_samples.checked_sub(1)?)? / bucket_samples).ok()?;
            let (peaks, after) = after.split_at_checked(count)?;
            channels.push(ChannelPeaks { peaks: peaks.to_vec(), bucket_samples, sample_count });
            rest = after;
        }
        Some(Self { seconds, channels })
    }
}

impl ChannelPeaks {
    /// Returns the peaks of `count` equal buckets.
    pub(super) fn resample(&self, count: usize) -> Vec<u8> {
        let total_samples = count as u128 * u128::from(self.bucket_samples);
        let peak_index = |n: usize| (n as u128 * u128::from(self.sample_count) / total_samples) as usize;
        let bucket_peak = |n: usize| {
            let start = peak_index(n).min(self.peaks.len());
            // The last bucket takes the remaining peaks.
            let end =
                if n + 1 < count { peak_index(n + 1).max(start + 1).min(self.peaks.len()) } else { self.peaks.len() };
            self.peaks[start..end].iter().copied().max().unwrap_or(0)
        };
        (0..count).map(bucket_peak).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waveform() -> Waveform {
        let channel = |peaks: &[u8]| ChannelPeaks { peaks: peaks.to_vec(), bucket_samples: 3, sample_count: 8 };
        Waveform { seconds: 1.5, channels: vec![channel(&[0, 7, 255]), channel(&[9, 0, 1])] }
    }

    #[test]
    fn stored_waveform_round_trips() {
        let restored = Waveform::from_bytes(&waveform().to_bytes()).unwrap();
        assert_eq!(restored, waveform());
        assert_eq!(restored.peaks(2), Peaks { duration: 1.5, channels: vec![vec![0, 255], vec![9, 1]] });
        let empty = Waveform { seconds: 0.0, channels: Vec::new() };
        assert_eq!(Waveform::from_bytes(&empty.to_bytes()), Some(empty));
    }

    #[test]
    fn rejects_damaged_waveforms() {
        let bytes = waveform().to_bytes();
        for end in 0..bytes.len() {
            // A prefix with only whole channels looks like a recording with fewer channels.
            let is_whole = end == 1 + 8 || end == 1 + 8 + 8 + 8 + 3;
            assert_eq!(Waveform::from_bytes(&bytes[..end]).is_some(), is_whole, "the first {end} bytes");
        }
        assert_eq!(Waveform::from_bytes(&[&bytes[..], &[0]].concat()), None);
        assert_eq!(Waveform::from_bytes(&[&[2], &bytes[1..]].concat()), None, "another version");
        let mut without_length = bytes;
        without_length[9..17].fill(0);
        assert_eq!(Waveform::from_bytes(&without_length), None);
    }
}
