//! Finds the format and the audio in the chunks of a WAV file (RIFF, RF64 or BW64).
//!
//! Reads only headers: memory and time don't depend on the lengths that a file claims.

use std::collections::HashSet;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use leadscribe_engine::diagnostic::recording;

use super::super::error::RecordingError;
use super::known::is_known_chunk;

/// Maximum number of chunks to examine; three to six are usual.
const MAX_CHUNKS: usize = 1_000;

/// Maximum number of bytes to read from a format chunk. The longest supported one, Microsoft's ADPCM, has 50.
const MAX_FORMAT_BYTES: u64 = 64;

/// Number of bytes at the end of a file in which to search for chunks after audio of unknown length.
const MAX_TAIL_BYTES: u64 = 1024 * 1024;

/// Size of a chunk's name and length, in bytes.
const CHUNK_HEADER_BYTES: u64 = 8;

/// Marks an unknown length.
const UNKNOWN_SIZE: u32 = u32::MAX;

/// Prefixes of tags that programs append to files.
const TAG_PREFIXES: [&[u8]; 4] = [b"ID3", b"TAG", b"APETAGEX", b"LYRICSBEGIN"];

/// Relevant chunks of a WAV file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chunks {
    /// Content of the format chunk, at most [`MAX_FORMAT_BYTES`].
    pub format: Vec<u8>,
    /// Byte range of the audio in the file.
    pub sound: Range<u64>,
}

/// Finds format and audio of the WAV file in this range of `file`.
///
/// # Errors
/// Format or audio is missing, or the file can't be read.
pub(super) fn find<R: Read + Seek>(file: &mut R, extent: Range<u64>) -> Result<Chunks, RecordingError> {
    let mut walker = ChunkWalker { file, end: extent.end, riff_end: None };
    let riff = walker.read_header(extent.start)?.ok_or_else(recording::no_data_chunk)?;
    let is_64_bit = matches!(&riff.id, b"RF64" | b"BW64");
    if !matches!(riff.size, 0 | UNKNOWN_SIZE) {
        walker.riff_end = Some(extent.start + CHUNK_HEADER_BYTES + u64::from(riff.size));
    }
    let mut data_size_64 = None;
    let (mut format, mut sound, mut is_empty) = (None, None, false);
    let mut at = extent.start + CHUNK_HEADER_BYTES + 4;
    for _ in 0..MAX_CHUNKS {
        let Some(chunk) = walker.read_header(at)?.filter(Header::is_plausible) else { break };
        let body = at + CHUNK_HEADER_BYTES;
        let mut size = u64::from(chunk.size);
        match &chunk.id {
            b"fmt " if format.is_none() => format = Some(walker.read(body, size.min(MAX_FORMAT_BYTES))?),
            b"ds64" if is_64_bit => {
                let sizes = walker.read(body, 16)?;
                let riff_size = sizes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
                data_size_64 = sizes.last_chunk().map(|bytes| u64::from_le_bytes(*bytes)).filter(|_| sizes.len() == 16);
                if let Some(size) = riff_size.filter(|size| !matches!(*size, 0 | u64::MAX)) {
                    walker.riff_end =
                        extent.start.checked_add(CHUNK_HEADER_BYTES).and_then(|start| start.checked_add(size));
                }
            }
            b"data" if sound.is_none() => {
                let declared = match chunk.size {
                    UNKNOWN_SIZE if is_64_bit => data_size_64.filter(|size| *size != u64::MAX).unwrap_or(0),
                    UNKNOWN_SIZE => 0,
                    known => u64::from(known),
                };
                match walker.sound_range(body, declared)? {
                    Some(range) => {
                        size = range.end - range.start;
                        sound = Some(range);
                    }
                    None => {
                        size = 0;
                        is_empty = true;
                    }
                }
            }
            _ => {}
        }
        if format.is_some() && sound.is_some() {
            break;
        }
        at = walker.next_chunk(body, size)?;
    }
    match (format, sound) {
        (Some(format), Some(sound)) => Ok(Chunks { format, sound }),
        (_, None) if is_empty => Err(recording::no_sound("wav").into()),
        (_, None) => Err(recording::no_data_chunk().into()),
        (None, _) => Err(recording::no_format_chunk().into()),
    }
}

/// Name and length of a chunk.
struct Header {
    id: [u8; 4],
    size: u32,
}

impl Header {
    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (id, size) = bytes.get(..CHUNK_HEADER_BYTES as usize)?.split_first_chunk()?;
        Some(Self { id: *id, size: u32::from_le_bytes(*size.first_chunk()?) })
    }

    /// Returns true if the name consists of printable characters.
    fn is_plausible(&self) -> bool {
        self.id.iter().all(|byte| (b' '..=b'~').contains(byte))
    }

    fn is_known(&self) -> bool {
        is_known_chunk(self.id)
    }

    /// Returns the end of the chunk whose content is at `body`, including padding.
    fn padded_end(&self, body: u64) -> u64 {
        body + u64::from(self.size) + u64::from(self.size % 2)
    }
}

/// Walks from chunk to chunk.
struct ChunkWalker<'a, R> {
    file: &'a mut R,
    /// End of the file.
    end: u64,
    /// End of the file according to its header, if the header contains a length.
    riff_end: Option<u64>,
}

impl<R: Read + Seek> ChunkWalker<'_, R> {
    /// Reads at most `count` bytes; fewer at the end of the file.
    fn read(&mut self, at: u64, count: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if at < self.end {
            self.file.seek(SeekFrom::Start(at))?;
            self.file.by_ref().take(count.min(self.end - at)).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    /// Returns name and length of the chunk at a position, or `None` at the end of the file.
    fn read_header(&mut self, at: u64) -> io::Result<Option<Header>> {
        Ok(Header::from_bytes(&self.read(at, CHUNK_HEADER_BYTES)?))
    }

    fn is_known_at(&mut self, at: u64) -> io::Result<bool> {
        Ok(self.read_header(at)?.is_some_and(|header| header.is_known()))
    }

    /// Returns the position of the chunk after the one with this content. Chunks begin at even positions, but some programs omit the
    /// padding of an odd chunk, include it in the length, or pad an even chunk.
    fn next_chunk(&mut self, body: u64, size: u64) -> io::Result<u64> {
        let end = body + size;
        let candidates = if size % 2 == 1 { [end + 1, end, end - 1] } else { [end, end + 1, end.saturating_sub(1)] };
        for candidate in candidates {
            if self.is_known_at(candidate)? {
                return Ok(candidate);
            }
        }
        Ok(candidates[0])
    }

    /// Returns the range of the audio that begins at `body`. A `declared` length of 0 means unknown. `None` if there is no audio.
    fn sound_range(&mut self, body: u64, declared: u64) -> io::Result<Option<Range<u64>>> {
        let available = self.end.saturating_sub(body);
        if available == 0 || (declared == 0 && self.chunks_follow(body)?) {
            return Ok(None);
        }
        if (1..=available).contains(&declared) {
            let end = body + declared;
            if self.is_end_of_sound(end, declared)? {
                return Ok(Some(body..end));
            }
        }
        // The length is unknown or wrong, or the file is truncated.
        let end = self.start_of_tail(body)?;
        Ok((body < end).then_some(body..end))
    }

    /// Returns true if the declared length of the audio, which ends here, can be trusted.
    fn is_end_of_sound(&mut self, end: u64, declared: u64) -> io::Result<bool> {
        let trailing_bytes = self.end - end;
        // No chunk fits there.
        if trailing_bytes < CHUNK_HEADER_BYTES || self.chunks_follow(end)? {
            return Ok(true);
        }
        let padded = end + declared % 2;
        // Both lengths agree. If the file is nevertheless much longer, it was never closed or exceeded 4 GiB.
        if self.riff_end.is_some_and(|riff_end| (end..=padded).contains(&riff_end)) && trailing_bytes <= declared {
            return Ok(true);
        }
        let start = self.read(padded, 16)?;
        Ok(TAG_PREFIXES.iter().any(|tag| start.starts_with(tag)) || self.is_zero_from(end)?)
    }

    /// Returns true if only zeros follow.
    fn is_zero_from(&mut self, mut at: u64) -> io::Result<bool> {
        while at < self.end {
            let bytes = self.read(at, 64 * 1024)?;
            if bytes.is_empty() || bytes.iter().any(|byte| *byte != 0) {
                return Ok(bytes.is_empty());
            }
            at += bytes.len() as u64;
        }
        Ok(true)
    }

    /// Returns true if chunks begin here: one with a known name, or any sequence up to the end of the file.
    fn chunks_follow(&mut self, start: u64) -> io::Result<bool> {
        for candidate in [start, start + 1] {
            if self.is_known_at(candidate)? {
                return Ok(true);
            }
        }
        let mut at = start;
        for _ in 0..MAX_CHUNKS {
            let Some(header) = self.read_header(at)?.filter(|header| header.is_plausible() && header.size > 0) else {
                break;
            };
            at = header.padded_end(at + CHUNK_HEADER_BYTES);
            if at == self.end || at == self.end + 1 || Some(at) == self.riff_end {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the position of the first chunk after the audio, searching backwards from the end of the file. Returns the end of the file
    /// if there are none.
    fn start_of_tail(&mut self, body: u64) -> io::Result<u64> {
        let start = body.max(self.end.saturating_sub(MAX_TAIL_BYTES));
        let bytes = self.read(start, MAX_TAIL_BYTES)?;
        let inner_end = self.riff_end.filter(|riff_end| (start..self.end).contains(riff_end));
        for end in [Some(self.end), inner_end].into_iter().flatten() {
            // A sequence of chunks ends where its last chunk does.
            let mut boundaries = HashSet::from([end]);
            let mut first = end;
            for offset in (0..bytes.len().saturating_sub(CHUNK_HEADER_BYTES as usize - 1)).rev() {
                let Some(header) = Header::from_bytes(&bytes[offset..]) else { continue };
                if header.is_known() || (header.size > 0 && header.id.iter().all(u8::is_ascii_alphanumeric)) {
                    let body = start + offset as u64 + CHUNK_HEADER_BYTES;
                    let ends = [body + u64::from(header.size), header.padded_end(body)];
                    if ends.iter().any(|end| boundaries.contains(end)) {
                        first = body - CHUNK_HEADER_BYTES;
                        boundaries.insert(first);
                    }
                }
            }
            if first < end {
                return Ok(first);
            }
        }
        Ok(self.end)
    }
}
