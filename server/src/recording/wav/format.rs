//! Parses the format chunk of a WAV file.

use leadscribe_engine::diagnostic::recording;
use symphonia::core::codecs::audio::AudioCodecId;
use symphonia::core::codecs::audio::well_known::{
    CODEC_ID_PCM_ALAW, CODEC_ID_PCM_F32LE, CODEC_ID_PCM_F64LE, CODEC_ID_PCM_MULAW, CODEC_ID_PCM_S16LE,
    CODEC_ID_PCM_S24LE, CODEC_ID_PCM_S32LE, CODEC_ID_PCM_U8,
};

use super::super::error::RecordingError;
use super::known::encoding_name;

/// Minimum size of a format chunk, in bytes: one without the bits per sample.
const MIN_BYTES: usize = 14;

/// Position of the actual format in an extensible chunk: the first two bytes of a GUID.
const SUB_FORMAT_OFFSET: usize = 24;

/// The other bytes of GUIDs whose first two bytes are a format number: registered formats, and ambisonic audio.
const GUID_TAILS: [[u8; 14]; 2] = [
    [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71],
    [0, 0, 0x21, 0x07, 0xd3, 0x11, 0x86, 0x44, 0xc8, 0xc1, 0xca, 0, 0, 0],
];

const PCM: u16 = 0x0001;
const MS_ADPCM: u16 = 0x0002;
const FLOAT: u16 = 0x0003;
const A_LAW: u16 = 0x0006;
const MU_LAW: u16 = 0x0007;
const IMA_ADPCM: u16 = 0x0011;
const GSM: u16 = 0x0031;
const MPEG_LAYER_3: u16 = 0x0055;
const EXTENSIBLE: u16 = 0xfffe;

/// Encoding of the audio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Encoding {
    /// Uncompressed or companded samples.
    Samples { codec: AudioCodecId, bytes: u64 },
    /// ADPCM of the Interactive Multimedia Association, also called DVI.
    ImaAdpcm,
    /// ADPCM of Microsoft.
    MsAdpcm,
    /// GSM 06.10.
    Gsm,
    /// MPEG audio, layer III.
    Mpeg,
}

/// The content of a format chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Format {
    pub encoding: Encoding,
    /// At least 1.
    pub channels: u16,
    /// Frames per second according to the header.
    pub rate: u32,
    /// Block size in bytes according to the header.
    pub block: u16,
}

/// Fields that all format chunks have.
struct Fields {
    channels: u16,
    rate: u32,
    byte_rate: u32,
    block: u16,
    /// Bits per sample; 0 if unknown.
    bits: u16,
}

impl Format {
    /// Parses a format chunk. Contradictory or zero fields are derived from the others if there is only one possibility.
    ///
    /// # Errors
    /// The encoding is not supported, or a field has an impossible value.
    pub(super) fn parse(chunk: &[u8]) -> Result<Self, RecordingError> {
        if chunk.len() < MIN_BYTES {
            return Err(RecordingError::format_chunk("length", chunk.len()));
        }
        let fields = Fields {
            channels: u16_at(chunk, 2),
            rate: u32_at(chunk, 4),
            byte_rate: u32_at(chunk, 8),
            block: u16_at(chunk, 12),
            bits: if chunk.len() < 16 { 0 } else { u16_at(chunk, 14) },
        };
        if fields.channels == 0 {
            return Err(RecordingError::format_chunk("channels", 0));
        }
        let tag = match u16_at(chunk, 0) {
            EXTENSIBLE => sub_format(chunk)?,
            tag => tag,
        };
        let encoding = fields.encoding(tag)?;
        let Fields { channels, rate, block, .. } = fields;
        let min_block_align = match encoding {
            Encoding::ImaAdpcm => 4,
            Encoding::MsAdpcm => 7,
            _ => 0,
        };
        if u32::from(block) < min_block_align * u32::from(channels) {
            return Err(RecordingError::format_chunk("block align", block));
        }
        Ok(Self { encoding, channels, rate, block })
    }
}

impl Fields {
    fn encoding(&self, tag: u16) -> Result<Encoding, RecordingError> {
        match tag {
            PCM => self.pcm(),
            // Programs that leave the format number at 0 write PCM, if the other fields are set.
            0 if matches!(self.bits, 8 | 16 | 24) && self.block == self.channels.saturating_mul(self.bits / 8) => {
                self.pcm()
            }
            FLOAT => self.float(),
            A_LAW => Ok(Encoding::Samples { codec: CODEC_ID_PCM_ALAW, bytes: 1 }),
            MU_LAW => Ok(Encoding::Samples { codec: CODEC_ID_PCM_MULAW, bytes: 1 }),
            IMA_ADPCM if self.bits == 3 => Err(unsupported_encoding(Some("3-bit IMA ADPCM"), tag)),
            IMA_ADPCM => Ok(Encoding::ImaAdpcm),
            MS_ADPCM => Ok(Encoding::MsAdpcm),
            GSM if self.channels == 1 => Ok(Encoding::Gsm),
            MPEG_LAYER_3 => Ok(Encoding::Mpeg),
            tag => Err(unsupported_encoding(encoding_name(tag), tag)),
        }
    }

    /// Returns the bytes per sample, if the block can be divided among the channels.
    fn bytes_per_sample(&self) -> Option<u16> {
        self.block.is_multiple_of(self.channels).then_some(self.block / self.channels)
    }

    fn pcm(&self) -> Result<Encoding, RecordingError> {
        let mut bytes = match self.bits {
            0 => self.bytes_per_sample().unwrap_or(0),
            bits => bits.div_ceil(8),
        };
        // 24-bit samples in 4 bytes each, if both lengths agree.
        if self.bits > 16 && u64::from(self.byte_rate) == u64::from(self.rate) * u64::from(self.block) {
            bytes = self.bytes_per_sample().filter(|container| (bytes..=4).contains(container)).unwrap_or(bytes);
        }
        let codec = match bytes {
            1 => CODEC_ID_PCM_U8,
            2 => CODEC_ID_PCM_S16LE,
            3 => CODEC_ID_PCM_S24LE,
            4 => CODEC_ID_PCM_S32LE,
            8 => return Err(unsupported_encoding(Some("64-bit PCM"), PCM)),
            _ => return Err(RecordingError::format_chunk("bits per sample", self.bits)),
        };
        Ok(Encoding::Samples { codec, bytes: u64::from(bytes) })
    }

    fn float(&self) -> Result<Encoding, RecordingError> {
        let bytes = match self.bits {
            32 | 64 => self.bits / 8,
            _ => self.bytes_per_sample().unwrap_or(0),
        };
        match bytes {
            4 => Ok(Encoding::Samples { codec: CODEC_ID_PCM_F32LE, bytes: 4 }),
            8 => Ok(Encoding::Samples { codec: CODEC_ID_PCM_F64LE, bytes: 8 }),
            2 => Err(unsupported_encoding(Some("16-bit floating point"), FLOAT)),
            _ => Err(RecordingError::format_chunk("bits per sample", self.bits)),
        }
    }
}

/// Returns the actual format of an extensible chunk; 0 if it is not set.
fn sub_format(chunk: &[u8]) -> Result<u16, RecordingError> {
    let Some(guid) = chunk.get(SUB_FORMAT_OFFSET..SUB_FORMAT_OFFSET + 16) else {
        return Ok(chunk
            .get(SUB_FORMAT_OFFSET..)
            .and_then(|rest| rest.first_chunk())
            .map_or(0, |bytes| u16::from_le_bytes(*bytes)));
    };
    let (tag, tail) = (u16_at(guid, 0), &guid[2..]);
    let is_registered = GUID_TAILS.iter().any(|known| known == tail) || tail.iter().all(|byte| *byte == 0);
    if is_registered && tag != EXTENSIBLE { Ok(tag) } else { Err(unsupported_encoding(None, tag)) }
}

fn unsupported_encoding(name: Option<&str>, tag: u16) -> RecordingError {
    let tag = format!("0x{tag:04x}");
    let message = match name {
        Some(name) => recording::wav_encoding(name, tag),
        None => recording::unknown_wav_encoding(tag),
    };
    message.into()
}

fn u16_at(bytes: &[u8], offset: usize) -> u16 {
    u16::from_le_bytes([bytes[offset], bytes[offset + 1]])
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes([bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]])
}
