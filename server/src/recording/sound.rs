//! Decodes recordings from a file to samples.
//!
//! The probe and the decoder read the same packets. The length of a packet is known before it is decoded, and a packet that can't be
//! decoded becomes silence of that length. Both therefore find the same duration.

use std::fs::File;
use std::io::BufReader;
use std::ops::{Range, RangeInclusive};

use leadscribe_engine::diagnostic::recording;
use oxideav_gsm::bitstream::UnpackedFrame;
use oxideav_gsm::decoder::DecoderState;
use symphonia::core::audio::{Channels, Position};
use symphonia::core::codecs::audio::well_known::CODEC_ID_MP3;
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};

use super::detect::{self, Signature};
use super::error::RecordingError;
use super::mpeg::{self, MpegLayout, MpegReader};
use super::packet::EncodedPacket;
use super::probe::MAX_DURATION_SECONDS;
use super::symphonia_reader::SymphoniaReader;
use super::wav::{self, GSM_BLOCK_BYTES, WavReader};

/// Supported sample rates in frames per second: from below telephone quality to studio equipment.
const SAMPLE_RATES: RangeInclusive<u32> = 4_000..=192_000;

/// File format of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    Wav,
    Mp3,
    Flac,
    Ogg,
}

impl Container {
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Wav => "audio/wav",
            Self::Mp3 => "audio/mpeg",
            Self::Flac => "audio/flac",
            Self::Ogg => "audio/ogg",
        }
    }

    /// Usual file extension.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Wav => "wav",
            Self::Mp3 => "mp3",
            Self::Flac => "flac",
            Self::Ogg => "ogg",
        }
    }
}

/// A part of a recording, not yet decoded.
pub(crate) struct Part(EncodedPacket);

impl Part {
    /// Frames of silence before this part, in place of lost audio.
    pub(crate) fn lost_frames(&self) -> u64 {
        self.0.lost_frames
    }

    /// Frames per second of this part and of the silence before it.
    pub(crate) fn rate(&self) -> u32 {
        self.0.rate
    }
}

/// Reads a recording part by part.
pub(crate) struct AudioReader {
    container: Container,
    packets: Packets,
    decoder: Decoder,
    channels: u16,
    rate: u32,
    length: Length,
    /// Number of frames that were decoded.
    decoded: u64,
    /// Number of frames that could not be decoded.
    undecodable: u64,
    /// Number of frames that are missing in the file.
    lost: u64,
    /// Output of the decoder for the latest packet.
    planes: Vec<Vec<f32>>,
}

enum Packets {
    Wav(WavReader),
    Mpeg(Box<MpegReader<BufReader<File>>>),
    Symphonia(SymphoniaReader),
}

enum Decoder {
    Symphonia(Box<dyn AudioDecoder>),
    /// Sample rate, channels and decoder of the current frames; `None` before the first frame.
    Mpeg(Option<(u32, u16, Box<dyn AudioDecoder>)>),
    Gsm(Box<DecoderState>),
}

/// The audio of a file, before its decoder is created.
struct DetectedAudio {
    container: Container,
    packets: Packets,
    codec: Codec,
    channels: u16,
    rate: u32,
}

/// Decoder for the packets.
enum Codec {
    /// A decoder of Symphonia with these parameters.
    Symphonia(AudioCodecParameters),
    Mpeg,
    Gsm,
}

impl AudioReader {
    /// Detects the format of a file by its content.
    ///
    /// # Errors
    /// The file is not supported audio, has more than two channels, or can't be read.
    pub(crate) fn open(file: File) -> Result<Self, RecordingError> {
        let DetectedAudio { container, packets, codec, channels, rate } = find_sound(file)?;
        check_layout(channels, rate)?;
        let decoder = match codec {
            Codec::Symphonia(parameters) => Decoder::Symphonia(symphonia_decoder(&parameters, container)?),
            Codec::Mpeg => Decoder::Mpeg(None),
            Codec::Gsm => Decoder::Gsm(Box::default()),
        };
        let (length, planes) = (Length::default(), Vec::new());
        Ok(Self { container, packets, decoder, channels, rate, length, decoded: 0, undecodable: 0, lost: 0, planes })
    }

    pub(crate) fn container(&self) -> Container {
        self.container
    }

    /// Number of channels, 1 or 2. Parts with another number are converted: if a file has mono and stereo parts, stereo is mixed down.
    pub(crate) fn channels(&self) -> u16 {
        self.channels
    }

    /// Frames per second of most of the recording. Parts may have other rates.
    pub(crate) fn rate(&self) -> u32 {
        self.rate
    }

    /// Length of the parts so far, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.length.seconds()
    }

    /// Returns the next part, or `None` at the end.
    ///
    /// # Errors
    /// The recording is longer than a day, contains no audio, is mostly undecodable, or the file can't be read.
    pub(crate) fn next(&mut self) -> Result<Option<Part>, RecordingError> {
        let packet = match &mut self.packets {
            Packets::Wav(packets) => packets.next()?,
            Packets::Mpeg(packets) => packets.next()?,
            Packets::Symphonia(packets) => packets.next()?,
        };
        let Some(packet) = packet else {
            self.check_end()?;
            return Ok(None);
        };
        self.lost = self.lost.saturating_add(packet.lost_frames);
        self.length.add(packet.rate, packet.lost_frames.saturating_add(packet.frames));
        if self.seconds() > MAX_DURATION_SECONDS {
            return Err(recording::too_long().into());
        }
        Ok(Some(Part(packet)))
    }

    fn check_end(&self) -> Result<(), RecordingError> {
        let container = self.container.extension();
        if self.length.seconds() <= 0.0 {
            return Err(recording::no_sound(container).into());
        }
        let total_frames = self.length.frames_at(self.rate);
        if self.undecodable > self.decoded || self.lost as f64 > total_frames / 2.0 {
            return Err(recording::damaged(container).into());
        }
        Ok(())
    }

    /// Decodes a part, without the silence before it, into samples from -1 to 1 for each channel. Undecodable audio becomes silence.
    pub(crate) fn decode(&mut self, part: &Part, channels: &mut Vec<Vec<f32>>) {
        let packet = &part.0;
        let planes = &mut self.planes;
        if self.decoder.decode(packet, planes) {
            self.decoded += packet.frames;
        } else {
            self.undecodable += packet.frames;
            planes.clear();
        }
        if let ([left, right], 1) = (&mut planes[..], self.channels) {
            left.iter_mut().zip(right).for_each(|(left, right)| *left = (*left + *right) / 2.0);
        }
        channels.resize_with(usize::from(self.channels), Vec::new);
        for (number, channel) in channels.iter_mut().enumerate() {
            channel.clear();
            if let Some(plane) = planes.get(number).or(planes.last()) {
                let sound = plane.iter().skip(packet.skipped_frames as usize).take(packet.frames as usize);
                channel.extend(sound.map(|sample| sanitize(*sample)));
            }
            // The decoder returned fewer samples than expected.
            channel.resize(packet.frames as usize, 0.0);
        }
    }
}

impl Decoder {
    /// Decodes a packet into samples for each channel. Returns false if it can't be decoded.
    fn decode(&mut self, packet: &EncodedPacket, planes: &mut Vec<Vec<f32>>) -> bool {
        let decoder = match self {
            Self::Gsm(state) => return decode_gsm(state, packet, planes),
            Self::Symphonia(decoder) => decoder,
            Self::Mpeg(current) => {
                let is_current = matches!(current, Some((rate, channels, _)) if (*rate, *channels) == (packet.rate, packet.channels));
                if !is_current || packet.lost_frames > 0 {
                    // The state of the old decoder doesn't belong to this packet.
                    *current =
                        mpeg_decoder(packet.rate, packet.channels).map(|new| (packet.rate, packet.channels, new));
                }
                let Some((_, _, decoder)) = current else { return false };
                decoder
            }
        };
        match decoder.decode(&packet.packet) {
            Ok(sound) => {
                sound.copy_to_vecs_planar(planes);
                true
            }
            Err(_) => false,
        }
    }
}

/// Removes NaN, infinity and overshoot of decoders.
fn sanitize(sample: f32) -> f32 {
    if sample.is_finite() { sample.clamp(-1.0, 1.0) } else { 0.0 }
}

fn decode_gsm(state: &mut DecoderState, packet: &EncodedPacket, planes: &mut Vec<Vec<f32>>) -> bool {
    planes.resize_with(1, Vec::new);
    planes[0].clear();
    for block in packet.packet.data.chunks_exact(GSM_BLOCK_BYTES as usize) {
        let Ok((first, second)) = UnpackedFrame::pair_from_msgsm_block(block) else { return false };
        for frame in [first, second] {
            planes[0].extend(state.decode_frame(&frame).iter().map(|sample| f32::from(*sample) / 32_768.0));
        }
    }
    true
}

/// Finds the audio of a file by its content.
fn find_sound(file: File) -> Result<DetectedAudio, RecordingError> {
    let end = file.metadata()?.len();
    if end == 0 {
        return Err(recording::empty().into());
    }
    let mut reader = BufReader::new(file);
    let mut start = 0;
    loop {
        let tag = mpeg::tag_bytes(&mut reader, start, end)?;
        if tag == 0 {
            break;
        }
        start += tag;
    }
    let mut head = Vec::new();
    mpeg::read_at(&mut reader, start, end, detect::HEAD_BYTES, &mut head)?;
    match detect::detect_signature(&head)? {
        Some(Signature::Wav) => {
            let (format, sound) = wav::open(&mut reader, start, end)?;
            if format.is_mpeg() {
                return mpeg_sound(reader, sound, false, Container::Wav)?
                    .ok_or_else(|| recording::no_sound("wav").into());
            }
            let codec = format.codec_parameters().map_or(Codec::Gsm, Codec::Symphonia);
            let (channels, rate) = (format.channels, format.rate);
            let packets = Packets::Wav(WavReader::new(reader, format, sound)?);
            Ok(DetectedAudio { container: Container::Wav, packets, codec, channels, rate })
        }
        Some(signature) => {
            let container = if signature == Signature::Flac { Container::Flac } else { Container::Ogg };
            let (packets, parameters) =
                SymphoniaReader::open(reader.into_inner(), start, signature, container.extension())?;
            let (channels, rate) = packets.layout();
            let (packets, codec) = (Packets::Symphonia(packets), Codec::Symphonia(parameters));
            Ok(DetectedAudio { container, packets, codec, channels, rate })
        }
        None => {
            let is_tagged = start > 0 || head.starts_with(b"ID3");
            mpeg_sound(reader, start..end, is_tagged, Container::Mp3)?.ok_or_else(|| recording::unknown_format().into())
        }
    }
}

/// Finds MPEG audio in this range of a file.
fn mpeg_sound(
    file: BufReader<File>,
    extent: Range<u64>,
    is_tagged: bool,
    container: Container,
) -> Result<Option<DetectedAudio>, RecordingError> {
    let Some(mut packets) = mpeg::find(file, extent, is_tagged)? else { return Ok(None) };
    let MpegLayout { channels, rate } = packets.layout()?;
    let packets = Packets::Mpeg(Box::new(packets));
    Ok(Some(DetectedAudio { container, packets, codec: Codec::Mpeg, channels, rate }))
}

fn mpeg_decoder(rate: u32, channels: u16) -> Option<Box<dyn AudioDecoder>> {
    let mut parameters = AudioCodecParameters::new();
    let left = Position::FRONT_LEFT;
    let positions = if channels == 1 { left } else { left | Position::FRONT_RIGHT };
    parameters.for_codec(CODEC_ID_MP3).with_sample_rate(rate).with_channels(Channels::Positioned(positions));
    decoder_for(&parameters)
}

fn symphonia_decoder(
    parameters: &AudioCodecParameters,
    container: Container,
) -> Result<Box<dyn AudioDecoder>, RecordingError> {
    decoder_for(parameters).ok_or_else(|| recording::encoding(container.extension()).into())
}

fn decoder_for(parameters: &AudioCodecParameters) -> Option<Box<dyn AudioDecoder>> {
    // Packets specify themselves which of their frames are audible.
    let options = AudioDecoderOptions::default().gapless(false);
    symphonia::default::get_codecs().make_audio_decoder(parameters, &options).ok()
}

fn check_layout(channels: u16, rate: u32) -> Result<(), RecordingError> {
    if !(1..=2).contains(&channels) {
        return Err(recording::channels(channels.to_string()).into());
    }
    if !SAMPLE_RATES.contains(&rate) {
        let (min, max) = SAMPLE_RATES.into_inner();
        return Err(recording::sample_rate(min.to_string(), max.to_string(), rate.to_string()).into());
    }
    Ok(())
}

/// Length of audio with a variable sample rate.
#[derive(Clone, Copy, Debug, Default)]
struct Length {
    /// Seconds before the latest change of the rate.
    earlier_seconds: f64,
    rate: u32,
    /// Frames since that change.
    frames: u64,
}

impl Length {
    fn add(&mut self, rate: u32, frames: u64) {
        if self.rate != rate {
            *self = Self { earlier_seconds: self.seconds(), rate, frames: 0 };
        }
        self.frames = self.frames.saturating_add(frames);
    }

    fn seconds(&self) -> f64 {
        self.earlier_seconds + self.frames as f64 / f64::from(self.rate.max(1))
    }

    fn frames_at(&self, rate: u32) -> f64 {
        self.seconds() * f64::from(rate)
    }
}
