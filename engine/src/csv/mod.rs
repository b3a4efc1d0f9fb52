//! CSV files, as programs and users write them.
//!
//! The server and the panel read files with this module, so that both see the same cells. It does no I/O: callers feed bytes.
//!
//! 1. [`EncodingDetector`] detects the encoding, and [`Decoder`] decodes the file to UTF-8.
//! 2. [`Dialect`] is detected from the beginning of a file: the delimiter and the header line.
//! 3. [`RowReader`] returns one [`RawRow`] at a time. It is strict (RFC 4180): it rejects a row whose quotes are ambiguous. It also rejects
//!    the lines between two quotes if they may be either one multi-line cell or several damaged rows.
//! 4. [`trim_cell`] and [`cell_value`] return the values of cells.
//!
//! The `csv` crate isn't used for reading: after a closing quote it continues as in unquoted text, so a stray quote can move cells from one
//! row into another. The tests compare both readers on well-formed files.

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

pub use cell::{cell_value, trim_cell};
pub use dialect::{DETECTION_BYTES, Dialect, DialectError};
pub use encoding::{Decoder, Encoding, EncodingDetector, EncodingError};
pub use reader::{RowReader, RowTooLong};
pub use row::{RawRow, RowError};

/// Maximum size of a row, in bytes of UTF-8. The largest cell that a field accepts is far smaller.
pub const MAX_ROW_BYTES: usize = 1024 * 1024;
