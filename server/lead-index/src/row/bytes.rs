//! Variable-length encoding of integers.

/// Appends a number, seven bits per byte, lowest first.
pub(super) fn push_varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Replaces the byte at this position with an encoded number.
pub(super) fn replace_byte(number: u64, position: usize, out: &mut Vec<u8>) {
    let end = out.len();
    push_varint(number, out);
    let bytes = out.split_off(end);
    out.splice(position..=position, bytes);
}

/// Reads the next number.
pub(super) fn take_varint(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            break;
        }
        shift += 7;
    }
    number
}

/// Appends a signed number; small magnitudes take few bytes.
pub(super) fn push_signed(number: i64, out: &mut Vec<u8>) {
    push_varint((number << 1 ^ number >> 63) as u64, out);
}

/// Reads the next signed number.
pub(super) fn take_signed(bytes: &mut &[u8]) -> i64 {
    let number = take_varint(bytes);
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Reads the next eight bytes as a number.
pub(super) fn take_i64(bytes: &mut &[u8]) -> i64 {
    let number = i64_at(bytes, 0);
    *bytes = &bytes[8..];
    number
}

/// Reads the eight bytes from here as a number.
pub(super) fn i64_at(bytes: &[u8], offset: usize) -> i64 {
    i64::from_le_bytes(bytes[offset..offset + 8].try_into().expect("eight bytes"))
}
