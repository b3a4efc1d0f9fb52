//! The bytes of a file, as the reader of CSV gets them: no more than one row may want, and with `\n` ending each line.

use std::io::{Error, ErrorKind, Read, Result};

/// A file that stops when one row wants too much of it.
///
/// Lines that end with `\r` alone, as some spreadsheets for the Macintosh still write them, come out ending with `\n`.
pub struct Source<R> {
    inner: R,
    max_row_bytes: u64,
    /// What the row being read may still take.
    allowance: u64,
    bytes_read: u64,
    /// The last bytes, the latest at the end.
    last: [u8; 3],
    /// Whether `\r` ends a line; not known before the first bytes are read.
    carriage_return_ends: Option<bool>,
}

impl<R: Read> Source<R> {
    /// The file that `inner` reads, whose rows may have `max_row_bytes`.
    pub fn new(inner: R, max_row_bytes: u64) -> Self {
        let allowance = max_row_bytes;
        Self { inner, max_row_bytes, allowance, bytes_read: 0, last: [0; 3], carriage_return_ends: None }
    }

    /// Lets another row have its bytes. Without it, reading ends with [`ErrorKind::FileTooLarge`].
    pub fn next_row(&mut self) {
        self.allowance = self.max_row_bytes;
    }

    /// Whether a row that ends before byte `end` has a line break behind it; the last row of a file may lack one.
    pub fn row_is_closed(&self, end: u64) -> bool {
        end < self.bytes_read || self.last[2] == b'\n'
    }

    /// Whether the row that ends before byte `end` is the last of the file, and its last line break lies within a quote that
    /// nothing ends.
    pub fn quote_is_open(&self, end: u64) -> bool {
        let closes = matches!(self.last, [_, b'"', b'\n'] | [b'"', b'\r', b'\n']);
        end == self.bytes_read && self.last[2] == b'\n' && !closes
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.allowance == 0 {
            return Err(Error::from(ErrorKind::FileTooLarge));
        }
        let length = self.inner.read(buffer)?;
        let bytes = &mut buffer[..length];
        if *self.carriage_return_ends.get_or_insert_with(|| has_only_carriage_returns(bytes)) {
            bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        }
        bytes[length.saturating_sub(3)..].iter().for_each(|byte| self.last = [self.last[1], self.last[2], *byte]);
        self.bytes_read += length as u64;
        self.allowance = self.allowance.saturating_sub(length as u64);
        Ok(length)
    }
}

/// Whether the beginning of a file shows lines that end with `\r` alone. One at the very end may have its `\n` to come.
fn has_only_carriage_returns(start: &[u8]) -> bool {
    let within = &start[..start.len().saturating_sub(1)];
    within.contains(&b'\r') && !start.contains(&b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(file: &str) -> String {
        let mut text = String::new();
        Source::new(file.as_bytes(), 1_000).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn only_carriage_returns_that_end_lines_are_replaced() {
        for (file, text) in [
            ("id,city\r1,Rome\r", "id,city\n1,Rome\n"),
            ("id,city\r\n1,Rome\r\n", "id,city\r\n1,Rome\r\n"),
            ("id,city\n1,\"Ro\rme\"\n", "id,city\n1,\"Ro\rme\"\n"),
            ("id,city\r", "id,city\r"),
            ("", ""),
        ] {
            assert_eq!(text_of(file), text, "{file:?}");
        }
    }

    #[test]
    fn a_row_gets_no_more_than_its_share() {
        let mut source = Source::new(&b"abcdef"[..], 2);
        let mut two = [0; 2];
        assert_eq!(source.read(&mut two).unwrap(), 2);
        assert_eq!(source.read(&mut two).unwrap_err().kind(), ErrorKind::FileTooLarge);
        source.next_row();
        assert_eq!(source.read(&mut two).unwrap(), 2);
        assert!(!source.row_is_closed(4) && source.row_is_closed(3));
    }
}
