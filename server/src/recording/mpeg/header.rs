//! Headers of MPEG audio frames (ISO/IEC 11172-3 and 13818-3, and the unofficial version 2.5).

/// Length of a header, in bytes.
pub(super) const HEADER_BYTES: usize = 4;

/// Bit rates in kbit/s of version 1, layers I to III, by index.
const BIT_RATES_1: [[u16; 14]; 3] = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
];

/// Bit rates in kbit/s of versions 2 and 2.5, layers I to III, by index.
const BIT_RATES_2: [[u16; 14]; 3] = [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/// Frames per second of version 1. Version 2 has half as many, version 2.5 a quarter.
const SAMPLE_RATES: [u32; 3] = [44_100, 48_000, 32_000];

/// Header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub version: Version,
    /// 1 to 3.
    pub layer: u8,
    /// Audio frames per second.
    pub rate: u32,
    /// 1 or 2.
    pub channels: u16,
    /// Length of the frame including its header, in bytes.
    pub bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
    TwoAndAHalf,
}

impl Header {
    /// Parses a header. Returns `None` if it is invalid or doesn't specify the bit rate.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let [first, second, third, fourth] = *bytes.first_chunk::<HEADER_BYTES>()?;
        if first != 0xff || second & 0xe0 != 0xe0 {
            return None;
        }
        let (version, divisor) = match second >> 3 & 3 {
            0 => (Version::TwoAndAHalf, 4),
            2 => (Version::Two, 2),
            3 => (Version::One, 1),
            _ => return None,
        };
        let layer = 4_u8.checked_sub(second >> 1 & 3).filter(|layer| *layer < 4)?;
        let table = if version == Version::One { BIT_RATES_1 } else { BIT_RATES_2 };
        let index = usize::from(third >> 4).checked_sub(1)?;
        let bit_rate = u32::from(*table[usize::from(layer) - 1].get(index)?) * 1_000;
        let rate = SAMPLE_RATES.get(usize::from(third >> 2 & 3))? / divisor;
        let padding = u32::from(third >> 1 & 1);
        let bytes = match layer {
            1 => (12 * bit_rate / rate + padding) * 4,
            3 if version != Version::One => 72 * bit_rate / rate + padding,
            _ => 144 * bit_rate / rate + padding,
        };
        let channels = if fourth >> 6 == 3 { 1 } else { 2 };
        Some(Self { version, layer, rate, channels, bytes: bytes as usize })
    }

    /// Returns true if the same encoder may have made both: same version, layer and sample rate.
    pub(super) fn is_compatible_with(&self, other: &Self) -> bool {
        (self.version, self.layer, self.rate) == (other.version, other.layer, other.rate)
    }

    /// Number of audio frames, that is samples per channel.
    pub(super) fn frames(&self) -> u64 {
        match self.layer {
            1 => 384,
            3 if self.version != Version::One => 576,
            _ => 1_152,
        }
    }

    /// Length of the side information of layer III, in bytes.
    pub(super) fn side_info_bytes(&self) -> usize {
        match (self.version, self.channels) {
            (Version::One, 1) => 17,
            (Version::One, _) => 32,
            (_, 1) => 9,
            _ => 17,
        }
    }

    /// Returns true if the frame contains no audio: its side information says so, or all its bytes are equal.
    pub(super) fn is_silent(&self, frame: &[u8]) -> bool {
        let Some(body) = frame.get(HEADER_BYTES..) else { return true };
        if body.windows(2).all(|pair| pair[0] == pair[1]) {
            return true;
        }
        if self.layer != 3 {
            return false;
        }
        let is_mono = self.channels == 1;
        // Bits before the fields of the first granule, bits per granule of a channel, and number of granules.
        let (start, length, granules) = match (self.version, is_mono) {
            (Version::One, true) => (18, 59, 2),
            (Version::One, false) => (20, 59, 4),
            (_, true) => (9, 63, 1),
            (_, false) => (10, 63, 2),
        };
        let bit = |at: usize| body.get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
        // The first 12 bits of each granule are the length of its encoded data.
        (0..granules).all(|granule| (0..12).all(|at| !bit(start + granule * length + at)))
    }
}
