//! Reads FLAC and Ogg with Symphonia.

use std::fs::File;
use std::io::{ErrorKind, Seek};

use leadscribe_engine::diagnostic::{Message, recording};
use symphonia::core::codecs::audio::AudioCodecParameters;
use symphonia::core::errors::Error as SymphoniaError;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::{MediaSourceStream, ReadBytes};
use symphonia::default::formats::{FlacReader, OggReader};

use super::detect::Signature;
use super::error::RecordingError;
use super::packet::EncodedPacket;

/// Reads the packets of a FLAC or Ogg file.
pub(super) struct SymphoniaReader {
    format: Box<dyn FormatReader>,
    track: u32,
    rate: u32,
    channels: u16,
    /// Expected time of the next packet, in frames.
    expected: Option<i64>,
}

impl SymphoniaReader {
    /// Opens the FLAC or Ogg file that begins at `start`. Also returns the parameters of its encoding.
    ///
    /// # Errors
    /// The header is damaged or doesn't specify the encoding, or the file can't be read.
    pub(super) fn open(
        mut file: File,
        start: u64,
        signature: Signature,
        container: &'static str,
    ) -> Result<(Self, AudioCodecParameters), RecordingError> {
        file.rewind()?;
        let mut stream = MediaSourceStream::new(Box::new(file), Default::default());
        let damaged = |error| read_error(error, recording::damaged_header(container));
        stream.ignore_bytes(start)?;
        let options = FormatOptions::default();
        let format: Box<dyn FormatReader> = match signature {
            Signature::Flac => Box::new(FlacReader::try_new(stream, options).map_err(damaged)?),
            _ => Box::new(OggReader::try_new(stream, options).map_err(damaged)?),
        };
        let track = format.default_track(TrackType::Audio).ok_or_else(|| recording::encoding(container))?;
        let parameters = track.codec_params.as_ref().and_then(|parameters| parameters.audio());
        let parameters = parameters.ok_or_else(|| recording::encoding(container))?.clone();
        let (Some(rate), Some(channels)) = (parameters.sample_rate, &parameters.channels) else {
            return Err(recording::encoding(container).into());
        };
        let channels = u16::try_from(channels.count()).unwrap_or(u16::MAX);
        let track = track.id;
        Ok((Self { format, track, rate, channels, expected: None }, parameters))
    }

    /// Returns channels and frames per second.
    pub(super) fn layout(&self) -> (u16, u32) {
        (self.channels, self.rate)
    }

    /// Returns the next packet, or `None` at the end. A truncated file ends early.
    ///
    /// # Errors
    /// The file contains several recordings or can't be read.
    pub(super) fn next(&mut self) -> Result<Option<EncodedPacket>, RecordingError> {
        let packet = loop {
            match self.format.next_packet() {
                Ok(Some(packet)) if packet.track_id == self.track => break packet,
                Ok(Some(_)) => {}
                Ok(None) => return Ok(None),
                Err(SymphoniaError::IoError(error)) if error.kind() != ErrorKind::UnexpectedEof => {
                    return Err(error.into());
                }
                Err(SymphoniaError::ResetRequired) => return Err(recording::chained().into()),
                Err(_) => return Ok(None),
            }
        };
        // Times that go back, as in concatenated files, are not a loss.
        let start = packet.pts.get();
        let lost_frames = self.expected.map_or(0, |expected| start.saturating_sub(expected).max(0).unsigned_abs());
        self.expected = Some(start.saturating_add_unsigned(packet.block_dur().get()));
        let (skip, frames) = (packet.trim_start.get(), packet.dur.get());
        Ok(Some(EncodedPacket {
            lost_frames,
            skipped_frames: skip,
            frames,
            rate: self.rate,
            channels: self.channels,
            packet,
        }))
    }
}

/// Converts an error that Symphonia returns when it opens a file.
fn read_error(error: SymphoniaError, damaged: Message) -> RecordingError {
    match error {
        SymphoniaError::IoError(error) if error.kind() != ErrorKind::UnexpectedEof => error.into(),
        _ => damaged.into(),
    }
}
