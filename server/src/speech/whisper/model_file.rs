//! Validates a model file before whisper.cpp loads it.
//!
//! whisper.cpp trusts the sizes in a file. It loads a truncated file with its last weights missing, and a damaged file can
//! end the process. Therefore this module walks through the whole structure first, skipping the weights themselves.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use whisper_rs::{DtwMode, DtwModelPreset};

/// First four bytes: `ggml` as a little-endian number, `GGML_FILE_MAGIC` in ggml.h.
const MAGIC: u32 = 0x6767_6d6c;
/// Number of encoder layers of the models that whisper.cpp names: tiny, base, small, medium, large.
const ENCODER_LAYERS: [u32; 5] = [4, 6, 12, 24, 32];
/// Sizes of the vocabularies: English only, multilingual, and multilingual with Cantonese (large-v3).
const VOCABULARIES: [u32; 3] = [51_864, 51_865, 51_866];
/// Number of encoder positions: 30 seconds, 50 per second.
const ENCODER_POSITIONS: u32 = 1_500;
const DECODER_POSITIONS: u32 = 448;
/// Maximum accepted length of a tensor name and of a token, in bytes. Real ones are shorter than 100.
const MAX_NAME_BYTES: u32 = 1_024;
/// Maximum number of dimensions of a tensor, `GGML_MAX_DIMS` in ggml.h.
const MAX_DIMENSIONS: u32 = 4;

/// Header of a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ModelHeader {
    /// Size of the vocabulary.
    vocabulary: u32,
    encoder_layers: u32,
    /// Number of decoder layers: the same, except in distilled models.
    decoder_layers: u32,
}

impl ModelHeader {
    /// Returns whether the model knows languages other than English.
    pub(super) fn is_multilingual(self) -> bool {
        self.vocabulary > VOCABULARIES[0]
    }

    /// Returns whether the model has a token for Cantonese.
    pub(super) fn has_cantonese(self) -> bool {
        self.vocabulary == VOCABULARIES[2]
    }

    /// Returns the attention heads that align tokens with the sound: known for published models, guessed for others.
    pub(super) fn alignment(self) -> DtwMode<'static> {
        let model_preset = match (self.encoder_layers, self.decoder_layers, self.is_multilingual()) {
            (4, 4, true) => DtwModelPreset::Tiny,
            (4, 4, false) => DtwModelPreset::TinyEn,
            (6, 6, true) => DtwModelPreset::Base,
            (6, 6, false) => DtwModelPreset::BaseEn,
            (12, 12, true) => DtwModelPreset::Small,
            (12, 12, false) => DtwModelPreset::SmallEn,
            (24, 24, true) => DtwModelPreset::Medium,
            (24, 24, false) => DtwModelPreset::MediumEn,
            (32, 4, true) => DtwModelPreset::LargeV3Turbo,
            (32, 32, true) if self.has_cantonese() => DtwModelPreset::LargeV3,
            (32, 32, true) => DtwModelPreset::LargeV2,
            (_, layers, _) => return DtwMode::TopMost { n_top: (layers / 2).max(1).cast_signed() },
        };
        DtwMode::ModelPreset { model_preset }
    }
}

/// Error in a file, as text: expected and actual value.
type ValidationError = String;

/// Validates the file at `path`.
pub(super) fn validate(path: &Path) -> Result<ModelHeader, ValidationError> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("it can't be read: {error}"),
    })?;
    let length = file.metadata().map_err(|error| format!("it can't be read: {error}"))?.len();
    parse(&mut BufReader::new(file), length).map_err(|error| match error {
        Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => "it ends too early".to_owned(),
        Error::Io(error) => format!("it can't be read: {error}"),
        Error::Invalid(problem) => problem,
    })
}

enum Error {
    Io(io::Error),
    Invalid(ValidationError),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn parse<R: Read + Seek>(file: &mut R, length: u64) -> Result<ModelHeader, Error> {
    let magic = read_u32(file)?;
    if magic != MAGIC {
        return Err(Error::Invalid("expected a ggml file, found another format".to_owned()));
    }
    let vocabulary = expect_one_of(read_u32(file)?, &VOCABULARIES, "entries of the vocabulary")?;
    expect_one_of(read_u32(file)?, &[ENCODER_POSITIONS], "positions of the encoder")?;
    let _state_and_heads = (read_u32(file)?, read_u32(file)?);
    let encoder_layers = expect_one_of(read_u32(file)?, &ENCODER_LAYERS, "layers of the encoder")?;
    expect_one_of(read_u32(file)?, &[DECODER_POSITIONS], "positions of the decoder")?;
    let _state_and_heads = (read_u32(file)?, read_u32(file)?);
    let decoder_layers = expect_at_most(read_u32(file)?, encoder_layers, "layers of the decoder")?;
    expect_one_of(read_u32(file)?, &[80, 128], "frequency bands")?;
    let _type = read_u32(file)?;

    let filters = u64::from(read_u32(file)?) * u64::from(read_u32(file)?);
    skip(file, filters.saturating_mul(4), length)?;
    for _ in 0..read_u32(file)? {
        let bytes = expect_at_most(read_u32(file)?, MAX_NAME_BYTES, "bytes of a token")?;
        skip(file, u64::from(bytes), length)?;
    }

    let mut tensors = 0_u32;
    while file.stream_position()? < length {
        let dimensions = expect_at_most(read_u32(file)?, MAX_DIMENSIONS, "dimensions of a tensor")?;
        let name_bytes = expect_at_most(read_u32(file)?, MAX_NAME_BYTES, "bytes of a tensor's name")?;
        let (elements_per_block, bytes_per_block) = block_size(read_u32(file)?)?;
        let mut elements = 1_u64;
        for _ in 0..dimensions {
            elements = elements.saturating_mul(u64::from(read_u32(file)?));
        }
        skip(file, u64::from(name_bytes), length)?;
        skip(file, (elements / elements_per_block).saturating_mul(bytes_per_block), length)?;
        tensors += 1;
    }
    if tensors == 0 {
        return Err(Error::Invalid("expected weights, found none".to_owned()));
    }
    Ok(ModelHeader { vocabulary, encoder_layers, decoder_layers })
}

/// Returns the elements and bytes of a block for the types in `enum ggml_type` of ggml.h that published Whisper models use.
fn block_size(kind: u32) -> Result<(u64, u64), Error> {
    Ok(match kind {
        0 => (1, 4),
        1 => (1, 2),
        2 => (32, 18),
        3 => (32, 20),
        6 => (32, 22),
        7 => (32, 24),
        8 => (32, 34),
        10 => (256, 84),
        11 => (256, 110),
        12 => (256, 144),
        13 => (256, 176),
        14 => (256, 210),
        _ => return Err(Error::Invalid(format!("expected a known type of weights, found {kind}"))),
    })
}

fn read_u32(file: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Skips `bytes`, all of which must exist.
fn skip<R: Read + Seek>(file: &mut R, bytes: u64, length: u64) -> io::Result<()> {
    if bytes > length.saturating_sub(file.stream_position()?) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    file.seek_relative(i64::try_from(bytes).map_err(io::Error::other)?)
}

fn expect_one_of(found: u32, expected: &[u32], what: &str) -> Result<u32, Error> {
    if expected.contains(&found) {
        return Ok(found);
    }
    let expected = expected.iter().map(u32::to_string).collect::<Vec<_>>().join(" or ");
    Err(Error::Invalid(format!("expected {expected} {what}, found {found}")))
}

fn expect_at_most(found: u32, max: u32, what: &str) -> Result<u32, Error> {
    if found <= max { Ok(found) } else { Err(Error::Invalid(format!("expected at most {max} {what}, found {found}"))) }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// Returns a file with the header of a multilingual base model, one filter, one token and one tensor of 32 `q8_0` weights.
    fn model() -> Vec<u8> {
        let head = [MAGIC, 51_865, 1_500, 512, 8, 6, 448, 512, 8, 6, 80, 7, 1, 1];
        let mut bytes: Vec<u8> = head.into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.extend(1.0_f32.to_le_bytes());
        bytes.extend([1_u32, 2].into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(b"to");
        bytes.extend([1_u32, 4, 8, 32].into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(b"name");
        bytes.extend([0; 34]);
        bytes
    }

    fn validate_bytes(bytes: &[u8]) -> Result<ModelHeader, String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        validate(file.path())
    }

    #[test]
    fn accepts_complete_model() {
        let header = validate_bytes(&model()).unwrap();
        assert!(header.is_multilingual());
        assert!(!header.has_cantonese());
        let alignment = header.alignment();
        assert!(matches!(alignment, DtwMode::ModelPreset { model_preset: DtwModelPreset::Base }), "{alignment:?}");
    }

    #[test]
    fn rejects_truncated_model_at_any_length() {
        let model = model();
        let without_tensor = model.len() - 34 - 4 - 16;
        for length in 0..model.len() {
            let error = validate_bytes(&model[..length]).unwrap_err();
            let expected = if length == without_tensor { "expected weights, found none" } else { "it ends too early" };
            assert_eq!(error, expected, "{length} bytes");
        }
    }

    #[test]
    fn reports_problem_of_model_file() {
        let error_after_change = |at: usize, to: u32| {
            let mut model = model();
            model[4 * at..4 * at + 4].copy_from_slice(&to.to_le_bytes());
            validate_bytes(&model).unwrap_err()
        };
        assert_eq!(error_after_change(0, 0x4655_4747), "expected a ggml file, found another format");
        assert_eq!(
            error_after_change(1, 32_000),
            "expected 51864 or 51865 or 51866 entries of the vocabulary, found 32000"
        );
        assert_eq!(error_after_change(5, 7), "expected 4 or 6 or 12 or 24 or 32 layers of the encoder, found 7");
        assert_eq!(error_after_change(12, u32::MAX), "it ends too early");
        assert_eq!(validate(Path::new("/nowhere/ggml-base.bin")).unwrap_err(), "there is no such file");
    }
}
