//! Creates and decodes recordings for tests.

use std::fs::File;
use std::io::{Seek, Write};

use super::probe::probe;
use super::sound::AudioReader;

#[derive(Debug)]
pub(super) struct DecodedRecording {
    pub extension: &'static str,
    /// Frames per second of most of the recording.
    pub rate: u32,
    /// Length in seconds, the same for probe and decoder.
    pub seconds: f64,
    /// Samples of each channel.
    pub channels: Vec<Vec<f32>>,
}

/// Probes a recording and decodes it. Both must agree.
pub(super) fn probe_and_decode(bytes: &[u8]) -> Result<DecodedRecording, String> {
    let probed = probe(file(bytes)).map_err(|error| error.to_string());
    let decoded = decode(bytes);
    match (probed, decoded) {
        (Ok(audio), Ok(decoded)) => {
            assert!((audio.seconds - decoded.seconds).abs() < 1e-5, "{audio:?}, decoded {} s", decoded.seconds);
            assert_eq!((audio.channels, audio.sample_rate), (decoded.channels.len() as u16, decoded.rate));
            assert_eq!(audio.extension, decoded.extension);
            Ok(decoded)
        }
        (Err(probed), Err(decoded)) => {
            assert_eq!(probed, decoded);
            Err(decoded)
        }
        // The probe decodes only the first seconds.
        (Ok(_), Err(decoded)) if decoded.contains("damaged") => Err(decoded),
        (probed, decoded) => panic!("measured {probed:?}, decoded {decoded:?}"),
    }
}

fn decode(bytes: &[u8]) -> Result<DecodedRecording, String> {
    let mut reader = AudioReader::open(file(bytes)).map_err(|error| error.to_string())?;
    let mut channels = vec![Vec::new(); usize::from(reader.channels())];
    let mut samples = Vec::new();
    while let Some(part) = reader.next().map_err(|error| error.to_string())? {
        reader.decode(&part, &mut samples);
        for (channel, samples) in channels.iter_mut().zip(&samples) {
            channel.resize(channel.len() + part.lost_frames() as usize, 0.0);
            channel.extend(samples);
        }
    }
    let extension = reader.container().extension();
    Ok(DecodedRecording { extension, rate: reader.rate(), seconds: reader.seconds(), channels })
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

/// Returns pseudorandom bytes, the same for the same seed.
pub(super) fn pseudorandom_bytes(seed: u64) -> impl FnMut() -> u8 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u8
    }
}

/// Parts of a WAV file, in order.
#[derive(Clone)]
pub(super) struct TestWav {
    /// `RIFF`, `RF64` or `BW64`.
    pub magic: [u8; 4],
    /// Length in the header; the correct one if `None`.
    pub riff_size: Option<u32>,
    /// Chunks before the format.
    pub before: Vec<u8>,
    /// Content of the format chunk.
    pub format: Vec<u8>,
    /// Chunks between format and audio.
    pub between: Vec<u8>,
    /// Length of the data chunk; the correct one if `None`.
    pub data_size: Option<u32>,
    pub data: Vec<u8>,
    /// Chunks or other bytes after the audio.
    pub after: Vec<u8>,
}

impl TestWav {
    pub(super) fn new(format: Vec<u8>, data: Vec<u8>) -> Self {
        let none = Vec::new;
        let (before, between, after) = (none(), none(), none());
        Self { magic: *b"RIFF", riff_size: None, before, format, between, data_size: None, data, after }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut content = b"WAVE".to_vec();
        content.extend(&self.before);
        content.extend(chunk(b"fmt ", &self.format));
        content.extend(&self.between);
        content.extend(b"data");
        content.extend(self.data_size.unwrap_or(self.data.len() as u32).to_le_bytes());
        content.extend(&self.data);
        if self.data.len() % 2 == 1 && !self.after.is_empty() {
            content.push(0);
        }
        content.extend(&self.after);
        let mut file = self.magic.to_vec();
        file.extend(self.riff_size.unwrap_or(content.len() as u32).to_le_bytes());
        file.extend(content);
        file
    }
}

/// Returns a chunk with its padding.
pub(super) fn chunk(id: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut chunk = id.to_vec();
    chunk.extend((content.len() as u32).to_le_bytes());
    chunk.extend(content);
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    chunk
}

/// Returns the content of a format chunk without extension, with correct lengths.
pub(super) fn format_chunk(tag: u16, channels: u16, rate: u32, bits: u16) -> Vec<u8> {
    let block = channels * bits / 8;
    format_chunk_with_block_align(tag, channels, rate, bits, block)
}

/// Returns the content of a format chunk without extension.
pub(super) fn format_chunk_with_block_align(tag: u16, channels: u16, rate: u32, bits: u16, block: u16) -> Vec<u8> {
    let mut format = tag.to_le_bytes().to_vec();
    format.extend(channels.to_le_bytes());
    format.extend(rate.to_le_bytes());
    format.extend(rate.wrapping_mul(u32::from(block)).to_le_bytes());
    format.extend(block.to_le_bytes());
    format.extend(bits.to_le_bytes());
    format
}

/// Returns the content of an extensible format chunk.
pub(super) fn extensible(tag: u16, channels: u16, bits: u16, valid_bits: u16, extension: u16) -> Vec<u8> {
    let mut format = format_chunk(0xfffe, channels, 8_000, bits);
    format.extend(extension.to_le_bytes());
    format.extend(valid_bits.to_le_bytes());
    format.extend([4, 0, 0, 0]);
    format.extend(tag.to_le_bytes());
    format.extend([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]);
    format
}

/// Returns 16-bit samples at 8 kHz: not silent, and never two equal ones in a row.
pub(super) fn ramp(frames: usize, channels: u16) -> Vec<i16> {
    (0..frames * usize::from(channels)).map(|n| ((n * 7_919) % 60_013) as i32 as i16).collect()
}

/// Returns a WAV file with these samples at 8 kHz.
pub(super) fn pcm(channels: u16, samples: &[i16]) -> TestWav {
    TestWav::new(format_chunk(1, channels, 8_000, 16), samples.iter().flat_map(|sample| sample.to_le_bytes()).collect())
}
