//! CSV files as programs and people write them.
//!
//! The server and the panel read files with this module, so that both see the same cells. It does no I/O: callers feed bytes.
//!
//! 1. [`EncodingScan`] finds the encoding, [`Decoder`] turns the file into UTF-8.
//! 2. [`Dialect`] finds the delimiter and the header line in the beginning of a file.
//! 3. [`RowReader`] gives one [`RawRow`] after the other. It is strict (RFC 4180): a row whose quotes can be read in two ways is
//!    refused, and so are all lines between two quotes that may be a cell of several lines or the ends of damaged rows.
//! 4. [`trimmed`] and [`value_of`] say what a cell holds.
//!
//! The `csv` crate isn't used for reading: it goes on after a closing quote as if the text were unquoted, so that a stray quote can
//! move the cells of one row into another. The tests compare the reader with it where a file is well-formed.

mod cell;
mod dialect;
mod encoding;
mod footer;
mod quotes;
mod reader;
mod row;
mod row_style;
#[cfg(test)]
mod tests;

pub use cell::{trimmed, value_of};
pub use dialect::{BEGINNING_BYTES, Dialect, DialectError};
pub use encoding::{Decoder, Encoding, EncodingError, EncodingScan};
pub use reader::{MAX_ROW_BYTES, RowReader, RowTooLong};
pub use row::{RawRow, RowError};
