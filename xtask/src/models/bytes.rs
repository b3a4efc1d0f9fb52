//! Reader of numbers and strings from a file in memory.

use anyhow::{Result, ensure};

/// Remaining bytes of a file.
pub struct ByteReader<'a>(pub &'a [u8]);

impl<'a> ByteReader<'a> {
    /// Returns the next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        ensure!(count <= self.0.len(), "expected {count} more bytes, found the end of the file after {}", self.0.len());
        let (head, tail) = self.0.split_at(count);
        self.0 = tail;
        Ok(head)
    }

    /// Reads a byte.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// Reads two bytes, little-endian.
    pub fn u16(&mut self) -> Result<u16> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// Reads four bytes, little-endian.
    pub fn u32(&mut self) -> Result<u32> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Reads four bytes, little-endian, as a count.
    pub fn count(&mut self) -> Result<usize> {
        Ok(usize::try_from(self.u32()?)?)
    }

    /// Reads a string of `count` bytes.
    pub fn text(&mut self, count: usize) -> Result<&'a str> {
        Ok(std::str::from_utf8(self.take(count)?)?)
    }
}
