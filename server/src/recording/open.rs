//! Opening an audio file with the decoding library, for whoever measures or decodes it.

use std::fs::File;

use symphonia::core::codecs::audio::{AudioDecoder, AudioDecoderOptions};
use symphonia::core::common::Limit;
use symphonia::core::errors::Error as SymphoniaError;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, Track};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

use super::wav::Source;

/// Tags and cover pictures are of no use here, and are not kept in memory beyond this, in bytes.
const TAG_BYTES: usize = 64 * 1024;

/// Finds the container of a file by its content.
///
/// # Errors
/// It is no audio that is known, or can't be read.
pub(crate) fn open(file: File) -> Result<Box<dyn FormatReader>, SymphoniaError> {
    let source = MediaSourceStream::new(Box::new(Source::new(file)?), Default::default());
    let tags = MetadataOptions::default()
        .limit_tag_bytes(Limit::Maximum(TAG_BYTES))
        .limit_visual_bytes(Limit::Maximum(TAG_BYTES));
    symphonia::default::get_probe().probe(&Hint::new(), source, FormatOptions::default(), tags)
}

/// The decoder of a track; none where its encoding isn't known.
pub(crate) fn decoder(track: &Track) -> Option<Box<dyn AudioDecoder>> {
    let parameters = track.codec_params.as_ref()?.audio()?;
    symphonia::default::get_codecs().make_audio_decoder(parameters, &AudioDecoderOptions::default()).ok()
}

/// Whether reading stopped because the file ended.
pub(crate) fn at_end(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::UnexpectedEof
}
