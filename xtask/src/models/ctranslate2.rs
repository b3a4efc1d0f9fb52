//! Reader of the weights of a CTranslate2 model, as used by faster-whisper.
//!
//! Format: a version, name and revision of the model's kind, and the variables, each with name, dimensions and numbers.
//! Derived from `serialization` of CTranslate2 4.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};

use super::array::{Encoding, WeightArray};
use super::bytes::ByteReader;
use super::rebuild::{Weights, parse_block_weight};

/// Supported version of the format.
const VERSION: u32 = 6;

/// Type number of half precision.
const FLOAT16: u8 = 4;

/// Variables in half precision, by name.
#[derive(Debug)]
pub struct Variables<'a>(HashMap<&'a str, WeightArray<'a>>);

/// Modules of a block: the name in whisper.cpp, the name in CTranslate2, and the index and number of equal parts there.
/// CTranslate2 joins projections of the same input in one matrix.
const MODULES: &[(&str, &str, usize, usize)] = &[
    ("attn_ln", "self_attention/layer_norm", 0, 1),
    ("attn.query", "self_attention/linear_0", 0, 3),
    ("attn.key", "self_attention/linear_0", 1, 3),
    ("attn.value", "self_attention/linear_0", 2, 3),
    ("attn.out", "self_attention/linear_1", 0, 1),
    ("cross_attn_ln", "attention/layer_norm", 0, 1),
    ("cross_attn.query", "attention/linear_0", 0, 1),
    ("cross_attn.key", "attention/linear_1", 0, 2),
    ("cross_attn.value", "attention/linear_1", 1, 2),
    ("cross_attn.out", "attention/linear_2", 0, 1),
    ("mlp_ln", "ffn/layer_norm", 0, 1),
    ("mlp.0", "ffn/linear_0", 0, 1),
    ("mlp.2", "ffn/linear_1", 0, 1),
];

impl<'a> Variables<'a> {
    pub fn read(file: &'a [u8]) -> Result<Self> {
        let mut reader = ByteReader(file);
        let version = reader.u32()?;
        ensure!(version == VERSION, "expected a CTranslate2 model of version {VERSION}, found {version}");
        read_string(&mut reader)?;
        reader.u32()?;
        let mut variables = HashMap::new();
        for _ in 0..reader.u32()? {
            let name = read_string(&mut reader)?;
            let shape = (0..reader.u8()?).map(|_| reader.count()).collect::<Result<Vec<_>>>()?;
            let data_type = reader.u8()?;
            let length = reader.count()?;
            let bytes = reader.take(length)?;
            // The others are settings.
            if data_type == FLOAT16 {
                let array = WeightArray::new(shape, Encoding::F16, bytes).with_context(|| format!("in {name}"))?;
                variables.insert(name, array);
            }
        }
        Ok(Self(variables))
    }
}

impl Weights for Variables<'_> {
    fn get(&self, name: &str) -> Result<WeightArray<'_>> {
        let (path, index, count) =
            variable_path(name).with_context(|| format!("CTranslate2 has no equivalent of {name}"))?;
        self.0
            .get(path.as_str())
            .with_context(|| format!("expected a variable {path}, found none"))?
            .split_part(index, count)
    }
}

/// Returns the variable that contains whisper.cpp's tensor `name`, with index and number of parts.
fn variable_path(name: &str) -> Option<(String, usize, usize)> {
    if let Some(block) = parse_block_weight(name) {
        let (_, module, index, count) = MODULES.iter().find(|(ggml_name, ..)| *ggml_name == block.module)?;
        let values = values_name(block.module.ends_with("_ln"), block.values)?;
        return Some((format!("{}/layer_{}/{module}/{values}", block.side, block.layer), *index, *count));
    }
    let (side, remaining) = name.split_once('.')?;
    let path = match remaining {
        "positional_embedding" => "position_encodings/encodings".to_owned(),
        "token_embedding.weight" => "embeddings/weight".to_owned(),
        _ => {
            let (module, values) = remaining.split_once('.')?;
            match module {
                "ln" | "ln_post" => format!("layer_norm/{}", values_name(true, values)?),
                _ => format!("{module}/{}", values_name(false, values)?),
            }
        }
    };
    Some((format!("{side}/{path}"), 0, 1))
}

fn values_name(is_norm: bool, values: &str) -> Option<&'static str> {
    Some(match (is_norm, values) {
        (true, "weight") => "gamma",
        (true, "bias") => "beta",
        (false, "weight") => "weight",
        (false, "bias") => "bias",
        _ => return None,
    })
}

/// Reads a string that ends with a zero byte.
fn read_string<'a>(reader: &mut ByteReader<'a>) -> Result<&'a str> {
    let length = usize::from(reader.u16()?);
    Ok(reader.text(length)?.trim_end_matches('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model_file(name: &str, shape: &[u32], kind: u8, bytes: &[u8]) -> Vec<u8> {
        let text = |text: &str| [&(text.len() as u16 + 1).to_le_bytes()[..], text.as_bytes(), b"\0"].concat();
        let mut file = [&VERSION.to_le_bytes()[..], &text("WhisperSpec"), &3_u32.to_le_bytes()].concat();
        file.extend(1_u32.to_le_bytes());
        file.extend(text(name));
        file.push(shape.len() as u8);
        file.extend(shape.iter().flat_map(|dimension| dimension.to_le_bytes()));
        file.push(kind);
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend(bytes);
        file
    }

    #[test]
    fn projection_is_part_of_its_inputs_matrix() {
        let numbers = [0, 0x3c, 0, 0x40, 0, 0x42];
        let file = model_file("decoder/layer_0/self_attention/linear_0/bias", &[3], FLOAT16, &numbers);
        let variables = Variables::read(&file).expect("a model");
        let values_of_tensor = |name| variables.get(name).map(|array| array.values());
        assert_eq!(values_of_tensor("decoder.blocks.0.attn.query.bias").expect("a part"), [1.0]);
        assert_eq!(values_of_tensor("decoder.blocks.0.attn.value.bias").expect("a part"), [3.0]);
        assert_eq!(
            values_of_tensor("decoder.blocks.1.attn.query.bias").expect_err("another layer").to_string(),
            "expected a variable decoder/layer_1/self_attention/linear_0/bias, found none"
        );
    }

    #[test]
    fn maps_every_kind_of_name() {
        let path_of = |name| variable_path(name).map(|(path, ..)| path);
        assert_eq!(path_of("encoder.conv2.bias").as_deref(), Some("encoder/conv2/bias"));
        assert_eq!(path_of("encoder.ln_post.weight").as_deref(), Some("encoder/layer_norm/gamma"));
        assert_eq!(path_of("decoder.ln.bias").as_deref(), Some("decoder/layer_norm/beta"));
        assert_eq!(path_of("decoder.positional_embedding").as_deref(), Some("decoder/position_encodings/encodings"));
        assert_eq!(path_of("decoder.token_embedding.weight").as_deref(), Some("decoder/embeddings/weight"));
        assert_eq!(path_of("encoder.blocks.11.mlp_ln.bias").as_deref(), Some("encoder/layer_11/ffn/layer_norm/beta"));
        assert_eq!(path_of("encoder.blocks.0.mlp.1.bias"), None);
    }

    #[test]
    fn rejects_files_that_are_not_models() {
        let error_of = |file: &[u8]| format!("{:#}", Variables::read(file).expect_err("no model"));
        assert_eq!(error_of(&5_u32.to_le_bytes()), "expected a CTranslate2 model of version 6, found 5");
        assert_eq!(
            error_of(&model_file("a", &[2], FLOAT16, &[0; 3])),
            "in a: expected 4 bytes for an array of [2], found 3"
        );
    }
}
