//! File format of whisper.cpp's models.
//!
//! Layout: a magic number; eleven hyperparameters; mel filters and vocabulary, which are copied unchanged; then the
//! tensors, each with name and dimensions, innermost first. Derived from `whisper_model_load` of whisper.cpp 1.8.

use std::io::Write;

use anyhow::{Context, Result, bail, ensure};

use super::bytes::Bytes;

/// "ggml", little-endian.
const MAGIC: u32 = 0x6767_6d6c;

/// Numbers per block of [`Kind::Q8_0`].
pub const BLOCK: usize = 32;

/// Hyperparameters in file order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hyperparameters(pub [u32; 11]);

impl Hyperparameters {
    /// Returns them for a model of this `width`, with these numbers of attention `heads` and `layers` in encoder and
    /// decoder each.
    pub fn resized(mut self, width: u32, heads: u32, layers: u32) -> Self {
        [self.0[2], self.0[3], self.0[4]] = [width, heads, layers];
        [self.0[6], self.0[7], self.0[8]] = [width, heads, layers];
        self
    }

    /// Returns them for weights of the kind [`Kind::Q8_0`]: the second version of the format, and the seventh file
    /// type.
    pub fn quantized(mut self) -> Self {
        self.0[10] = 2_007;
        self
    }
}

/// Encoding of a tensor's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Single precision.
    F32,
    /// Half precision.
    F16,
    /// Blocks of [`BLOCK`] signed bytes, each after its scale in half precision.
    Q8_0,
}

impl Kind {
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
            other => bail!("expected a tensor of the kind 0, 1 or 8, found {other}"),
        })
    }

    fn bytes(self, numbers: usize) -> usize {
        match self {
            Self::F32 => 4 * numbers,
            Self::F16 => 2 * numbers,
            Self::Q8_0 => (2 + BLOCK) * (numbers / BLOCK),
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
    pub kind: Kind,
    /// Numbers.
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
    /// Reads a file.
    pub fn read(file: &'a [u8]) -> Result<Self> {
        let mut left = Bytes(file);
        let magic = left.u32()?;
        ensure!(magic == MAGIC, "expected a ggml file, found one that begins with {magic:#010x}");
        let mut hyperparameters = [0; 11];
        for parameter in &mut hyperparameters {
            *parameter = left.u32()?;
        }
        let from = left.0;
        let filters = left.count()?.checked_mul(left.count()?).context("expected fewer mel filters")?;
        left.take(filters.saturating_mul(4))?;
        for _ in 0..left.u32()? {
            let length = left.count()?;
            left.take(length)?;
        }
        let preamble = &from[..from.len() - left.0.len()];
        let mut tensors = Vec::new();
        while !left.0.is_empty() {
            tensors.push(tensor(&mut left)?);
        }
        Ok(Self { hyperparameters: Hyperparameters(hyperparameters), preamble, tensors })
    }
}

fn tensor<'a>(left: &mut Bytes<'a>) -> Result<Tensor<&'a [u8]>> {
    let (rank, name_length, kind) = (left.u32()?, left.count()?, Kind::from_id(left.u32()?)?);
    let dimensions = (0..rank).map(|_| left.u32()).collect::<Result<Vec<_>>>()?;
    let name = left.text(name_length)?.to_owned();
    let numbers = dimensions.iter().map(|dimension| *dimension as usize).product();
    let data = left.take(kind.bytes(numbers)).with_context(|| format!("in the tensor {name}"))?;
    Ok(Tensor { name, dimensions, kind, data })
}

/// Writes everything before the tensors.
pub fn write_head(out: &mut impl Write, hyperparameters: Hyperparameters, preamble: &[u8]) -> Result<()> {
    out.write_all(&MAGIC.to_le_bytes())?;
    for parameter in hyperparameters.0 {
        out.write_all(&parameter.to_le_bytes())?;
    }
    Ok(out.write_all(preamble)?)
}

impl<D: AsRef<[u8]>> Tensor<D> {
    /// Appends the tensor.
    pub fn write(&self, out: &mut impl Write) -> Result<()> {
        let head = [u32::try_from(self.dimensions.len())?, u32::try_from(self.name.len())?, self.kind.id()];
        for number in head.iter().chain(&self.dimensions) {
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
    pub fn file(tensors: &[Tensor<Vec<u8>>]) -> Vec<u8> {
        let mut file = Vec::new();
        let preamble = [1, 0, 0, 0, 2, 0, 0, 0, 9, 9, 9, 9, 8, 8, 8, 8, 1, 0, 0, 0, 3, 0, 0, 0, b'a', b'b', b'c'];
        let hyperparameters = Hyperparameters([3, 1_500, 4, 1, 1, 448, 4, 1, 1, 80, 1]);
        write_head(&mut file, hyperparameters, &preamble).expect("a head");
        for tensor in tensors {
            tensor.write(&mut file).expect("a tensor");
        }
        file
    }

    #[test]
    fn written_model_reads_back() {
        let tensors = [
            Tensor { name: "a.bias".to_owned(), dimensions: vec![2], kind: Kind::F32, data: vec![7; 8] },
            Tensor { name: "a.weight".to_owned(), dimensions: vec![3, 2], kind: Kind::F16, data: vec![5; 12] },
            Tensor { name: "b.weight".to_owned(), dimensions: vec![32, 2], kind: Kind::Q8_0, data: vec![3; 68] },
        ];
        let file = file(&tensors);
        let model = Model::read(&file).expect("a model");
        assert_eq!(model.hyperparameters.0[9], 80);
        assert_eq!(model.preamble.len(), 27);
        let read: Vec<_> =
            model.tensors.iter().map(|tensor| (&*tensor.name, &*tensor.dimensions, tensor.data)).collect();
        let written: Vec<_> =
            tensors.iter().map(|tensor| (&*tensor.name, &*tensor.dimensions, &*tensor.data)).collect();
        assert_eq!(read, written);
    }

    #[test]
    fn rejects_files_that_are_not_models() {
        let error = |file: &[u8]| format!("{:#}", Model::read(file).expect_err("no model"));
        assert_eq!(error(b"RIFF...."), "expected a ggml file, found one that begins with 0x46464952");
        let tensor = Tensor { name: "a".to_owned(), dimensions: vec![2], kind: Kind::F32, data: vec![7; 8] };
        let mut file = file(&[tensor]);
        file.pop();
        assert_eq!(error(&file), "in the tensor a: expected 8 more bytes, found the end of the file after 7");
    }

    #[test]
    fn larger_model_differs_in_width_heads_and_layers() {
        let tiny = Hyperparameters([51_865, 1_500, 384, 6, 4, 448, 384, 6, 4, 80, 1]);
        assert_eq!(tiny.resized(512, 8, 6).quantized().0, [51_865, 1_500, 512, 8, 6, 448, 512, 8, 6, 80, 2_007]);
    }
}
