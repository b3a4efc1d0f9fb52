//! Silence that an encoder adds at both ends, as specified by the first frame of LAME and other encoders.

use super::header::{HEADER_BYTES, Header};

/// Delay of a decoder, in frames.
const DECODER_DELAY: u64 = 529;

/// Padding of an encoder, as specified in its first frame. Numbers are audio frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GaplessInfo {
    /// Silence at the start.
    delay: u64,
    /// Start and end of the silence at the end.
    padding: Option<(u64, u64)>,
}

impl GaplessInfo {
    /// Parses the first frame of an encoder (`Xing`, `Info` or `VBRI`), which contains no audio. Returns `None` for an ordinary frame.
    pub(super) fn parse(header: &Header, frame: &[u8]) -> Option<Self> {
        let xing = HEADER_BYTES + header.side_info_bytes();
        let is_silent_to =
            |end: usize| frame.get(HEADER_BYTES + 2..end).is_some_and(|side| side.iter().all(|byte| *byte == 0));
        if frame.get(HEADER_BYTES + 32..)?.starts_with(b"VBRI") && is_silent_to(HEADER_BYTES + 32) {
            return Some(Self::default());
        }
        let tag = frame.get(xing..)?;
        if !(tag.starts_with(b"Xing") || tag.starts_with(b"Info")) || !is_silent_to(xing) {
            return None;
        }
        Some(Self::from_tag(header, &tag[4..]).unwrap_or_default())
    }

    /// Parses the data after the tag's name. Returns `None` if the encoder adds no delay.
    fn from_tag(header: &Header, tag: &[u8]) -> Option<Self> {
        let flags = u32::from_be_bytes(*tag.first_chunk()?);
        let mut rest = &tag[4..];
        let mut count = None;
        // Frames, bytes, table of contents and quality, each only if its flag is set.
        for (flag, bytes) in [(1, 4), (2, 4), (4, 100), (8, 4)] {
            if flags & flag != 0 {
                let (field, after) = rest.split_at_checked(bytes)?;
                if flag == 1 {
                    count = field.first_chunk().map(|field| u64::from(u32::from_be_bytes(*field)));
                }
                rest = after;
            }
        }
        if ![&b"LAME"[..], b"Lavf", b"Lavc"].iter().any(|encoder| rest.starts_with(encoder)) {
            return None;
        }
        let [high, middle, low] = *rest.get(21..)?.first_chunk()?;
        let delay = u64::from(high) << 4 | u64::from(middle) >> 4;
        let padding = (u64::from(middle & 0xf) << 8 | u64::from(low)).saturating_sub(DECODER_DELAY);
        let end = count.map(|count| count * header.frames());
        Some(Self { delay: delay + DECODER_DELAY, padding: end.map(|end| (end.saturating_sub(padding), end)) })
    }

    /// Returns the number of decoded frames to drop at the start and at the end of a packet that begins at `start`.
    pub(super) fn trim(&self, start: u64, frames: u64) -> (u64, u64) {
        let skip = self.delay.saturating_sub(start).min(frames);
        let end = start + frames;
        let drop = self.padding.map_or(0, |(from, to)| end.min(to).saturating_sub(start.max(from)));
        (skip, drop.min(frames - skip))
    }
}
