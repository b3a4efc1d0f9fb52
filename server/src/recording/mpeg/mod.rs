//! Reads MPEG audio, layer III (MP3), frame by frame.
//!
//! Only several frames in a row are accepted, so that other data isn't mistaken for audio. Channels and sample rate may change between frames.
//! Damaged bytes between frames become silence, with a duration derived from the size of a frame.

mod gapless;
mod header;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Seek};
use std::ops::Range;

use leadscribe_engine::diagnostic::recording;
use symphonia::core::packet::Packet;
use symphonia::core::units::{Duration, Timestamp};

use super::error::RecordingError;
use super::packet::EncodedPacket;
use super::probe::MAX_DURATION_SECONDS;
use gapless::GaplessInfo;
use header::{HEADER_BYTES, Header};

/// Number of frames in a row that identify a file as MPEG audio, if it is long enough.
const MIN_FRAMES_IN_ROW: usize = 8;

/// Number of frames in a row that are enough after damage, and after a change of channels or sample rate.
const MIN_FRAMES_TO_RESYNC: usize = 3;

/// Number of bytes at the start, not counting zeros, in which to search for the first frame.
const MAX_JUNK_BYTES: u64 = 64 * 1024;

/// Search range for a file with an ID3 tag, whose length may be wrong.
const MAX_TAGGED_JUNK_BYTES: u64 = 16 * 1024 * 1024;

/// Maximum number of positions that look like a frame but aren't followed by frames. Random bytes have one in about 3,500.
const MAX_FALSE_FRAMES: u32 = 500_000;

/// Number of bytes to search for a frame at a time.
const WINDOW_BYTES: usize = 64 * 1024;

/// Reads MPEG audio.
pub(super) struct MpegReader<R> {
    file: R,
    /// Range from the first frame to the end of the file.
    extent: Range<u64>,
    /// Byte offset of the next frame.
    offset: u64,
    /// Header of the previous frame.
    last_header: Option<Header>,
    gapless: GaplessInfo,
    /// Audio frames since `gapless` was read.
    position: u64,
    /// Number of frames read, and their bytes.
    read_totals: (u64, u64),
    /// Bytes of damage before the next frame.
    damaged: u64,
    /// Number of positions that looked like a frame.
    false_frames: u32,
}

/// Channels and sample rate of a whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MpegLayout {
    /// 2 if all frames are stereo, otherwise 1.
    pub channels: u16,
    /// Sample rate of most of the audio, in frames per second.
    pub rate: u32,
}

/// Searches for MPEG audio in this range, after an optional ID3 tag.
///
/// # Errors
/// The audio is layer I or II, or the file can't be read.
pub(super) fn find<R: Read + Seek>(
    mut file: R,
    extent: Range<u64>,
    is_tagged: bool,
) -> Result<Option<MpegReader<R>>, RecordingError> {
    let mut from = extent.start;
    let mut window = Vec::new();
    // A bad copy may begin with zeros.
    loop {
        read_at(&mut file, from, extent.end, WINDOW_BYTES, &mut window)?;
        let zeros = window.iter().take_while(|byte| **byte == 0).count();
        from += zeros as u64;
        if zeros == 0 || zeros < window.len() {
            break;
        }
    }
    let mut reader = MpegReader {
        file,
        extent: extent.clone(),
        offset: from,
        last_header: None,
        gapless: GaplessInfo::default(),
        position: 0,
        read_totals: (0, 0),
        damaged: 0,
        false_frames: 0,
    };
    let junk = if is_tagged { MAX_TAGGED_JUNK_BYTES } else { MAX_JUNK_BYTES };
    let Some((found, first)) = reader.search(from, junk, MIN_FRAMES_IN_ROW)? else { return Ok(None) };
    if reader.is_tone(found)? {
        return Ok(None);
    }
    if first.layer != 3 {
        let layer = if first.layer == 1 { "MPEG audio layer I" } else { "MPEG audio layer II" };
        return Err(recording::other_audio(layer).into());
    }
    // Damage may follow the first few frames.
    let starts_immediately = reader.read_header(from)?.is_some_and(|header| header.is_compatible_with(&first))
        && reader.has_frames_in_row(from, 2)?;
    reader.offset = if starts_immediately { from } else { found };
    reader.extent.start = reader.offset;
    Ok(Some(reader))
}

impl<R: Read + Seek> MpegReader<R> {
    /// Reads all frames to determine channels and sample rate, then returns to the first frame.
    ///
    /// # Errors
    /// There is no frame, the audio is longer than a day, or the file can't be read.
    pub(super) fn layout(&mut self) -> Result<MpegLayout, RecordingError> {
        let mut is_stereo = true;
        let mut rates: Vec<(u32, f64)> = Vec::new();
        while let Some(packet) = self.next()? {
            is_stereo &= packet.channels == 2;
            let seconds = packet.frames as f64 / f64::from(packet.rate);
            match rates.iter_mut().find(|(rate, _)| *rate == packet.rate) {
                Some((_, sum)) => *sum += seconds,
                None => rates.push((packet.rate, seconds)),
            }
            if rates.iter().map(|(_, sum)| sum).sum::<f64>() > MAX_DURATION_SECONDS {
                return Err(recording::too_long().into());
            }
        }
        let Some((rate, _)) = rates.into_iter().max_by(|left, right| left.1.total_cmp(&right.1)) else {
            return Err(recording::no_sound("mp3").into());
        };
        self.offset = self.extent.start;
        self.last_header = None;
        self.gapless = GaplessInfo::default();
        (self.position, self.read_totals, self.damaged, self.false_frames) = (0, (0, 0), 0, 0);
        Ok(MpegLayout { channels: if is_stereo { 2 } else { 1 }, rate })
    }

    /// Returns the next packet, or `None` at the end of the audio. A truncated frame counts as the end.
    ///
    /// # Errors
    /// The file can't be read.
    pub(super) fn next(&mut self) -> Result<Option<EncodedPacket>, RecordingError> {
        loop {
            let Some(header) = self.accepted_header()? else {
                if !self.skip_to_frame()? {
                    return Ok(None);
                }
                continue;
            };
            let mut frame = Vec::new();
            self.read_bytes(self.offset, header.bytes, &mut frame)?;
            if frame.len() < header.bytes {
                return Ok(None);
            }
            self.offset += header.bytes as u64;
            if let Some(gapless) = GaplessInfo::parse(&header, &frame) {
                self.gapless = gapless;
                self.position = 0;
                self.last_header = Some(header);
                continue;
            }
            return Ok(Some(self.packet(header, frame)));
        }
    }

    fn packet(&mut self, header: Header, frame: Vec<u8>) -> EncodedPacket {
        let lost_frames = self.last_header.map_or(0, |last| {
            let lost_packets =
                (self.damaged as f64 * self.read_totals.0 as f64 / self.read_totals.1.max(1) as f64).round() as u64;
            lost_packets * last.frames() * u64::from(header.rate) / u64::from(last.rate)
        });
        self.damaged = 0;
        self.position += lost_frames;
        let frames = header.frames();
        let (skip, drop) = self.gapless.trim(self.position, frames);
        self.position += frames;
        self.read_totals = (self.read_totals.0 + 1, self.read_totals.1 + frame.len() as u64);
        self.last_header = Some(header);
        let packet = Packet::new(0, Timestamp::ZERO, Duration::from(frames), frame);
        let Header { rate, channels, .. } = header;
        EncodedPacket { lost_frames, skipped_frames: skip, frames: frames - skip - drop, rate, channels, packet }
    }

    /// Returns the header at the current position if it is a frame. A frame like the previous one needs no further proof.
    fn accepted_header(&mut self) -> io::Result<Option<Header>> {
        let Some(header) = self.read_header(self.offset)?.filter(|header| header.layer == 3) else { return Ok(None) };
        let is_same =
            self.last_header.is_none_or(|last| last.is_compatible_with(&header) && last.channels == header.channels);
        Ok((is_same || self.has_frames_in_row(self.offset, MIN_FRAMES_TO_RESYNC)?).then_some(header))
    }

    /// Skips tags and damage. Returns false if no frame follows.
    fn skip_to_frame(&mut self) -> Result<bool, RecordingError> {
        let tag = tag_bytes(&mut self.file, self.offset, self.extent.end)?;
        if tag > 0 {
            self.offset += tag;
            return Ok(self.offset < self.extent.end);
        }
        // The current byte doesn't start a frame, or only an isolated one.
        let Some((found, _)) = self.search(self.offset + 1, u64::MAX, MIN_FRAMES_TO_RESYNC)? else { return Ok(false) };
        self.damaged += found - self.offset;
        self.offset = found;
        Ok(true)
    }

    /// Searches the next `length` bytes for `count` frames in a row.
    fn search(&mut self, mut from: u64, length: u64, count: usize) -> Result<Option<(u64, Header)>, RecordingError> {
        let end = from.saturating_add(length).min(self.extent.end);
        let mut window = Vec::new();
        while from < end {
            self.read_bytes(from, WINDOW_BYTES, &mut window)?;
            for offset in 0..window.len().saturating_sub(HEADER_BYTES - 1) {
                let at = from + offset as u64;
                let Some(header) = Header::parse(&window[offset..]).filter(|_| at < end) else { continue };
                if self.has_frames_in_row(at, count)? {
                    return Ok(Some((at, header)));
                }
                self.false_frames += 1;
                if self.false_frames > MAX_FALSE_FRAMES {
                    return Err(recording::too_slow().into());
                }
            }
            if window.len() < WINDOW_BYTES {
                break;
            }
            from += (WINDOW_BYTES - HEADER_BYTES + 1) as u64;
        }
        Ok(None)
    }

    /// Returns true if `count` similar frames start at this position. At the end of the audio, two are enough.
    fn has_frames_in_row(&mut self, mut at: u64, count: usize) -> io::Result<bool> {
        let mut first = None;
        for number in 0..count {
            let Some(header) = self
                .read_header(at)?
                .filter(|header| first.is_none_or(|first: Header| first.is_compatible_with(header)))
            else {
                let is_end = at == self.extent.end || tag_bytes(&mut self.file, at, self.extent.end)? > 0;
                return Ok(number >= 2 && is_end);
            };
            first.get_or_insert(header);
            at += header.bytes as u64;
            if at > self.extent.end {
                return Ok(number >= 2);
            }
        }
        Ok(true)
    }

    /// Returns true if the following frames are equal but not silent. In raw audio of a steady tone, a pattern that looks like a frame
    /// repeats.
    fn is_tone(&mut self, mut at: u64) -> io::Result<bool> {
        let (mut first, mut frame) = (Vec::new(), Vec::new());
        for _ in 0..MIN_FRAMES_IN_ROW {
            let Some(header) = self.read_header(at)? else { break };
            self.read_bytes(at, header.bytes, &mut frame)?;
            if frame.len() < header.bytes {
                break;
            }
            if first.is_empty() {
                if header.is_silent(&frame) {
                    return Ok(false);
                }
                first.clone_from(&frame);
            }
            if first != frame {
                return Ok(false);
            }
            at += header.bytes as u64;
        }
        Ok(true)
    }

    fn read_header(&mut self, at: u64) -> io::Result<Option<Header>> {
        let mut bytes = Vec::new();
        self.read_bytes(at, HEADER_BYTES, &mut bytes)?;
        Ok(Header::parse(&bytes))
    }

    fn read_bytes(&mut self, at: u64, count: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        read_at(&mut self.file, at, self.extent.end, count, bytes)
    }
}

/// Returns the length of the ID3 or APE tag at a position; 0 without a tag.
///
/// # Errors
/// The file can't be read.
pub(super) fn tag_bytes<R: Read + Seek>(file: &mut R, at: u64, end: u64) -> io::Result<u64> {
    let mut head = Vec::new();
    read_at(file, at, end, 32, &mut head)?;
    let length = match head.as_slice() {
        [b'I', b'D', b'3', major, minor, flags, size @ ..] if *major < 0xff && *minor < 0xff && size.len() >= 4 => {
            if size[..4].iter().any(|byte| *byte >= 0x80) {
                return Ok(0);
            }
            let size = size[..4].iter().fold(0, |sum, byte| sum << 7 | u64::from(*byte));
            // An optional footer is as long as the header.
            10 + size + if flags & 0x10 == 0 { 0 } else { 10 }
        }
        [b'T', b'A', b'G', ..] if end - at >= 128 => 128,
        [b'A', b'P', b'E', b'T', b'A', b'G', b'E', b'X', _, _, _, _, a, b, c, d, ..] => {
            32 + u64::from(u32::from_le_bytes([*a, *b, *c, *d]))
        }
        _ => 0,
    };
    Ok(length.min(end.saturating_sub(at)))
}

/// Reads at most `count` bytes; fewer at the end.
pub(super) fn read_at<R: Read + Seek>(
    file: &mut R,
    at: u64,
    end: u64,
    count: usize,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    bytes.clear();
    // A relative seek keeps the buffer.
    let position = file.stream_position()?;
    file.seek_relative(at.wrapping_sub(position) as i64)?;
    file.by_ref().take((count as u64).min(end.saturating_sub(at))).read_to_end(bytes)?;
    Ok(())
}
