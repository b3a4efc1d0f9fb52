//! Array of weights in another format, decoded on use: all weights of a model as numbers would take gigabytes.

use anyhow::{Result, ensure};
use half::f16;

/// Array in row-major order, outermost dimension first.
#[derive(Clone, Debug)]
pub struct WeightArray<'a> {
    shape: Vec<usize>,
    encoding: Encoding,
    bytes: &'a [u8],
    transposed: bool,
}

/// Encoding of numbers, all little-endian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encoding {
    /// IEEE 754 single precision.
    F32,
    /// IEEE 754 half precision.
    F16,
    /// One byte each, meaning `(byte - zero) * scale`.
    Linear {
        /// True if the bytes are signed.
        signed: bool,
        /// Byte that means 0.
        zero: i32,
        /// Step from one byte to the next.
        scale: f32,
    },
}

impl Encoding {
    fn bytes_per_number(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 => 2,
            Self::Linear { .. } => 1,
        }
    }
}

impl<'a> WeightArray<'a> {
    /// Creates an array of `shape`, if `bytes` has the right length.
    pub fn new(shape: Vec<usize>, encoding: Encoding, bytes: &'a [u8]) -> Result<Self> {
        let expected = shape.iter().product::<usize>() * encoding.bytes_per_number();
        ensure!(bytes.len() == expected, "expected {expected} bytes for an array of {shape:?}, found {}", bytes.len());
        Ok(Self { shape, encoding, bytes, transposed: false })
    }

    /// Returns the dimensions, outermost first.
    pub fn shape(&self) -> Vec<usize> {
        let mut shape = self.shape.clone();
        if self.transposed {
            shape.reverse();
        }
        shape
    }

    /// Returns the `index`th of `count` equal parts along the outermost dimension.
    pub fn split_part(&self, index: usize, count: usize) -> Result<Self> {
        ensure!(!self.transposed, "expected an array as it was read, found a transposed one");
        ensure!(
            index < count && self.shape.first().is_some_and(|rows| rows % count == 0),
            "expected rows in {count} equal parts, found {:?}",
            self.shape
        );
        let mut shape = self.shape.clone();
        shape[0] /= count;
        let length = self.bytes.len() / count;
        Ok(Self { shape, bytes: &self.bytes[index * length..][..length], ..*self })
    }

    /// Returns the transposed matrix.
    pub fn transposed(&self) -> Result<Self> {
        ensure!(self.shape.len() == 2, "expected a matrix, found an array of {:?}", self.shape);
        Ok(Self { transposed: !self.transposed, ..self.clone() })
    }

    pub fn values(&self) -> Vec<f32> {
        let values: Vec<f32> = match self.encoding {
            Encoding::F32 => self.bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Encoding::F16 => self.bytes.as_chunks().0.iter().map(|bytes| f16::from_le_bytes(*bytes).to_f32()).collect(),
            Encoding::Linear { signed, zero, scale } => {
                let to_integer = |byte: u8| if signed { i32::from(byte as i8) } else { i32::from(byte) };
                self.bytes.iter().map(|byte| (to_integer(*byte) - zero) as f32 * scale).collect()
            }
        };
        if !self.transposed {
            return values;
        }
        let columns = self.shape[1];
        (0..columns).flat_map(|column| values.iter().skip(column).step_by(columns)).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_bytes_by_encoding() {
        let decode = |encoding, bytes: &[u8]| WeightArray::new(vec![2], encoding, bytes).expect("two numbers").values();
        assert_eq!(decode(Encoding::F32, &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]), [1.0, -2.0]);
        assert_eq!(decode(Encoding::F16, &[0, 0x3c, 0, 0xc0]), [1.0, -2.0]);
        assert_eq!(decode(Encoding::Linear { signed: false, zero: 128, scale: 0.5 }, &[130, 0]), [1.0, -64.0]);
        assert_eq!(decode(Encoding::Linear { signed: true, zero: 1, scale: 2.0 }, &[0xff, 3]), [-4.0, 4.0]);
    }

    #[test]
    fn parts_and_transposed_matrices_keep_their_values() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
        let encoding = Encoding::Linear { signed: false, zero: 0, scale: 1.0 };
        let array = WeightArray::new(vec![4, 3], encoding, &bytes).expect("twelve numbers");
        let part = array.split_part(1, 2).expect("half of it");
        assert_eq!((part.shape(), part.values()), (vec![2, 3], vec![7.0, 8.0, 9.0, 10.0, 11.0, 12.0]));
        let transposed = part.transposed().expect("a matrix");
        assert_eq!((transposed.shape(), transposed.values()), (vec![3, 2], vec![7.0, 10.0, 8.0, 11.0, 9.0, 12.0]));
        assert_eq!(
            transposed.split_part(0, 1).expect_err("transposed").to_string(),
            "expected an array as it was read, found a transposed one"
        );
        assert_eq!(
            array.split_part(0, 3).expect_err("4 rows").to_string(),
            "expected rows in 3 equal parts, found [4, 3]"
        );
    }

    #[test]
    fn rejects_too_few_bytes() {
        let error = WeightArray::new(vec![2, 2], Encoding::F16, &[0; 7]).expect_err("a byte is missing").to_string();
        assert_eq!(error, "expected 8 bytes for an array of [2, 2], found 7");
    }
}
