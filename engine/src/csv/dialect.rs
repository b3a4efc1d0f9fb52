//! Detection of the delimiter and the header line, from the beginning of a file.

use super::cell::trim_cell;
use super::encoding::Encoding;
use super::reader::RowReader;
use super::row::RawRow;
use crate::record::{CallDetailReader, Delimiter, is_known_column};

/// Number of bytes used for detection. Server and panel use the same number, so that they detect the same dialect.
pub const DETECTION_BYTES: usize = 64 * 1024;

/// Number of rows to compare.
const SAMPLE_ROWS: usize = 40;

/// Maximum number of rows before a header, such as a report's title, date and author.
const MAX_TITLE_ROWS: usize = 10;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The character encoding.
    pub encoding: Encoding,
    /// Length of the byte order mark in bytes.
    pub bom_bytes: usize,
    /// The delimiter between cells.
    pub delimiter: Delimiter,
    /// Number of lines before the header, or before the first row if there is no header.
    pub skipped_lines: u64,
}

/// Error found in the beginning of a file that makes it unreadable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialectError {
    /// `sep=` names an unsupported delimiter.
    UnknownDelimiter(String),
}

impl Dialect {
    /// Detects the dialect from the first [`DETECTION_BYTES`] of a file. `is_complete` is true if these are all bytes. A `requested`
    /// delimiter is used as given. `is_mapped` returns true for column names in the mapping; common names of fields are always recognized.
    ///
    /// # Errors
    /// A `sep=` line names an unsupported delimiter.
    pub fn detect(
        beginning: &[u8],
        is_complete: bool,
        (encoding, bom_bytes): (Encoding, usize),
        requested: Option<Delimiter>,
        is_mapped: impl Fn(&str) -> bool,
    ) -> Result<Self, DialectError> {
        let sample_rows = |delimiter, skipped_lines| {
            let mut reader = RowReader::new(encoding, delimiter, skipped_lines);
            reader.feed(&beginning[bom_bytes.min(beginning.len())..]);
            if is_complete {
                reader.end();
            }
            std::iter::from_fn(move || reader.next_row().ok().flatten()).take(SAMPLE_ROWS).collect::<Vec<_>>()
        };
        let mut dialect = Self { encoding, bom_bytes, delimiter: requested.unwrap_or_default(), skipped_lines: 0 };
        let mut separator_delimiter = None;
        if let Some(first) = sample_rows(Delimiter::Bar, 0).first()
            && let Some(separator) = parse_separator_line(first)
        {
            dialect.skipped_lines = first.line;
            separator_delimiter = Delimiter::from_name(&separator);
            if separator_delimiter.is_none() && requested.is_none() {
                return Err(DialectError::UnknownDelimiter(separator));
            }
        }
        let is_name = |cell: &str| is_mapped(cell) || is_known_column(cell);
        let candidates: Vec<_> = match requested.or(separator_delimiter) {
            Some(delimiter) => vec![delimiter],
            None => Delimiter::ALL.to_vec(),
        };
        // `max_by_key` returns the last of equal scores, so the order is reversed to prefer the first delimiter.
        let best = candidates
            .into_iter()
            .rev()
            .map(|delimiter| (delimiter, sample_rows(delimiter, dialect.skipped_lines)))
            .map(|(delimiter, rows)| (DelimiterScore::new(&rows, &is_name), delimiter, rows))
            .max_by_key(|(score, _, _)| (score.name_count, score.row_count, score.column_count));
        if let Some((score, delimiter, rows)) = best {
            dialect.delimiter = delimiter;
            if let Some(header) = rows.get(score.header_index) {
                dialect.skipped_lines = header.line - 1;
            }
        }
        Ok(dialect)
    }
}

/// Returns the delimiter named by Excel's line `sep=;`.
fn parse_separator_line(row: &RawRow) -> Option<String> {
    let line = row.texts().join("|");
    let line = line.trim_matches([' ', '"', '\u{feff}']);
    let (name, separator) = line.split_at_checked(4)?;
    if !name.eq_ignore_ascii_case("sep=") {
        return None;
    }
    // The line may be quoted and contain quotes.
    let separator = separator.trim_matches('"');
    Some(if separator == "\\t" {
        "\t".to_owned()
    } else {
        separator.chars().next().map(String::from).unwrap_or_default()
    })
}

/// Score of a delimiter: how consistent the rows are.
struct DelimiterScore {
    /// Index of the header.
    header_index: usize,
    /// Number of known column names; for a call detail record, which has no header, all columns.
    name_count: usize,
    /// Number of rows after the header that have several cells, but no more than the header.
    row_count: usize,
    /// Number of cells in the header.
    column_count: usize,
}

impl DelimiterScore {
    fn new(rows: &[RawRow], is_name: &impl Fn(&str) -> bool) -> Self {
        let header_index = find_header(rows, is_name);
        let Some(header) = rows.get(header_index) else {
            return Self { header_index, name_count: 0, row_count: 0, column_count: 0 };
        };
        let (column_count, cells) = (header.filled_cell_count(), header.texts());
        let name_count = match CallDetailReader::is_record(&cells) {
            true => cells.len(),
            false => cells.iter().filter(|cell| is_name(trim_cell(cell))).count(),
        };
        let fits = |row: &&RawRow| row.error.is_none() && (2..=column_count).contains(&row.filled_cell_count());
        Self { header_index, name_count, row_count: rows[header_index + 1..].iter().filter(fits).count(), column_count }
    }
}

/// Returns the index of the header. A title has a single filled cell that isn't a column name; a header has several filled cells.
fn find_header(rows: &[RawRow], is_name: &impl Fn(&str) -> bool) -> usize {
    let filled_cells = |row: &RawRow| -> Vec<String> {
        row.texts().iter().map(|cell| trim_cell(cell).to_owned()).filter(|cell| !cell.is_empty()).collect()
    };
    for (index, row) in rows.iter().take(MAX_TITLE_ROWS).enumerate() {
        let cells = filled_cells(row);
        if cells.iter().any(|cell| is_name(cell)) {
            return index;
        }
        if cells.len() > 1 {
            let looks_like_names =
                cells.iter().all(|cell| cell.chars().any(char::is_alphabetic) && !cell.contains('@'));
            return if index == 0 || looks_like_names { index } else { 0 };
        }
    }
    0
}
