//! File format of whisper.cpp's models.
//!
//! Layout: a magic number; eleven hyperparameters; mel filters and vocabulary, which are copied unchanged; then the
//! tensors, each with name and dimensions, innermost first. Derived from `whisper_model_load` of whisper.cpp 1.8.

use std::io::Write;

use anyhow::{Context, Result, bail, ensure};

use super::bytes::ByteReader;

/// "ggml", little-endian.
const MAGIC: u32 = 0x6767_6d6c;

/// Numbers per block of [`TensorType::Q8_0`].
pub const BLOCK_LENGTH: usize = 32;

/// Hyperparameters in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hyperparameters(pub [u32; 11]);

impl Hyperparameters {
    /// Returns the hyperparameters of a model with this `width`, and with this number of attention `heads` and `layers`
    /// in the encoder and in the decoder.
    pub fn resized(mut self, width: u32, heads: u32, layers: u32) -> Self {
        [self.0[2], self.0[3], self.0[4]] = [width, heads, layers];
        [self.0[6], self.0[7], self.0[8]] = [width, heads, layers];
        self
    }

    /// Returns them for weights of the kind [`TensorType::Q8_0`]: the second version of the format, and the seventh
    /// file type.
    pub fn quantized(mut self) -> Self {
        self.0[10] = 2_007;
        self
    }
}

/// Encoding of a tensor's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorType {
    /// Single precision.
    F32,
    /// Half precision.
    F16,
    /// Blocks of [`BLOCK_LENGTH`] signed bytes, each after its scale in half precision.
    Q8_0,
}

impl TensorType {
    fn id(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::F16 => 1,
            Self::Q8_0 => 8,
        }
    }

    fn from_id(id: u32) -> Result<Self> {
        Ok(match id {
            0 => Self::F32,
            1 => Self::F16,
            8 => Self::Q8_0,
            other => bail!("expected a tensor of the type 0, 1 or 8, found {other}"),
        })
    }

    fn byte_count(self, numbers: usize) -> usize {
        match self {
            Self::F32 => 4 * numbers,
            Self::F16 => 2 * numbers,
            Self::Q8_0 => (2 + BLOCK_LENGTH) * (numbers / BLOCK_LENGTH),
        }
    }
}

/// Tensor with data of type `D`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor<D> {
    /// Name, such as `encoder.blocks.0.attn.query.weight`.
    pub name: String,
    /// Dimensions, innermost first.
    pub dimensions: Vec<u32>,
    /// Encoding of the numbers.
    pub tensor_type: TensorType,
    pub data: D,
}

/// Model file in memory.
#[derive(Debug)]
pub struct Model<'a> {
    /// Shape of the model.
    pub hyperparameters: Hyperparameters,
    /// Mel filters and vocabulary.
    pub preamble: &'a [u8],
    /// Weights in file order.
    pub tensors: Vec<Tensor<&'a [u8]>>,
}

impl<'a> Model<'a> {
    pub fn read(file: &'a [u8]) -> Result<Self> {
        let mut reader = ByteReader(file);
        let magic = reader.u32()?;
        ensure!(magic == MAGIC, "expected a ggml file, found one that begins with {magic:#010x}");
        let mut hyperparameters = [0; 11];
        for parameter in &mut hyperparameters {
            *parameter = reader.u32()?;
        }
        let preamble_start = reader.0;
        let filter_values = reader.count()?.checked_mul(reader.count()?).context("there are too many mel filters")?;
        reader.take(filter_values.saturating_mul(4))?;
        for _ in 0..reader.u32()? {
            let length = reader.count()?;
            reader.take(length)?;
        }
        let preamble = &preamble_start[..preamble_start.len() - reader.0.len()];
        let mut tensors = Vec::new();
        while !reader.0.is_empty() {
            tensors.push(read_tensor(&mut reader)?);
        }
        Ok(Self { hyperparameters: Hyperparameters(hyperparameters), preamble, tensors })
    }
}

fn read_tensor<'a>(reader: &mut ByteReader<'a>) -> Result<Tensor<&'a [u8]>> {
    let (rank, name_length, tensor_type) = (reader.u32()?, reader.count()?, TensorType::from_id(reader.u32()?)?);
    let dimensions = (0..rank).map(|_| reader.u32()).collect::<Result<Vec<_>>>()?;
    let name = reader.text(name_length)?.to_owned();
    let numbers = dimensions.iter().map(|dimension| *dimension as usize).product();
    let data = reader.take(tensor_type.byte_count(numbers)).with_context(|| format!("in the tensor {name}"))?;
    Ok(Tensor { name, dimensions, tensor_type, data })
}

/// Writes everything before the tensors.
pub fn write_header(out: &mut impl Write, hyperparameters: Hyperparameters, preamble: &[u8]) -> Result<()> {
    out.write_all(&MAGIC.to_le_bytes())?;
    for parameter in hyperparameters.0 {
        out.write_all(&parameter.to_le_bytes())?;
    }
    Ok(out.write_all(preamble)?)
}

impl<D: AsRef<[u8]>> Tensor<D> {
    /// Appends the tensor.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        let header = [u32::try_from(self.dimensions.len())?, u32::try_from(self.name.len())?, self.tensor_type.id()];
        for number in header.iter().chain(&self.dimensions) {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(self.name.as_bytes())?;
        Ok(out.write_all(self.data.as_ref())?)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns a file with one mel filter of two values, a vocabulary of one token, and `tensors`.
    pub fn model_file(tensors: &[Tensor<Vec<u8>>]) -> Vec<u8> {
        let mut file = Vec::new();
        let preamble = [1, 0, 0, 0, 2, 0, 0, 0, 9, 9, 9, 9, 8, 8, 8, 8, 1, 0, 0, 0, 3, 0, 0, 0, b'a', b'b', b'c'];
        let hyperparameters = Hyperparameters([3, 1_500, 4, 1, 1, 448, 4, 1, 1, 80, 1]);
        write_header(&mut file, hyperparameters, &preamble).expect("a head");
        for tensor in tensors {
            tensor.write(&mut file).expect("a tensor");
        }
        file
    }

    #[test]
    fn written_model_reads_back() {
        let tensors = [
            Tensor { name: "a.bias".to_owned(), dimensions: vec![2], tensor_type: TensorType::F32, data: vec![7; 8] },
            Tensor {
                name: "a.weight".to_owned(),
                dimensions: vec![3, 2],
                tensor_type: TensorType::F16,
                data: vec![5; 12],
            },
            Tensor {
                name: "b.weight".to_owned(),
                dimensions: vec![32, 2],
                tensor_type: TensorType::Q8_0,
                data: vec![3; 68],
            },
        ];
        let file = model_file(&tensors);
        let model = Model::read(&file).expect("a model");
        assert_eq!(model.hyperparameters.0[9], 80);
        assert_eq!(model.preamble.len(), 27);
        let read_tensors: Vec<_> =
            model.tensors.iter().map(|tensor| (&*tensor.name, &*tensor.dimensions, tensor.data)).collect();
        let written_tensors: Vec<_> =
            tensors.iter().map(|tensor| (&*tensor.name, &*tensor.dimensions, &*tensor.data)).collect();
        assert_eq!(read_tensors, written_tensors);
    }

    #[test]
    fn rejects_files_that_are_not_models() {
        let error_of = |file: &[u8]| format!("{:#}", Model::read(file).expect_err("no model"));
        assert_eq!(error_of(b"RIFF...."), "expected a ggml file, found one that begins with 0x46464952");
        let tensor =
            Tensor { name: "a".to_owned(), dimensions: vec![2], tensor_type: TensorType::F32, data: vec![7; 8] };
        let mut file = model_file(&[tensor]);
        file.pop();
        assert_eq!(error_of(&file), "in the tensor a: expected 8 more bytes, found the end of the file after 7");
    }

    #[test]
    fn larger_model_differs_in_width_heads_and_layers() {
        let tiny = Hyperparameters([51_865, 1_500, 384, 6, 4, 448, 384, 6, 4, 80, 1]);
        assert_eq!(tiny.resized(512, 8, 6).quantized().0, [51_865, 1_500, 512, 8, 6, 448, 512, 8, 6, 80, 2_007]);
    }
}
