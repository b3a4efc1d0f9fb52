//! The encoders behind one interface.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::ContentCoding;

// Low levels: higher ones take much longer for slightly smaller output.
const ZSTD_LEVEL: i32 = 1;
const BROTLI_QUALITY: u32 = 1;
const GZIP_LEVEL: u32 = 1;

/// Base-2 logarithm of the window of zstd and brotli, in bytes. A larger one needs more memory and finds little more in lists of records.
const WINDOW_BITS: u32 = 17;

/// Size of brotli's output buffer, in bytes.
const BROTLI_BUFFER_BYTES: usize = 16 * 1024;

/// Maximum memory of an encoder, in bytes.
pub(super) const ENCODER_MEMORY_BYTES: usize = 1024 * 1024;

/// The writing side of a coding. Its output is collected in memory.
pub(super) enum Encoder {
    Zstd(zstd::Encoder<'static, Vec<u8>>),
    Brotli(Box<brotli::CompressorWriter<Vec<u8>>>),
    Gzip(GzEncoder<Vec<u8>>),
}

impl Encoder {
    /// Creates an encoder.
    pub fn new(coding: ContentCoding) -> Self {
        match coding {
            ContentCoding::Zstd => {
                let mut encoder = zstd::Encoder::new(Vec::new(), ZSTD_LEVEL).expect("a supported level");
                encoder.window_log(WINDOW_BITS).expect("a supported window");
                Self::Zstd(encoder)
            }
            ContentCoding::Brotli => Self::Brotli(Box::new(brotli::CompressorWriter::new(
                Vec::new(),
                BROTLI_BUFFER_BYTES,
                BROTLI_QUALITY,
                WINDOW_BITS,
            ))),
            ContentCoding::Gzip => Self::Gzip(GzEncoder::new(Vec::new(), Compression::new(GZIP_LEVEL))),
        }
    }

    /// Compresses bytes. Some may stay in the encoder until later.
    pub fn write(&mut self, bytes: &[u8]) {
        match self {
            Self::Zstd(encoder) => encoder.write_all(bytes),
            Self::Brotli(encoder) => encoder.write_all(bytes),
            Self::Gzip(encoder) => encoder.write_all(bytes),
        }
        .expect("memory accepts all bytes");
    }

    /// Returns the output since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(match self {
            Self::Zstd(encoder) => encoder.get_mut(),
            Self::Brotli(encoder) => encoder.get_mut(),
            Self::Gzip(encoder) => encoder.get_mut(),
        })
    }

    /// Returns the rest of the output, with the end mark.
    pub fn finish(self) -> Vec<u8> {
        match self {
            Self::Zstd(encoder) => encoder.finish().expect("memory accepts all bytes"),
            Self::Brotli(encoder) => encoder.into_inner(),
            Self::Gzip(encoder) => encoder.finish().expect("memory accepts all bytes"),
        }
    }
}
