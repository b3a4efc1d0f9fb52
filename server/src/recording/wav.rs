//! A file as the decoding library takes it: WAV files get the header that their content deserves.
//!
//! Recorders write headers that the library refuses although the sound is sound: A-law and µ-law without the empty
//! extension, or in the extensible form; lengths that were never filled in because the recorder was cut off; chunks of
//! their own with lengths of their own; and files of more than 4 GB, which are RF64. So the format and the place of the sound are read here, and the library sees a
//! plain header with the sound behind it. Whatever isn't a WAV file, or lacks one of the two, is left as it is.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use symphonia::core::io::MediaSource;

/// Chunks that are looked through to find the sound; usual are three to six.
const MAX_CHUNKS: usize = 1_000;

/// The part of a format chunk that is of use, in bytes: that of Microsoft's ADPCM, the longest, has 50.
const MAX_FORMAT: usize = 64;

/// A format chunk without its extension, in bytes.
const SHORT_FORMAT: usize = 16;

/// More channels than any format has. The library multiplies their number by the bytes of a sample, in 16 bits, and only then
/// refuses what it has no use for.
const MOST_CHANNELS: u16 = 255;

/// Where the number of channels stands in a format chunk.
const CHANNELS: std::ops::Range<usize> = 2..4;

/// Formats, as registered with Microsoft.
const PCM: u16 = 0x0001;
const FLOAT: u16 = 0x0003;
const A_LAW: u16 = 0x0006;
const MU_LAW: u16 = 0x0007;
const EXTENSIBLE: u16 = 0xfffe;

/// Where the actual format stands in an extensible one: the first two bytes of its GUID.
const EXTENSIBLE_FORMAT: usize = 24;

/// A length that isn't known.
const UNKNOWN: u32 = u32::MAX;

/// A file, and the header that is read in place of its own.
#[derive(Debug)]
pub(crate) struct Source {
    header: Vec<u8>,
    file: File,
    /// The part of the file that follows the header.
    body: std::ops::Range<u64>,
    /// The place that is read next, counted from the beginning of the header.
    position: u64,
}

impl Source {
    /// # Errors
    /// The file can't be read.
    pub(crate) fn new(mut file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        file.rewind()?;
        let found = Wav::find(&mut file, length)?;
        let (header, body) = found.map_or_else(|| (Vec::new(), 0..length), |wav| (wav.header(), wav.data));
        file.seek(SeekFrom::Start(body.start))?;
        Ok(Self { header, file, body, position: 0 })
    }

    fn len(&self) -> u64 {
        self.header.len() as u64 + (self.body.end - self.body.start)
    }
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let rest = self.header.get(self.position as usize..).unwrap_or_default();
        let read = if rest.is_empty() {
            let left = usize::try_from(self.len().saturating_sub(self.position)).unwrap_or(usize::MAX);
            let end = into.len().min(left);
            self.file.read(&mut into[..end])?
        } else {
            let count = rest.len().min(into.len());
            into[..count].copy_from_slice(&rest[..count]);
            count
        };
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.len().checked_add_signed(by),
        };
        let place = place.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let in_body = place.saturating_sub(self.header.len() as u64);
        self.file.seek(SeekFrom::Start(self.body.start.saturating_add(in_body)))?;
        self.position = place;
        Ok(place)
    }
}

impl MediaSource for Source {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.len())
    }
}

/// What is of use in a WAV file.
struct Wav {
    format: Vec<u8>,
    /// Where the sound is.
    data: std::ops::Range<u64>,
}

impl Wav {
    /// Looks for the format and the sound.
    fn find(file: &mut File, length: u64) -> io::Result<Option<Self>> {
        let Some(start) = read::<12>(file)? else { return Ok(None) };
        if !matches!(&start[..4], b"RIFF" | b"RF64") || &start[8..] != b"WAVE" {
            return Ok(None);
        }
        let declared_end = u64::from(u32_at(&start, 4)) + 8;
        let mut format = Vec::new();
        for _ in 0..MAX_CHUNKS {
            let Some(chunk) = read::<8>(file)? else { return Ok(None) };
            let size = u32_at(&chunk, 4);
            let place = file.stream_position()?;
            match &chunk[..4] {
                b"fmt " => {
                    file.by_ref().take(u64::from(size).min(MAX_FORMAT as u64)).read_to_end(&mut format)?;
                }
                b"data" => {
                    // A recorder that was cut off left its placeholders: nothing, or as much as there can be.
                    let unknown = size == UNKNOWN || (size == 0 && declared_end <= place);
                    let end = if unknown { length } else { length.min(place + u64::from(size)) };
                    return Ok((format.len() >= SHORT_FORMAT).then_some(Self { format, data: place..end }));
                }
                _ => {}
            }
            // Chunks begin at even places.
            file.seek(SeekFrom::Start(place + u64::from(size) + u64::from(size % 2)))?;
        }
        Ok(None)
    }

    /// The header that this sound deserves.
    fn header(&self) -> Vec<u8> {
        let mut format = self.format.clone();
        let channels = u16_at(&format, CHANNELS.start).min(MOST_CHANNELS);
        format[CHANNELS].copy_from_slice(&channels.to_le_bytes());
        if u16_at(&format, 0) == EXTENSIBLE && format.len() > EXTENSIBLE_FORMAT + 1 {
            let actual = u16_at(&format, EXTENSIBLE_FORMAT);
            if matches!(actual, A_LAW | MU_LAW) {
                format[..2].copy_from_slice(&actual.to_le_bytes());
            }
        }
        match u16_at(&format, 0) {
            PCM | FLOAT => format.truncate(SHORT_FORMAT),
            A_LAW | MU_LAW => {
                format.truncate(SHORT_FORMAT);
                // The length of the extension: there is none.
                format.extend([0, 0]);
            }
            _ => {}
        }
        let size = u32::try_from(self.data.end - self.data.start).unwrap_or(UNKNOWN);
        let mut header = b"RIFF".to_vec();
        header.extend(UNKNOWN.to_le_bytes());
        header.extend(b"WAVEfmt ");
        header.extend((format.len() as u32).to_le_bytes());
        header.extend(format);
        header.extend(b"data");
        header.extend(size.to_le_bytes());
        header
    }
}

/// The next bytes of a file; none at its end.
fn read<const N: usize>(file: &mut File) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn u16_at(bytes: &[u8], place: usize) -> u16 {
    u16::from_le_bytes([bytes[place], bytes[place + 1]])
}

fn u32_at(bytes: &[u8], place: usize) -> u32 {
    u32::from_le_bytes([bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3]])
}
