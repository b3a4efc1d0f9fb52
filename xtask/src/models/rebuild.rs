//! Writes weights from another format as a quantised whisper.cpp model.

use std::io::Write;

use anyhow::{Context, Result};
use half::f16;

use super::array::Array;
use super::ggml::{self, Kind, Model, Tensor};
use super::quantize::quantize;

/// Weights by their whisper.cpp names.
pub trait Weights {
    /// Returns the weights called `name`.
    ///
    /// # Errors
    /// They are missing, or can't be read.
    fn get(&self, name: &str) -> Result<Array<'_>>;
}

/// Parameters that distinguish the sizes of Whisper.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Numbers per embedding.
    pub width: u32,
    /// Number of attention heads.
    pub heads: u32,
    /// Number of layers in encoder and decoder each.
    pub layers: u32,
}

/// Name of a block's weight, such as `encoder.blocks.0.attn.query.bias`.
#[derive(Debug, PartialEq, Eq)]
pub struct Block<'a> {
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
pub fn block_of(name: &str) -> Option<Block<'_>> {
    let (side, rest) = name.split_once(".blocks.")?;
    let (layer, rest) = rest.split_once('.')?;
    let (module, values) = rest.rsplit_once('.')?;
    Some(Block { side, layer, module, values })
}

/// Writes a model of this `shape`. The `donor` is a model of another size for the same languages. Mel filters and
/// vocabulary, and names, order and kinds of the tensors, are the same in all sizes.
pub fn rebuild(donor: &Model<'_>, weights: &dyn Weights, shape: Shape, out: &mut impl Write) -> Result<()> {
    let hyperparameters = donor.hyperparameters.resized(shape.width, shape.heads, shape.layers).quantized();
    ggml::write_head(out, hyperparameters, donor.preamble)?;
    for (name, like) in in_order(donor, shape.layers) {
        let array = weights.get(&name)?;
        tensor(name.clone(), like, &array).with_context(|| format!("in {name}"))?.write(out)?;
    }
    Ok(())
}

/// Writes a quantised model.
pub fn quantize_model(model: &Model<'_>, out: &mut impl Write) -> Result<()> {
    ggml::write_head(out, model.hyperparameters.quantized(), model.preamble)?;
    for Tensor { name, dimensions, kind, data } in &model.tensors {
        let copy = Tensor { name: name.clone(), dimensions: dimensions.clone(), kind: *kind, data: data.to_vec() };
        quantize(copy)?.write(out)?;
    }
    Ok(())
}

/// Returns the tensor names of a model with this number of layers, in file order, each with the donor's corresponding
/// tensor.
fn in_order<'a, 'b>(donor: &'b Model<'a>, layers: u32) -> Vec<(String, &'b Tensor<&'a [u8]>)> {
    // The weights of a layer are adjacent. Those of the first layer are repeated for the requested number of layers.
    let chunks = donor.tensors.chunk_by(|one, next| layer_of(one) == layer_of(next));
    let mut order = Vec::new();
    for chunk in chunks {
        match layer_of(&chunk[0]) {
            None => order.extend(chunk.iter().map(|tensor| (tensor.name.clone(), tensor))),
            Some((_, "0")) => order.extend((0..layers).flat_map(|layer| {
                let renamed = move |name: &str| name.replacen(".blocks.0.", &format!(".blocks.{layer}."), 1);
                chunk.iter().map(move |tensor| (renamed(&tensor.name), tensor))
            })),
            Some(_) => {}
        }
    }
    order
}

/// Returns side and number of the layer that a tensor belongs to, if any.
fn layer_of<'a>(tensor: &'a Tensor<&[u8]>) -> Option<(&'a str, &'a str)> {
    block_of(&tensor.name).map(|block| (block.side, block.layer))
}

fn tensor(name: String, like: &Tensor<&[u8]>, array: &Array<'_>) -> Result<Tensor<Vec<u8>>> {
    let mut dimensions =
        array.shape().iter().rev().map(|size| Ok(u32::try_from(*size)?)).collect::<Result<Vec<_>>>()?;
    // The biases of convolutions are columns.
    if dimensions.len() == 1 && like.dimensions.len() == 2 {
        dimensions.insert(0, 1);
    }
    let values = array.values();
    let data = match like.kind {
        Kind::F32 => values.iter().flat_map(|number| number.to_le_bytes()).collect(),
        _ => values.iter().flat_map(|number| f16::from_f32(*number).to_le_bytes()).collect(),
    };
    let kind = if like.kind == Kind::F32 { Kind::F32 } else { Kind::F16 };
    quantize(Tensor { name, dimensions, kind, data })
}

#[cfg(test)]
mod tests {
    use super::super::array::Encoding;
    use super::super::ggml::tests::file;
    use super::*;

    /// Test weights with the same bytes for every name.
    struct Same(Vec<u8>);

    impl Weights for Same {
        fn get(&self, name: &str) -> Result<Array<'_>> {
            let shape = if name.ends_with("bias") { vec![64] } else { vec![2, 32] };
            Array::new(shape, Encoding::F16, &self.0)
        }
    }

    #[test]
    fn larger_model_repeats_the_donors_layers() {
        let tensor = |name: &str, kind, dimensions: &[u32], bytes| Tensor {
            name: name.to_owned(),
            dimensions: dimensions.to_vec(),
            kind,
            data: vec![0; bytes],
        };
        let donor = file(&[
            tensor("encoder.conv1.bias", Kind::F32, &[1, 1], 4),
            tensor("encoder.blocks.0.mlp.0.weight", Kind::F16, &[1, 1], 2),
            tensor("encoder.blocks.0.mlp.0.bias", Kind::F32, &[1], 4),
            tensor("decoder.blocks.0.mlp.0.weight", Kind::F16, &[1, 1], 2),
            tensor("decoder.blocks.1.mlp.0.weight", Kind::F16, &[1, 1], 2),
            tensor("decoder.ln.bias", Kind::F32, &[1], 4),
        ]);
        let donor = Model::read(&donor).expect("a model");
        let mut out = Vec::new();
        let shape = Shape { width: 32, heads: 2, layers: 3 };
        rebuild(&donor, &Same([0, 0x3c].repeat(64)), shape, &mut out).expect("a model");

        let rebuilt = Model::read(&out).expect("a model");
        let found: Vec<_> =
            rebuilt.tensors.iter().map(|tensor| (&*tensor.name, &*tensor.dimensions, tensor.kind)).collect();
        assert_eq!(
            found,
            [
                ("encoder.conv1.bias", &[1, 64][..], Kind::F32),
                ("encoder.blocks.0.mlp.0.weight", &[32, 2], Kind::Q8_0),
                ("encoder.blocks.0.mlp.0.bias", &[64], Kind::F32),
                ("encoder.blocks.1.mlp.0.weight", &[32, 2], Kind::Q8_0),
                ("encoder.blocks.1.mlp.0.bias", &[64], Kind::F32),
                ("encoder.blocks.2.mlp.0.weight", &[32, 2], Kind::Q8_0),
                ("encoder.blocks.2.mlp.0.bias", &[64], Kind::F32),
                ("decoder.blocks.0.mlp.0.weight", &[32, 2], Kind::Q8_0),
                ("decoder.blocks.1.mlp.0.weight", &[32, 2], Kind::Q8_0),
                ("decoder.blocks.2.mlp.0.weight", &[32, 2], Kind::Q8_0),
                ("decoder.ln.bias", &[64], Kind::F32),
            ]
        );
        assert_eq!(rebuilt.hyperparameters, donor.hyperparameters.resized(32, 2, 3).quantized());
        assert_eq!(rebuilt.preamble, donor.preamble);
    }

    #[test]
    fn splits_names_of_block_weights() {
        let block = block_of("decoder.blocks.11.cross_attn.key.weight");
        assert_eq!(block, Some(Block { side: "decoder", layer: "11", module: "cross_attn.key", values: "weight" }));
        assert_eq!(block_of("decoder.ln.bias"), None);
    }
}
