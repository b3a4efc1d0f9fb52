//! Reader of the weights of an ONNX model quantized to eight bits, as in the packages of Transformers.js.
//!
//! ONNX uses protobuf; only the fields that lead to weights are declared here.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use prost::Message;

use super::array::{Encoding, WeightArray};
use super::rebuild::{Weights, parse_block_weight};

// Values of `TensorProto.DataType`.
const FLOAT: i32 = 1;
const UINT8: i32 = 2;
const INT8: i32 = 3;

/// Modules of a block: the names in whisper.cpp and in Transformers.
const MODULES: &[(&str, &str)] = &[
    ("attn_ln", "self_attn_layer_norm"),
    ("attn.query", "self_attn.q_proj"),
    ("attn.key", "self_attn.k_proj"),
    ("attn.value", "self_attn.v_proj"),
    ("attn.out", "self_attn.out_proj"),
    ("cross_attn_ln", "encoder_attn_layer_norm"),
    ("cross_attn.query", "encoder_attn.q_proj"),
    ("cross_attn.key", "encoder_attn.k_proj"),
    ("cross_attn.value", "encoder_attn.v_proj"),
    ("cross_attn.out", "encoder_attn.out_proj"),
    ("mlp_ln", "final_layer_norm"),
    ("mlp.0", "fc1"),
    ("mlp.2", "fc2"),
];

#[derive(Clone, PartialEq, Message)]
struct ModelProto {
    #[prost(message, optional, tag = "7")]
    graph: Option<Graph>,
}

/// Graph: an encoder, a decoder, or a branch of one.
#[derive(Clone, PartialEq, Message)]
struct Graph {
    #[prost(message, repeated, tag = "1")]
    node: Vec<Node>,
    #[prost(message, repeated, tag = "5")]
    initializer: Vec<Tensor>,
}

#[derive(Clone, PartialEq, Message)]
struct Node {
    #[prost(string, repeated, tag = "1")]
    input: Vec<String>,
    #[prost(string, tag = "3")]
    name: String,
    #[prost(string, tag = "4")]
    op_type: String,
    #[prost(message, repeated, tag = "5")]
    attribute: Vec<Attribute>,
}

#[derive(Clone, PartialEq, Message)]
struct Attribute {
    #[prost(message, optional, tag = "6")]
    g: Option<Graph>,
}

#[derive(Clone, PartialEq, Message)]
struct Tensor {
    #[prost(int64, repeated, tag = "1")]
    dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    data_type: i32,
    #[prost(float, repeated, tag = "4")]
    float_data: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    int32_data: Vec<i32>,
    #[prost(string, tag = "8")]
    name: String,
    #[prost(bytes = "bytes", tag = "9")]
    raw_data: Bytes,
}

/// Encoder and decoder.
#[derive(Debug)]
pub struct Graphs {
    encoder: Tensors,
    decoder: Tensors,
}

/// Weights of the encoder or of the decoder.
#[derive(Debug)]
struct Tensors {
    /// Tensors by their name in the file.
    tensors: HashMap<String, Tensor>,
    /// Name in the file by the name in Transformers, such as `layers.0.fc1.weight`.
    names: HashMap<String, String>,
}

impl Graphs {
    /// Reads the two files.
    pub fn read(encoder: Vec<u8>, decoder: Vec<u8>) -> Result<Self> {
        let encoder = Tensors::read(encoder.into()).context("in the encoder")?;
        let decoder = Tensors::read(decoder.into()).context("in the decoder")?;
        Ok(Self { encoder, decoder })
    }
}

impl Weights for Graphs {
    fn get(&self, name: &str) -> Result<WeightArray<'_>> {
        let (side, key) = transformers_name(name).with_context(|| format!("ONNX has no equivalent of {name}"))?;
        let tensors = if side == "encoder" { &self.encoder } else { &self.decoder };
        tensors.array(&key).with_context(|| format!("in the {side}"))
    }
}

impl Tensors {
    fn read(file: Bytes) -> Result<Self> {
        let graph = ModelProto::decode(file)?.graph.context("expected a graph, found none")?;
        let mut tensors = Self { tensors: HashMap::new(), names: HashMap::new() };
        tensors.add_graph(graph);
        Ok(tensors)
    }

    /// Adds a graph and then its branches. Weights in both branches are equal.
    fn add_graph(&mut self, graph: Graph) {
        for tensor in graph.initializer {
            let short_name = tensor.name.replace("_merged_0", "");
            let short_name = short_name.trim_start_matches("model.encoder.").trim_start_matches("model.decoder.");
            let key = short_name.trim_end_matches("_quantized").to_owned();
            self.names.entry(key).or_insert_with(|| tensor.name.clone());
            self.tensors.entry(tensor.name.clone()).or_insert(tensor);
        }
        for node in graph.node {
            if let ("MatMulInteger" | "ConvInteger", [_, weight, ..]) = (node.op_type.as_str(), node.input.as_slice())
                && let Some(key) = node_weight_name(&node.name)
            {
                self.names.insert(key, weight.clone());
            }
            for branch in node.attribute.into_iter().filter_map(|attribute| attribute.g) {
                self.add_graph(branch);
            }
        }
    }

    fn array(&self, key: &str) -> Result<WeightArray<'_>> {
        let name = self.names.get(key).with_context(|| format!("expected the weights {key}, found none"))?;
        let tensor = self.tensor(name)?;
        let shape = tensor.dims.iter().map(|dimension| Ok(usize::try_from(*dimension)?)).collect::<Result<Vec<_>>>()?;
        let encoding = match tensor.data_type {
            FLOAT => Encoding::F32,
            UINT8 | INT8 => {
                let base = name.trim_end_matches("_quantized");
                Encoding::Linear {
                    signed: tensor.data_type == INT8,
                    zero: self.tensor(&format!("{base}_zero_point"))?.single_integer()?,
                    scale: self.tensor(&format!("{base}_scale"))?.single_float()?,
                }
            }
            other => anyhow::bail!("{name}: expected a tensor of the type 1, 2 or 3, found {other}"),
        };
        let array = WeightArray::new(shape, encoding, &tensor.raw_data).with_context(|| format!("in {name}"))?;
        // Projections multiply from the right, so their matrix has a row for each input.
        let is_projection = key.starts_with("layers.") && matches!(encoding, Encoding::Linear { .. });
        if is_projection { array.transposed() } else { Ok(array) }
    }

    fn tensor(&self, name: &str) -> Result<&Tensor> {
        self.tensors.get(name).with_context(|| format!("expected a tensor {name}, found none"))
    }
}

impl Tensor {
    /// Returns the only number of an integer tensor.
    fn single_integer(&self) -> Result<i32> {
        match (self.int32_data.as_slice(), self.raw_data.as_ref()) {
            ([number], []) => Ok(*number),
            ([], [byte]) if self.data_type == INT8 => Ok(i32::from(*byte as i8)),
            ([], [byte]) => Ok(i32::from(*byte)),
            _ => anyhow::bail!("{}: expected one number, found {:?}", self.name, self.dims),
        }
    }

    /// Returns the only number of a float tensor.
    fn single_float(&self) -> Result<f32> {
        ensure!(self.data_type == FLOAT, "{}: expected a tensor of the type 1, found {}", self.name, self.data_type);
        match (self.float_data.as_slice(), self.raw_data.as_ref()) {
            ([number], []) => Ok(*number),
            ([], &[a, b, c, d]) => Ok(f32::from_le_bytes([a, b, c, d])),
            _ => anyhow::bail!("{}: expected one number, found {:?}", self.name, self.dims),
        }
    }
}

/// Returns `layers.0.fc1.weight` for the node `/model/decoder/layers.0/fc1/MatMul_quant`.
fn node_weight_name(name: &str) -> Option<String> {
    let module = name.strip_suffix("/MatMul_quant").or_else(|| name.strip_suffix("/Conv_quant"))?;
    let start = module.find("layers.").or_else(|| module.find("conv"))?;
    Some(format!("{}.weight", module[start..].replace('/', ".")))
}

/// Returns side and Transformers name of whisper.cpp's tensor `name`.
fn transformers_name(name: &str) -> Option<(&str, String)> {
    if let Some(block) = parse_block_weight(name) {
        let (_, module) = MODULES.iter().find(|(ggml_name, _)| *ggml_name == block.module)?;
        return Some((block.side, format!("layers.{}.{module}.{}", block.layer, block.values)));
    }
    let (side, remaining) = name.split_once('.')?;
    let key = match remaining {
        "positional_embedding" => "embed_positions.weight".to_owned(),
        "token_embedding.weight" => "embed_tokens.weight".to_owned(),
        _ => {
            let (module, values) = remaining.split_once('.')?;
            format!("{}.{values}", if matches!(module, "ln" | "ln_post") { "layer_norm" } else { module })
        }
    };
    Some((side, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(name: &str, dims: &[i64], data_type: i32, raw: &'static [u8]) -> Tensor {
        Tensor { name: name.to_owned(), dims: dims.to_vec(), data_type, raw_data: raw.into(), ..Tensor::default() }
    }

    /// Returns a decoder as in the packages: weights in the graph, and the nodes that use them in a branch.
    fn decoder() -> Vec<u8> {
        let scale = Tensor { float_data: vec![0.5], ..tensor("onnx::MatMul_7_scale", &[], FLOAT, b"") };
        let zero_point = Tensor { int32_data: vec![1], ..tensor("onnx::MatMul_7_zero_point", &[], UINT8, b"") };
        let node = Node {
            input: ["x", "onnx::MatMul_7_quantized"].map(str::to_owned).into(),
            name: "/model/decoder/layers.2/fc1/MatMul_quant".to_owned(),
            op_type: "MatMulInteger".to_owned(),
            attribute: Vec::new(),
        };
        let branch = Graph { node: vec![node], initializer: Vec::new() };
        let branching_node = Node { attribute: vec![Attribute { g: Some(branch) }], ..Node::default() };
        let initializer = vec![
            tensor("onnx::MatMul_7_quantized", &[2, 3], UINT8, &[1, 2, 3, 4, 5, 6]),
            scale,
            zero_point,
            tensor("model.decoder.layers.2.fc1.bias_merged_0", &[1], FLOAT, &[0, 0, 0x80, 0x3f]),
        ];
        ModelProto { graph: Some(Graph { node: vec![branching_node], initializer }) }.encode_to_vec()
    }

    #[test]
    fn finds_quantized_matrix_by_its_node() {
        let graphs = Graphs::read(decoder(), decoder()).expect("two graphs");
        let weight = graphs.get("decoder.blocks.2.mlp.0.weight").expect("a matrix");
        assert_eq!((weight.shape(), weight.values()), (vec![3, 2], vec![0.0, 1.5, 0.5, 2.0, 1.0, 2.5]));
        assert_eq!(graphs.get("decoder.blocks.2.mlp.0.bias").expect("a bias").values(), [1.0]);
        assert_eq!(
            format!("{:#}", graphs.get("encoder.blocks.2.mlp.2.bias").expect_err("not there")),
            "in the encoder: expected the weights layers.2.fc2.bias, found none"
        );
    }

    #[test]
    fn maps_every_kind_of_name_to_a_key() {
        let key_for = |name| transformers_name(name).map(|(_, key)| key);
        assert_eq!(key_for("encoder.conv1.weight").as_deref(), Some("conv1.weight"));
        assert_eq!(key_for("encoder.ln_post.bias").as_deref(), Some("layer_norm.bias"));
        assert_eq!(key_for("decoder.positional_embedding").as_deref(), Some("embed_positions.weight"));
        assert_eq!(
            key_for("decoder.blocks.3.cross_attn.out.bias").as_deref(),
            Some("layers.3.encoder_attn.out_proj.bias")
        );
        assert_eq!(node_weight_name("/conv1/Conv_quant").as_deref(), Some("conv1.weight"));
    }

    #[test]
    fn rejects_files_that_are_not_models() {
        let error = Graphs::read(Vec::new(), Vec::new()).expect_err("no model");
        assert_eq!(format!("{error:#}"), "in the encoder: expected a graph, found none");
    }
}
