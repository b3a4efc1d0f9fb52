//! Quantization of weights to eight bits, byte-identical to whisper.cpp's `quantize MODEL OUT q8_0`.

use anyhow::{Result, ensure};
use half::f16;

use super::ggml::{BLOCK_LENGTH, Tensor, TensorType};

/// Matrices that whisper.cpp reads only in single precision.
const UNQUANTIZED: &[&str] =
    &["encoder.conv1.bias", "encoder.conv2.bias", "encoder.positional_embedding", "decoder.positional_embedding"];

/// Quantizes a matrix; leaves any other tensor unchanged.
pub fn quantize(tensor: Tensor<Vec<u8>>) -> Result<Tensor<Vec<u8>>> {
    if tensor.dimensions.len() != 2 || UNQUANTIZED.contains(&tensor.name.as_str()) {
        return Ok(tensor);
    }
    let numbers: Vec<f32> = match tensor.tensor_type {
        TensorType::F32 => tensor.data.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect(),
        TensorType::F16 => {
            tensor.data.as_chunks().0.iter().map(|number| f16::from_le_bytes(*number).to_f32()).collect()
        }
        TensorType::Q8_0 => return Ok(tensor),
    };
    let (blocks, remainder) = numbers.as_chunks::<BLOCK_LENGTH>();
    ensure!(
        remainder.is_empty(),
        "{}: expected blocks of {BLOCK_LENGTH} numbers, found {} more",
        tensor.name,
        remainder.len()
    );
    let mut data = Vec::with_capacity(blocks.len() * (2 + BLOCK_LENGTH));
    for block in blocks {
        let (scale, bytes) = quantize_block(block);
        data.extend(scale.to_le_bytes());
        data.extend(bytes.map(|byte| byte as u8));
    }
    Ok(Tensor { tensor_type: TensorType::Q8_0, data, ..tensor })
}

/// Implements `quantize_row_q8_0_ref` of ggml: the greatest number becomes 127 or -127, and halves are rounded away
/// from 0. The numbers are divided by the scale before the scale is rounded to half precision.
fn quantize_block(block: &[f32; BLOCK_LENGTH]) -> (f16, [i8; BLOCK_LENGTH]) {
    let max_abs = block.iter().fold(0.0_f32, |max_abs, number| max_abs.max(number.abs()));
    let scale = max_abs / 127.0;
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    (f16::from_f32(scale), block.map(|number| (number * inverse).round() as i8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(name: &str, dimensions: &[u32], numbers: &[f32]) -> Tensor<Vec<u8>> {
        let data = numbers.iter().flat_map(|number| f16::from_f32(*number).to_le_bytes()).collect();
        Tensor { name: name.to_owned(), dimensions: dimensions.to_vec(), tensor_type: TensorType::F16, data }
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let mut block = [0.0; BLOCK_LENGTH];
        block[..6].copy_from_slice(&[127.0, 0.5, -0.5, 1.5, -1.49, -127.0]);
        let (scale, bytes) = quantize_block(&block);
        assert_eq!(scale, f16::ONE);
        assert_eq!(bytes[..7], [127, 1, -1, 2, -1, -127, 0]);
    }

    #[test]
    fn scale_is_rounded_after_use() {
        let mut block = [0.0; BLOCK_LENGTH];
        // 1/127 isn't representable in half precision; divided by the rounded scale, 1 would become 127.01.
        block[..2].copy_from_slice(&[1.0, 0.5]);
        let (scale, bytes) = quantize_block(&block);
        assert_eq!(scale.to_bits(), 0x2008);
        assert_eq!(bytes[..2], [127, 64]);
    }

    #[test]
    fn block_of_zeros_has_scale_zero() {
        assert_eq!(quantize_block(&[0.0; BLOCK_LENGTH]), (f16::ZERO, [0; BLOCK_LENGTH]));
    }

    #[test]
    fn only_matrices_are_quantized() {
        let unchanged = [
            tensor("decoder.ln.weight", &[64], &[1.0; 64]),
            tensor("encoder.conv1.weight", &[3, 32, 2], &[1.0; 192]),
            tensor("encoder.positional_embedding", &[32, 2], &[1.0; 64]),
        ];
        for tensor in unchanged {
            assert_eq!(quantize(tensor.clone()).expect("a tensor"), tensor);
        }
        let matrix = quantize(tensor("decoder.token_embedding.weight", &[32, 2], &[1.0; 64])).expect("a tensor");
        assert_eq!((matrix.tensor_type, matrix.data.len()), (TensorType::Q8_0, 68));
        let error = quantize(tensor("odd", &[33, 1], &[1.0; 33])).expect_err("33 numbers").to_string();
        assert_eq!(error, "odd: expected blocks of 32 numbers, found 1 more");
    }
}
