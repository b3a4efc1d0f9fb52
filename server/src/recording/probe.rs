//! Determines the format of an audio file by its content. Headers, names and declared lengths are not trusted.
//!
//! Decodes the first seconds to prove that the audio is decodable. Measures the rest by packet lengths; [`super::sound`] decodes the same packets.

use std::fs::File;
use std::time::{Duration, Instant};

use leadscribe_engine::diagnostic::recording;

use super::error::RecordingError;
use super::sound::AudioReader;

/// Maximum length of a recording in seconds: a day, like the maximum of `min_duration` of a submission.
pub const MAX_DURATION_SECONDS: f64 = 86_400.0;

/// Number of seconds to decode from the start of the file.
const DECODED_SECONDS: f64 = 10.0;

/// Timeout of a probe. A day of MP3 takes a few seconds.
const PROBE_TIMEOUT: Duration = Duration::from_secs(60);

/// Properties of an audio file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AudioProperties {
    /// Media type.
    pub media_type: &'static str,
    /// Usual file extension.
    pub extension: &'static str,
    /// Number of channels, 1 or 2.
    pub channels: u16,
    /// Samples per second. If the rate changes, the most common one.
    pub sample_rate: u32,
    /// Length in seconds, more than 0 and at most [`MAX_DURATION_SECONDS`].
    pub seconds: f64,
}

/// Reads a file and returns its properties. Blocks; uses bounded memory and at most a minute.
///
/// # Errors
/// [`RecordingError::Unusable`] if the file is not supported audio, has more than two channels, contains no audio, or is longer than a day.
pub fn probe(file: File) -> Result<AudioProperties, RecordingError> {
    let started = Instant::now();
    let mut reader = AudioReader::open(file)?;
    let mut samples = Vec::new();
    while let Some(part) = reader.next()? {
        if reader.seconds() < DECODED_SECONDS {
            reader.decode(&part, &mut samples);
        }
        if started.elapsed() > PROBE_TIMEOUT {
            return Err(recording::too_slow().into());
        }
    }
    let container = reader.container();
    Ok(AudioProperties {
        media_type: container.media_type(),
        extension: container.extension(),
        channels: reader.channels(),
        sample_rate: reader.rate(),
        seconds: round(reader.seconds()),
    })
}

/// Rounds to microseconds, as databases store them. More digits would be rounding errors.
fn round(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::super::testing::{TestWav, format_chunk_with_block_align, probe_and_decode, pseudorandom_bytes};
    use super::*;

    /// Creates a WAV file from format tag, channels, rate, bits per sample, block align, extra format bytes and data.
    fn wav(tag: u16, channels: u16, rate: u32, bits: u16, block: u16, extra: &[u8], data: &[u8]) -> Vec<u8> {
        let mut format = format_chunk_with_block_align(tag, channels, rate, bits, block);
        format.extend(extra);
        TestWav::new(format, data.to_vec()).bytes()
    }

    fn probe_bytes(bytes: &[u8]) -> Result<AudioProperties, String> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        probe(file).map_err(|error| error.to_string())
    }

    #[test]
    fn measures_mp3() {
        // Silence: MPEG 1 layer III frames with 128 kbit/s, 44.1 kHz, mono, without encoded samples.
        let mut frame = vec![0xff, 0xfb, 0x90, 0xc4];
        frame.resize(417, 0);
        let audio = probe_bytes(&frame.repeat(2_000)).unwrap();
        assert_eq!((audio.media_type, audio.channels, audio.sample_rate), ("audio/mpeg", 1, 44_100));
        // The decoder may omit the first frame, which has no predecessor.
        assert!((audio.seconds - 2_000.0 * 1_152.0 / 44_100.0).abs() < 0.06, "{}", audio.seconds);
    }

    /// Creates a FLAC file at 8 kHz with this many frames of 4,096 samples.
    fn flac(frames: u8) -> Vec<u8> {
        /// Cyclic redundancy check, most significant bit first.
        fn crc(bytes: &[u8], bits: u32, polynomial: u32) -> u32 {
            bytes.iter().fold(0, |crc, byte| {
                (0..8).fold(crc ^ u32::from(*byte) << (bits - 8), |crc, _| {
                    let shifted = crc << 1 & ((1 << bits) - 1);
                    if crc >> (bits - 1) & 1 == 1 { shifted ^ polynomial } else { shifted }
                })
            })
        }
        let samples = u32::from(frames) * 4_096;
        let mut file = b"fLaC\x80\0\0\x22".to_vec();
        // Blocks of 4,096 samples; 8,000 samples per second, 1 channel, 16 bits.
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
        file
    }

    #[test]
    fn measures_flac() {
        let audio = probe_bytes(&flac(20)).unwrap();
        assert_eq!((audio.media_type, audio.channels, audio.sample_rate), ("audio/flac", 1, 8_000));
        assert_eq!(audio.seconds, 20.0 * 4_096.0 / 8_000.0);
    }

    #[test]
    fn lost_flac_frames_keep_duration() {
        let mut file = flac(20);
        // Frames of 11 bytes follow the header.
        let start = 42 + 11 * 8;
        file[start..start + 33].fill(0);
        assert_eq!(probe_and_decode(&file).unwrap().seconds, 20.0 * 4_096.0 / 8_000.0);
    }

    #[test]
    fn probe_and_decoder_agree_on_damaged_files() {
        let files = [
            include_bytes!("testdata/mono-stereo-mono.mp3").to_vec(),
            include_bytes!("testdata/gsm.wav").to_vec(),
            flac(60),
        ];
        for seed in 0..300 {
            let mut random = pseudorandom_bytes(seed);
            let mut random_below =
                |max: usize| (usize::from(random()) << 16 | usize::from(random()) << 8 | usize::from(random())) % max;
            let mut file = files[seed as usize % files.len()].clone();
            for _ in 0..random_below(4) {
                let start = random_below(file.len());
                let end = (start + random_below(2_000)).min(file.len());
                match random_below(3) {
                    0 => file[start..end].fill(0),
                    1 => drop(file.drain(start..end)),
                    _ => file[start] = random_below(256) as u8,
                }
            }
            let _ = probe_and_decode(&file);
        }
    }

    #[test]
    fn reports_detected_format() {
        for (bytes, message) in [
            (vec![], "the file is empty; send the recording itself"),
            (b"%PDF-1.7 and so on".to_vec(), "the file is PDF, not audio; send WAV, MP3, FLAC or Ogg Vorbis"),
            (wav(1, 1, 500, 16, 2, &[], &[1; 64]), "expected 4000 to 192000 samples per second, found 500"),
            (b"fLaC\x80\0\0\x22".to_vec(), "the header of the `flac` file is damaged"),
            (b"OggS\0\x02".to_vec(), "the header of the `ogg` file is damaged"),
        ] {
            assert_eq!(probe_bytes(&bytes), Err(message.to_owned()));
        }
    }

    #[test]
    fn rejects_absurd_headers() {
        let sound = [0x11; 4_000];
        // The header of a FLAC file: block size, a rate of 20 bits, 8 channels of 32 bits, 2^36 samples.
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
        // An Ogg page with a packet that never ends.
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
    fn rejects_garbage_without_panic() {
        let mut random = pseudorandom_bytes(1);
        for start in [
            &b""[..],
            b"RIFF\xff\xff\xff\xffWAVEfmt ",
            b"fLaC",
            b"OggS",
            b"ID3\x04\x00\x00\x7f\x7f\x7f\x7f",
            b"\xff\xfb",
        ] {
            let mut bytes = start.to_vec();
            bytes.extend(std::iter::repeat_with(&mut random).take(100_000));
            assert!(probe_bytes(&bytes).is_err(), "noise after {start:?} was accepted as audio");
        }
    }
}
