//! Writes weights from another format as a quantized whisper.cpp model.

use std::io::Write;

use anyhow::{Context, Result};
use half::f16;

use super::array::WeightArray;
use super::ggml::{self, Model, Tensor, TensorType};
use super::quantize::quantize;

/// Weights by their whisper.cpp names.
pub trait Weights {
    /// Returns the weights called `name`.
    ///
    /// # Errors
    /// They are missing, or can't be read.
    fn get(&self, name: &str) -> Result<WeightArray<'_>>;
}

/// Parameters that distinguish the sizes of Whisper.
#[derive(Clone, Copy, Debug)]
pub struct ModelShape {
    /// Numbers per embedding.
    pub width: u32,
    /// Number of attention heads.
    pub heads: u32,
    /// Number of layers in encoder and decoder each.
    pub layers: u32,
}

/// Name of a block's weight, such as `encoder.blocks.0.attn.query.bias`.
#[derive(Debug, PartialEq, Eq)]
pub struct BlockWeight<'a> {
    /// `encoder` or `decoder`.
    pub side: &'a str,
    /// Number of the layer, from 0.
    pub layer: &'a str,
    /// Module, such as `attn.query`.
    pub module: &'a str,
    /// `weight` or `bias`.
    pub values: &'a str,
}

/// Splits the name of a block's weight. Returns `None` for other names.
pub fn parse_block_weight(name: &str) -> Option<BlockWeight<'_>> {
    let (side, remaining) = name.split_once(".blocks.")?;
    let (layer, remaining) = remaining.split_once('.')?;
    let (module, values) = remaining.rsplit_once('.')?;
    Some(BlockWeight { side, layer, module, values })
}

/// Writes a model of this `shape`. The `donor` is a model of another size for the same languages. Mel filters and
/// vocabulary, and names, order and kinds of the tensors, are the same in all sizes.
pub fn write_rebuilt(donor: &Model<'_>, weights: &dyn Weights, shape: ModelShape, out: &mut impl Write) -> Result<()> {
    let hyperparameters = donor.hyperparameters.resized(shape.width, shape.heads, shape.layers).quantized();
    ggml::write_header(out, hyperparameters, donor.preamble)?;
    for (name, donor_tensor) in tensors_in_order(donor, shape.layers) {
        let array = weights.get(&name)?;
        convert_tensor(name.clone(), donor_tensor, &array).with_context(|| format!("in {name}"))?.write(out)?;
    }
    Ok(())
}

pub fn write_quantized(model: &Model<'_>, out: &mut impl Write) -> Result<()> {
    ggml::write_header(out, model.hyperparameters.quantized(), model.preamble)?;
    for Tensor { name, dimensions, tensor_type: kind, data } in &model.tensors {
        let copy =
            Tensor { name: name.clone(), dimensions: dimensions.clone(), tensor_type: *kind, data: data.to_vec() };
        quantize(copy)?.write(out)?;
    }
    Ok(())
}

/// Returns the tensor names of a model with this number of layers, in file order, each with the donor's corresponding
/// tensor.
fn tensors_in_order<'a, 'b>(donor: &'b Model<'a>, layers: u32) -> Vec<(String, &'b Tensor<&'a [u8]>)> {
    // The weights of a layer are adjacent. Those of the first layer are repeated for the requested number of layers.
    let chunks = donor.tensors.chunk_by(|previous, next| layer_of(previous) == layer_of(next));
    let mut order = Vec::new();
    for chunk in chunks {
        match layer_of(&chunk[0]) {
            None => order.extend(chunk.iter().map(|tensor| (tensor.name.clone(), tensor))),
            Some((_, "0")) => order.extend((0..layers).flat_map(|layer| {
                let rename = move |name: &str| name.replacen(".blocks.0.", &format!(".blocks.{layer}."), 1);
                chunk.iter().map(move |tensor| (rename(&tensor.name), tensor))
            })),
            Some(_) => {}
        }
    }
    order
}

/// Returns side and number of the layer that a tensor belongs to, if any.
fn layer_of<'a>(tensor: &'a Tensor<&[u8]>) -> Option<(&'a str, &'a str)> {
    parse_block_weight(&tensor.name).map(|block| (block.side, block.layer))
}

fn convert_tensor(name: String, donor_tensor: &Tensor<&[u8]>, array: &WeightArray<'_>) -> Result<Tensor<Vec<u8>>> {
    let mut dimensions =
        array.shape().iter().rev().map(|size| Ok(u32::try_from(*size)?)).collect::<Result<Vec<_>>>()?;
    // The biases of convolutions are columns.
    if dimensions.len() == 1 && donor_tensor.dimensions.len() == 2 {
        dimensions.insert(0, 1);
    }
    let values = array.values();
    let data = match donor_tensor.tensor_type {
        TensorType::F32 => values.iter().flat_map(|number| number.to_le_bytes()).collect(),
        _ => values.iter().flat_map(|number| f16::from_f32(*number).to_le_bytes()).collect(),
    };
    let encoding = if donor_tensor.tensor_type == TensorType::F32 { TensorType::F32 } else { TensorType::F16 };
    quantize(Tensor { name, dimensions, tensor_type: encoding, data })
}

#[cfg(test)]
mod tests {
    use super::super::array::Encoding;
    use super::super::ggml::tests::model_file;
    use super::*;

    /// Test weights with the same bytes for every name.
    struct ConstantWeights(Vec<u8>);

    impl Weights for ConstantWeights {
        fn get(&self, name: &str) -> Result<WeightArray<'_>> {
            let shape = if name.ends_with("bias") { vec![64] } else { vec![2, 32] };
            WeightArray::new(shape, Encoding::F16, &self.0)
        }
    }

    #[test]
    fn larger_model_repeats_the_donors_layers() {
        let new_tensor = |name: &str, kind, dimensions: &[u32], bytes| Tensor {
            name: name.to_owned(),
            dimensions: dimensions.to_vec(),
            tensor_type: kind,
            data: vec![0; bytes],
        };
        let donor = model_file(&[
            new_tensor("encoder.conv1.bias", TensorType::F32, &[1, 1], 4),
            new_tensor("encoder.blocks.0.mlp.0.weight", TensorType::F16, &[1, 1], 2),
            new_tensor("encoder.blocks.0.mlp.0.bias", TensorType::F32, &[1], 4),
            new_tensor("decoder.blocks.0.mlp.0.weight", TensorType::F16, &[1, 1], 2),
            new_tensor("decoder.blocks.1.mlp.0.weight", TensorType::F16, &[1, 1], 2),
            new_tensor("decoder.ln.bias", TensorType::F32, &[1], 4),
        ]);
        let donor = Model::read(&donor).expect("a model");
        let mut out = Vec::new();
        let shape = ModelShape { width: 32, heads: 2, layers: 3 };
        write_rebuilt(&donor, &ConstantWeights([0, 0x3c].repeat(64)), shape, &mut out).expect("a model");

        let rebuilt = Model::read(&out).expect("a model");
        let tensors: Vec<_> =
            rebuilt.tensors.iter().map(|tensor| (&*tensor.name, &*tensor.dimensions, tensor.tensor_type)).collect();
        assert_eq!(
            tensors,
            [
                ("encoder.conv1.bias", &[1, 64][..], TensorType::F32),
                ("encoder.blocks.0.mlp.0.weight", &[32, 2], TensorType::Q8_0),
                ("encoder.blocks.0.mlp.0.bias", &[64], TensorType::F32),
                ("encoder.blocks.1.mlp.0.weight", &[32, 2], TensorType::Q8_0),
                ("encoder.blocks.1.mlp.0.bias", &[64], TensorType::F32),
                ("encoder.blocks.2.mlp.0.weight", &[32, 2], TensorType::Q8_0),
                ("encoder.blocks.2.mlp.0.bias", &[64], TensorType::F32),
                ("decoder.blocks.0.mlp.0.weight", &[32, 2], TensorType::Q8_0),
                ("decoder.blocks.1.mlp.0.weight", &[32, 2], TensorType::Q8_0),
                ("decoder.blocks.2.mlp.0.weight", &[32, 2], TensorType::Q8_0),
                ("decoder.ln.bias", &[64], TensorType::F32),
            ]
        );
        assert_eq!(rebuilt.hyperparameters, donor.hyperparameters.resized(32, 2, 3).quantized());
        assert_eq!(rebuilt.preamble, donor.preamble);
    }

    #[test]
    fn splits_names_of_block_weights() {
        let block = parse_block_weight("decoder.blocks.11.cross_attn.key.weight");
        assert_eq!(
            block,
            Some(BlockWeight { side: "decoder", layer: "11", module: "cross_attn.key", values: "weight" })
        );
        assert_eq!(parse_block_weight("decoder.ln.bias"), None);
    }
}
