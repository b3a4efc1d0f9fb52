//! What an audio file holds, by its content: no header, name or declared length is believed.
//!
//! Telephony recordings are decoded to their end, since that costs next to nothing for PCM, G.711 and ADPCM, and a
//! recorder that was cut off leaves a WAV header that promises more than there is. Of compressed formats the first
//! seconds are decoded, to prove that they can be, and the rest is measured packet by packet.

use std::fs::File;
use std::time::{Duration, Instant};

use symphonia::core::codecs::audio::AudioDecoder;
use symphonia::core::errors::Error as SymphoniaError;
use symphonia::core::formats::{FormatReader, TrackType};
use symphonia::core::packet::Packet;

use super::open::{at_end, decoder, open};

/// Longest recording that is taken, in seconds: a day, as `min_duration` of a submission.
pub const MAX_SECONDS: f64 = 86_400.0;

/// Slowest and fastest sampling that is taken, in samples a second: from below any telephone to studio equipment.
const SAMPLE_RATES: std::ops::RangeInclusive<u32> = 4_000..=192_000;

/// How much of a compressed recording is decoded to prove that it can be, in seconds.
const PROVEN_SECONDS: f64 = 10.0;

/// Longest a probe may take; a day of PCM takes under ten seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// What can be read, for messages.
const SUPPORTED: &str = "WAV (PCM, A-law, µ-law or ADPCM), MP3, FLAC or Ogg Vorbis";

/// What an audio file holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Audio {
    /// Its media type.
    pub media_type: &'static str,
    /// The usual ending of such a file's name.
    pub extension: &'static str,
    /// 1 or 2.
    pub channels: u16,
    /// Samples a second.
    pub sample_rate: u32,
    /// Length in seconds, more than 0 and at most [`MAX_SECONDS`].
    pub seconds: f64,
}

/// A file can't be used as a recording.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// It isn't audio, or not such as can be used; the text says what was found, for whoever sent it.
    #[error("{0}")]
    Unusable(String),
    /// The file can't be read.
    #[error("the file can't be read")]
    Io(#[from] std::io::Error),
}

/// Reads a file and says what it holds. Blocks; takes bounded memory, and at most a minute.
///
/// # Errors
/// [`ProbeError::Unusable`] when it can't be used as a recording: it isn't audio of a supported format, has more than
/// two channels, no sound at all, or more than a day of it.
pub fn probe(file: File) -> Result<Audio, ProbeError> {
    if file.metadata()?.len() == 0 {
        return unusable(format!("expected an audio file, {SUPPORTED}, found nothing at all"));
    }
    let mut format = open(file).or_else(|error| match error {
        SymphoniaError::IoError(error) if !at_end(&error) => Err(ProbeError::Io(error)),
        _ => unusable(format!("expected {SUPPORTED}, found no such audio")),
    })?;
    let (media_type, extension) = match format.format_info().short_name {
        "wave" => ("audio/wav", "wav"),
        "mp3" | "mp2" | "mp1" => ("audio/mpeg", "mp3"),
        "flac" => ("audio/flac", "flac"),
        "ogg" => ("audio/ogg", "ogg"),
        other => return unusable(format!("expected {SUPPORTED}, found {other}")),
    };
    let Some(track) = format.default_track(TrackType::Audio).cloned() else {
        return unusable(format!("the {extension} file holds no audio track; expected {SUPPORTED}"));
    };
    let Some(decoder) = decoder(&track) else {
        return unusable(format!(
            "the {extension} file holds audio in an encoding that can't be decoded; expected {SUPPORTED}"
        ));
    };
    let tick = track.time_base.map_or(0.0, |base| f64::from(base.numer.get()) / f64::from(base.denom.get()));
    let decode_all = media_type == "audio/wav";
    let measured = Meter { decoder, tick, decode_all, seconds: 0.0, decoded: 0, broken: 0, shape: None }
        .run(format.as_mut(), track.id)?;
    let Some((channels, sample_rate)) = measured.shape else {
        return unusable(format!("the {extension} file holds no sound that can be decoded"));
    };
    if measured.broken > measured.decoded {
        return unusable(format!("the {extension} file is damaged: most of it can't be decoded"));
    }
    if !(1..=2).contains(&channels) {
        return unusable(format!("expected 1 or 2 channels, found {channels}"));
    }
    if !SAMPLE_RATES.contains(&sample_rate) {
        let (least, most) = SAMPLE_RATES.into_inner();
        return unusable(format!("expected {least} to {most} samples a second, found {sample_rate}"));
    }
    Ok(Audio { media_type, extension, channels, sample_rate, seconds: round(measured.seconds) })
}

/// Adds up how long a track is, and proves that it can be decoded.
struct Meter {
    decoder: Box<dyn AudioDecoder>,
    /// Seconds of one unit of a packet's duration.
    tick: f64,
    decode_all: bool,
    seconds: f64,
    /// Packets that were decoded.
    decoded: u64,
    /// Packets that could not be.
    broken: u64,
    /// Channels and samples a second, as decoded.
    shape: Option<(usize, u32)>,
}

/// What a [`Meter`] found.
struct Measured {
    seconds: f64,
    decoded: u64,
    broken: u64,
    shape: Option<(u16, u32)>,
}

impl Meter {
    /// Reads the track to its end. A file that breaks off counts as far as it goes.
    fn run(mut self, format: &mut dyn FormatReader, track: u32) -> Result<Measured, ProbeError> {
        let started = Instant::now();
        loop {
            let packet = match format.next_packet() {
                Ok(Some(packet)) => packet,
                Ok(None) => break,
                Err(SymphoniaError::IoError(error)) if !at_end(&error) => return Err(ProbeError::Io(error)),
                Err(SymphoniaError::ResetRequired) => {
                    return unusable("expected one recording, found several chained in one file".to_owned());
                }
                Err(_) => break,
            };
            if packet.track_id == track {
                self.add(&packet)?;
            }
            if self.seconds > MAX_SECONDS {
                return unusable("expected at most 24 hours, found more".to_owned());
            }
            if started.elapsed() > PATIENCE {
                return unusable("it takes too long to decode".to_owned());
            }
        }
        let shape = self.shape.map(|(channels, rate)| (u16::try_from(channels).unwrap_or(u16::MAX), rate));
        Ok(Measured { seconds: self.seconds, decoded: self.decoded, broken: self.broken, shape })
    }

    fn add(&mut self, packet: &Packet) -> Result<(), ProbeError> {
        if !self.decode_all && self.seconds >= PROVEN_SECONDS {
            self.seconds += packet.dur.get() as f64 * self.tick;
            return Ok(());
        }
        match self.decoder.decode(packet) {
            Ok(sound) if sound.frames() == 0 => {}
            Ok(sound) => {
                let shape = (sound.spec().channels().count(), sound.spec().rate());
                if *self.shape.get_or_insert(shape) != shape {
                    return unusable("the number of channels or the sample rate changes in the middle".to_owned());
                }
                self.decoded += 1;
                self.seconds += sound.frames() as f64 / f64::from(shape.1.max(1));
            }
            Err(_) => self.broken += 1,
        }
        Ok(())
    }
}

/// Microseconds are what the databases keep of a time; more digits are noise of the addition.
fn round(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

fn unusable<T>(why: String) -> Result<T, ProbeError> {
    Err(ProbeError::Unusable(why))
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    /// A WAV file: format tag, channels, rate, bits a sample, block align, then the extra format bytes and the data.
    fn wav(tag: u16, channels: u16, rate: u32, bits: u16, block: u16, extra: &[u8], data: &[u8]) -> Vec<u8> {
        let mut format = Vec::new();
        format.extend(tag.to_le_bytes());
        format.extend(channels.to_le_bytes());
        format.extend(rate.to_le_bytes());
        format.extend((rate * u32::from(block)).to_le_bytes());
        format.extend(block.to_le_bytes());
        format.extend(bits.to_le_bytes());
        format.extend(extra);
        let mut file = Vec::new();
        file.extend(b"RIFF");
        file.extend((20 + format.len() as u32 + data.len() as u32).to_le_bytes());
        file.extend(b"WAVEfmt ");
        file.extend((format.len() as u32).to_le_bytes());
        file.extend(&format);
        file.extend(b"data");
        file.extend((data.len() as u32).to_le_bytes());
        file.extend(data);
        file
    }

    fn pcm(channels: u16, rate: u32, frames: u32) -> Vec<u8> {
        let data: Vec<u8> = (0..frames * u32::from(channels)).flat_map(|n| (n as i16).to_le_bytes()).collect();
        wav(1, channels, rate, 16, 2 * channels, &[], &data)
    }

    fn probe_bytes(bytes: &[u8]) -> Result<Audio, String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        probe(file).map_err(|error| error.to_string())
    }

    #[test]
    fn measures_pcm() {
        let audio = probe_bytes(&pcm(2, 8_000, 12_000)).unwrap();
        assert_eq!(
            audio,
            Audio { media_type: "audio/wav", extension: "wav", channels: 2, sample_rate: 8_000, seconds: 1.5 }
        );
    }

    #[test]
    fn measures_a_law_and_mu_law() {
        // Many recorders leave out the length of the extension, which is 0.
        for (tag, extra) in [(6, &[0, 0][..]), (7, &[0, 0]), (6, &[]), (7, &[])] {
            let audio = probe_bytes(&wav(tag, 1, 8_000, 8, 1, extra, &[0x55; 20_000])).unwrap();
            assert_eq!((audio.channels, audio.sample_rate, audio.seconds), (1, 8_000, 2.5));
        }
    }

    #[test]
    fn measures_ima_adpcm() {
        // Blocks of 256 bytes: a header of 4 with the first sample, then two samples a byte.
        let audio = probe_bytes(&wav(0x11, 1, 8_000, 4, 256, &[2, 0, 0xf9, 0x01], &[0; 256 * 16])).unwrap();
        assert_eq!((audio.channels, audio.seconds), (1, 505.0 * 16.0 / 8_000.0));
    }

    #[test]
    fn measures_mp3() {
        // Silence: frames of MPEG 1 layer III with 128 kbit/s and 44.1 kHz, mono, in which no sample is coded.
        let mut frame = vec![0xff, 0xfb, 0x90, 0xc4];
        frame.resize(417, 0);
        let audio = probe_bytes(&frame.repeat(2_000)).unwrap();
        assert_eq!((audio.media_type, audio.channels, audio.sample_rate), ("audio/mpeg", 1, 44_100));
        // The decoder may leave out the first frame, which has nothing before it.
        assert!((audio.seconds - 2_000.0 * 1_152.0 / 44_100.0).abs() < 0.06, "{}", audio.seconds);
    }

    #[test]
    fn measures_flac() {
        /// A cyclic redundancy check, high bit first.
        fn crc(bytes: &[u8], bits: u32, polynomial: u32) -> u32 {
            bytes.iter().fold(0, |crc, byte| {
                (0..8).fold(crc ^ u32::from(*byte) << (bits - 8), |crc, _| {
                    let shifted = crc << 1 & ((1 << bits) - 1);
                    if crc >> (bits - 1) & 1 == 1 { shifted ^ polynomial } else { shifted }
                })
            })
        }
        let frames = 20_u8;
        let samples = u32::from(frames) * 4_096;
        let mut file = b"fLaC\x80\0\0\x22".to_vec();
        // Blocks of 4,096 samples; 8,000 samples a second, 1 channel, 16 bits.
        file.extend([0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x01, 0xf4, 0x00, 0xf0]);
        file.extend(samples.to_be_bytes());
        file.extend([0; 16]);
        for number in 0..frames {
            let mut frame = vec![0xff, 0xf8, 0xc4, 0x08, number];
            frame.push(crc(&frame, 8, 0x07) as u8);
            // One subframe: all samples are 5.
            frame.extend([0, 0, 5]);
            frame.extend((crc(&frame, 16, 0x8005) as u16).to_be_bytes());
            file.extend(frame);
        }
        let audio = probe_bytes(&file).unwrap();
        assert_eq!((audio.media_type, audio.channels, audio.sample_rate), ("audio/flac", 1, 8_000));
        assert_eq!(audio.seconds, f64::from(samples) / 8_000.0);
    }

    #[test]
    fn a_file_that_breaks_off_counts_as_far_as_it_goes() {
        let whole = pcm(1, 8_000, 80_000);
        let half = &whole[..44 + 80_000];
        assert_eq!(probe_bytes(half).unwrap().seconds, 5.0);
    }

    #[test]
    fn a_header_that_was_never_filled_in_counts_as_far_as_the_file_goes() {
        for placeholder in [[0; 4], [0xff; 4]] {
            let mut file = pcm(1, 8_000, 80_000);
            file[4..8].copy_from_slice(&placeholder);
            file[40..44].copy_from_slice(&placeholder);
            assert_eq!(probe_bytes(&file).unwrap().seconds, 10.0);
        }
    }

    #[test]
    fn extensible_mu_law_is_read() {
        // Extension of 22 bytes: valid bits, speakers, and the GUID of the format.
        let mut extra = vec![22, 0, 8, 0, 4, 0, 0, 0, 7, 0, 0, 0, 0, 0, 16, 0];
        extra.extend([0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]);
        let audio = probe_bytes(&wav(0xfffe, 1, 8_000, 8, 1, &extra, &[0x55; 20_000])).unwrap();
        assert_eq!(audio.seconds, 2.5);
    }

    #[test]
    fn other_chunks_are_left_alone() {
        let plain = pcm(1, 8_000, 8_000);
        let mut file = plain[..36].to_vec();
        // One of an odd length, which is padded, and a `fact` that is longer than the library permits.
        file.extend(b"junk\x03\0\0\0abc\0fact\x08\0\0\0\0\0\0\0\0\0\0\0");
        file.extend(&plain[36..]);
        file.extend(b"LIST\x04\0\0\0INFO");
        assert_eq!(probe_bytes(&file).unwrap().seconds, 1.0);
    }

    #[test]
    fn says_what_was_found_instead() {
        let supported = "WAV (PCM, A-law, µ-law or ADPCM), MP3, FLAC or Ogg Vorbis";
        for (bytes, message) in [
            (vec![], format!("expected an audio file, {supported}, found nothing at all")),
            (b"%PDF-1.7 and so on".to_vec(), format!("expected {supported}, found no such audio")),
            (pcm(1, 8_000, 0), "the wav file holds no sound that can be decoded".to_owned()),
            (pcm(6, 8_000, 8_000), "expected 1 or 2 channels, found 6".to_owned()),
            (pcm(1, 500, 8_000), "expected 4000 to 192000 samples a second, found 500".to_owned()),
        ] {
            assert_eq!(probe_bytes(&bytes), Err(message));
        }
    }

    #[test]
    fn a_header_that_claims_absurd_things_is_not_believed() {
        let sound = [0x11; 4_000];
        // The head of a FLAC file: blocks of so many samples, a rate of 20 bits, 8 channels of 32 bits, 2^36 samples.
        let flac = |block: u16, rate: u64| {
            let mut file = b"fLaC\x80\0\0\x22".to_vec();
            file.extend([block.to_be_bytes(), block.to_be_bytes()].concat());
            file.extend([0xff; 6]);
            file.extend((rate << 44 | 7 << 41 | 31 << 36 | ((1 << 36) - 1)).to_be_bytes());
            file.extend([0; 16]);
            file.extend([0xff, 0xf8, 0xc9, 0x78, 0xff, 0xff, 0xff, 0xff]);
            file.extend(sound);
            file
        };
        // A page of Ogg with a packet that never ends.
        let mut ogg = b"OggS\0\x02\xff\xff\xff\xff\xff\xff\xff\x7f\0\0\0\0\0\0\0\0\0\0\0\0\xff".to_vec();
        ogg.extend([0xff; 255]);
        ogg.extend(sound.repeat(20));
        for file in [
            wav(1, u16::MAX, u32::MAX / 65_535, 16, u16::MAX, &[], &sound),
            wav(1, 2, u32::MAX, 16, 0, &[], &sound),
            wav(1, 1, 8_000, u16::MAX, 1, &[], &sound),
            wav(0x11, 1, 8_000, 4, u16::MAX, &[2, 0, 0xff, 0xff], &sound),
            wav(2, 2, 8_000, 4, 1, &[32, 0, 0xff, 0xff, 0xff, 0xff], &sound),
            flac(u16::MAX, (1 << 20) - 1),
            flac(0, 1),
            ogg,
            // A tag of 256 MB, and a frame without a bit rate.
            [&b"ID3\x04\0\0\x7f\x7f\x7f\x7f"[..], &sound].concat(),
            [&[0xff, 0xfb, 0x00, 0xc0][..], &sound].concat(),
        ] {
            assert!(probe_bytes(&file).is_err(), "{:?}", &file[..60]);
        }
    }

    #[test]
    fn no_garbage_is_taken_for_sound_or_panics() {
        let mut state = 1_u32;
        let mut noise = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        for start in [
            &b""[..],
            b"RIFF\xff\xff\xff\xffWAVEfmt ",
            b"fLaC",
            b"OggS",
            b"ID3\x04\x00\x00\x7f\x7f\x7f\x7f",
            b"\xff\xfb",
        ] {
            let mut bytes = start.to_vec();
            bytes.extend(std::iter::repeat_with(&mut noise).take(100_000));
            assert!(probe_bytes(&bytes).is_err(), "noise after {start:?} was taken for sound");
        }
    }
}
