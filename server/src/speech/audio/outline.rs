//! The outline of a whole recording's loudness: what is kept of it once it was decoded, and drawn from.

use leadscribe_engine::api::Peaks;

/// The first byte of what is kept. Another way of writing it would have another one.
const VERSION: u8 = 1;

/// The outline of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Length of the recording in seconds, as decoded.
    pub(super) seconds: f64,
    /// A line for each channel.
    pub(super) lines: Vec<Line>,
}

/// The outline of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The loudest sample of each stretch, 0 to 255; the last stretch may be shorter.
    pub(super) peaks: Vec<u8>,
    /// Samples of a stretch, 1 or more.
    pub(super) length: u64,
    /// Samples of all.
    pub(super) taken: u64,
}

impl Outline {
    /// The loudest sample of each of `count` equal stretches, for each channel.
    pub fn peaks(&self, count: usize) -> Peaks {
        let channels = self.lines.iter().map(|line| line.stretches(count)).collect();
        Peaks { duration: self.seconds, channels }
    }

    /// As bytes, to be kept: the version, the seconds, and for each channel how long a stretch is, how many samples there
    /// are, and the stretches. All numbers begin with their lowest byte.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(self.seconds.to_le_bytes());
        for line in &self.lines {
            bytes.extend(line.length.to_le_bytes());
            bytes.extend(line.taken.to_le_bytes());
            bytes.extend(&line.peaks);
        }
        bytes
    }

    /// From what [`Outline::to_bytes`] made; none when it is something else, or not all of it.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first()?;
        let (seconds, mut rest) = rest.split_first_chunk()?;
        let seconds = f64::from_le_bytes(*seconds);
        if *version != VERSION || !seconds.is_finite() {
            return None;
        }
        let mut lines = Vec::new();
        while !rest.is_empty() {
            let (length, after) = rest.split_first_chunk()?;
            let (taken, after) = after.split_first_chunk()?;
            let (length, taken) = (u64::from_le_bytes(*length), u64::from_le_bytes(*taken));
            let count = usize::try_from(taken.checked_add(length.checked_sub(1)?)? / length).ok()?;
            let (peaks, after) = after.split_at_checked(count)?;
            lines.push(Line { peaks: peaks.to_vec(), length, taken });
            rest = after;
        }
        Some(Self { seconds, lines })
    }
}

impl Line {
    /// The loudest sample of each of `count` equal stretches.
    pub(super) fn stretches(&self, count: usize) -> Vec<u8> {
        let whole = count as u128 * u128::from(self.length);
        let place = |n: usize| (n as u128 * u128::from(self.taken) / whole) as usize;
        let stretch = |n: usize| {
            let start = place(n).min(self.peaks.len());
            // The last one takes all that is left.
            let end = if n + 1 < count { place(n + 1).max(start + 1).min(self.peaks.len()) } else { self.peaks.len() };
            self.peaks[start..end].iter().copied().max().unwrap_or(0)
        };
        (0..count).map(stretch).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline() -> Outline {
        let line = |peaks: &[u8]| Line { peaks: peaks.to_vec(), length: 3, taken: 8 };
        Outline { seconds: 1.5, lines: vec![line(&[0, 7, 255]), line(&[9, 0, 1])] }
    }

    #[test]
    fn what_is_kept_draws_the_same() {
        let kept = Outline::from_bytes(&outline().to_bytes()).unwrap();
        assert_eq!(kept, outline());
        assert_eq!(kept.peaks(2), Peaks { duration: 1.5, channels: vec![vec![0, 255], vec![9, 1]] });
        let empty = Outline { seconds: 0.0, lines: Vec::new() };
        assert_eq!(Outline::from_bytes(&empty.to_bytes()), Some(empty));
    }

    #[test]
    fn what_is_damaged_is_not_taken() {
        let bytes = outline().to_bytes();
        for end in 0..bytes.len() {
            // Up to a whole channel it can't be told from a recording with fewer.
            let is_whole = end == 1 + 8 || end == 1 + 8 + 8 + 8 + 3;
            assert_eq!(Outline::from_bytes(&bytes[..end]).is_some(), is_whole, "the first {end} bytes");
        }
        assert_eq!(Outline::from_bytes(&[&bytes[..], &[0]].concat()), None);
        assert_eq!(Outline::from_bytes(&[&[2], &bytes[1..]].concat()), None, "of another version");
        let mut without_length = bytes;
        without_length[9..17].fill(0);
        assert_eq!(Outline::from_bytes(&without_length), None);
    }
}
