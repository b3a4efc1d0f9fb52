//! Finds the audio of WAV files and cuts it into packets for a decoder.
//!
//! The lengths in a header are often wrong, so each one is checked against the file. `chunks` finds the format and the audio, `format`
//! parses the format chunk.

mod chunks;
mod format;
mod known;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use leadscribe_engine::diagnostic::recording;
use symphonia::core::audio::{Channels, Position};
use symphonia::core::codecs::audio::AudioCodecParameters;
use symphonia::core::codecs::audio::well_known::{CODEC_ID_ADPCM_IMA_WAV, CODEC_ID_ADPCM_MS};
use symphonia::core::packet::Packet;
use symphonia::core::units::{Duration, Timestamp};

use super::error::RecordingError;
use super::packet::EncodedPacket;
use format::Encoding;
pub(super) use format::Format;

/// Frames per packet, for encodings without blocks.
const FRAMES_PER_PACKET: u64 = 4_096;

/// Frames per block of GSM 06.10 in a WAV file, which contains two GSM frames of 20 ms.
pub(super) const GSM_BLOCK_FRAMES: u64 = 320;

/// Bytes per block of GSM 06.10 in a WAV file.
pub(super) const GSM_BLOCK_BYTES: u64 = 65;

/// Reads the audio of a WAV file, packet by packet.
pub(super) struct WavReader {
    file: BufReader<File>,
    format: Format,
    /// Range of bytes still to be read.
    remaining: Range<u64>,
}

/// Finds format and audio of the WAV file that begins at `start`.
///
/// # Errors
/// The header is damaged, there is no audio, its encoding is not supported, or the file can't be read.
pub(super) fn open(file: &mut BufReader<File>, start: u64, end: u64) -> Result<(Format, Range<u64>), RecordingError> {
    let chunks = chunks::find(file, start..end)?;
    let format = Format::parse(&chunks.format)?;
    if !format.is_mpeg() && chunks.sound.end - chunks.sound.start < format.block_bytes() {
        return Err(recording::no_sound("wav").into());
    }
    Ok((format, chunks.sound))
}

impl WavReader {
    /// Creates a reader for the audio at `sound`.
    ///
    /// # Errors
    /// The file can't be read.
    pub(super) fn new(mut file: BufReader<File>, format: Format, sound: Range<u64>) -> Result<Self, RecordingError> {
        file.seek(SeekFrom::Start(sound.start))?;
        Ok(Self { file, format, remaining: sound })
    }

    /// Returns the next packet, or `None` at the end of the audio.
    ///
    /// # Errors
    /// The file can't be read.
    pub(super) fn next(&mut self) -> Result<Option<EncodedPacket>, RecordingError> {
        let unit = self.format.block_bytes();
        let requested_bytes = match self.format.encoding {
            Encoding::Samples { .. } => unit * FRAMES_PER_PACKET,
            _ => unit,
        };
        let mut bytes = Vec::new();
        let remaining_bytes = self.remaining.end - self.remaining.start;
        self.file.by_ref().take(requested_bytes.min(remaining_bytes)).read_to_end(&mut bytes)?;
        self.remaining.start += bytes.len() as u64;
        let frames = self.format.frames(bytes.len() as u64);
        if frames == 0 {
            return Ok(None);
        }
        let decoded_frames = match self.format.encoding {
            Encoding::Samples { .. } => frames,
            _ => self.format.frames(unit),
        };
        // Decoders require whole blocks. The last block of a file may be truncated.
        bytes.resize(
            if decoded_frames == frames { (bytes.len() as u64 / unit * unit) as usize } else { unit as usize },
            0,
        );
        let packet = Packet::new(0, Timestamp::ZERO, Duration::from(decoded_frames), bytes);
        let Format { channels, rate, .. } = self.format;
        Ok(Some(EncodedPacket { lost_frames: 0, skipped_frames: 0, frames, rate, channels, packet }))
    }
}

impl Format {
    /// Returns the parameters of Symphonia's decoder, or `None` if Symphonia doesn't support the encoding.
    pub(super) fn codec_parameters(&self) -> Option<AudioCodecParameters> {
        let codec = match self.encoding {
            Encoding::Samples { codec, .. } => codec,
            Encoding::ImaAdpcm => CODEC_ID_ADPCM_IMA_WAV,
            Encoding::MsAdpcm => CODEC_ID_ADPCM_MS,
            Encoding::Gsm | Encoding::Mpeg => return None,
        };
        let mut parameters = AudioCodecParameters::new();
        let left = Position::FRONT_LEFT;
        let positions = if self.channels == 1 { left } else { left | Position::FRONT_RIGHT };
        parameters.for_codec(codec).with_sample_rate(self.rate).with_channels(Channels::Positioned(positions));
        if matches!(self.encoding, Encoding::ImaAdpcm | Encoding::MsAdpcm) {
            let frames = self.frames(self.block_bytes());
            parameters.with_frames_per_block(frames).with_max_frames_per_packet(frames);
        } else {
            parameters.with_max_frames_per_packet(FRAMES_PER_PACKET);
        }
        Some(parameters)
    }

    /// Returns true if the audio is encoded as MPEG audio.
    pub(super) fn is_mpeg(&self) -> bool {
        self.encoding == Encoding::Mpeg
    }

    /// Returns the size of a block in bytes: the smallest unit that can be decoded.
    fn block_bytes(&self) -> u64 {
        match self.encoding {
            Encoding::Samples { bytes, .. } => bytes * u64::from(self.channels),
            Encoding::Gsm => GSM_BLOCK_BYTES,
            _ => u64::from(self.block).max(1),
        }
    }

    /// Returns the number of frames in `bytes` bytes that begin with a block.
    fn frames(&self, bytes: u64) -> u64 {
        let channels = u64::from(self.channels);
        match self.encoding {
            Encoding::Samples { .. } => bytes / self.block_bytes(),
            // A header of 4 bytes per channel with its first sample, then 4 bits per sample. In stereo, groups of 8 samples alternate.
            Encoding::ImaAdpcm => match bytes.checked_sub(4 * channels) {
                None => 0,
                Some(rest) if channels == 1 => 1 + rest * 2,
                Some(rest) => 1 + rest / 8 * 8,
            },
            // A header of 7 bytes per channel with its first two samples, then 4 bits per sample.
            Encoding::MsAdpcm => bytes.checked_sub(7 * channels).map_or(0, |rest| 2 + rest * 2 / channels),
            Encoding::Gsm => match bytes {
                GSM_BLOCK_BYTES.. => GSM_BLOCK_FRAMES,
                // The first of the two GSM frames takes 32.5 bytes.
                33.. => GSM_BLOCK_FRAMES / 2,
                _ => 0,
            },
            Encoding::Mpeg => 0,
        }
    }
}
