//! Detection of the delimiter and the header line, from the beginning of a file.

use super::cell::trimmed;
use super::encoding::Encoding;
use super::reader::RowReader;
use super::row::RawRow;
use crate::record::{CallDetails, Delimiter, is_known_column};

/// Number of bytes used for detection. Server and panel use the same number, so that they detect the same dialect.
pub const BEGINNING_BYTES: usize = 64 * 1024;

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
    pub mark_bytes: usize,
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
    /// Detects the dialect from the first [`BEGINNING_BYTES`] of a file. `is_all` is true if the file has no more bytes. A `given`
    /// delimiter isn't detected. `is_mapped` returns true for column names in the mapping; common names of fields are always recognised.
    ///
    /// # Errors
    /// A `sep=` line names an unsupported delimiter.
    pub fn detect(
        beginning: &[u8],
        is_all: bool,
        (encoding, mark_bytes): (Encoding, usize),
        given: Option<Delimiter>,
        is_mapped: impl Fn(&str) -> bool,
    ) -> Result<Self, DialectError> {
        let rows_of = |delimiter, skipped_lines| {
            let mut reader = RowReader::new(encoding, delimiter, skipped_lines);
            reader.feed(&beginning[mark_bytes.min(beginning.len())..]);
            if is_all {
                reader.end();
            }
            std::iter::from_fn(move || reader.next_row().ok().flatten()).take(SAMPLE_ROWS).collect::<Vec<_>>()
        };
        let mut dialect = Self { encoding, mark_bytes, delimiter: given.unwrap_or_default(), skipped_lines: 0 };
        let mut named = None;
        if let Some(first) = rows_of(Delimiter::Bar, 0).first()
            && let Some(sign) = separator_line(first)
        {
            dialect.skipped_lines = first.line;
            named = Delimiter::from_name(&sign);
            if named.is_none() && given.is_none() {
                return Err(DialectError::UnknownDelimiter(sign));
            }
        }
        let is_name = |cell: &str| is_mapped(cell) || is_known_column(cell);
        let candidates: Vec<_> = match given.or(named) {
            Some(one) => vec![one],
            None => Delimiter::ALL.to_vec(),
        };
        let found = candidates
            .into_iter()
            .rev()
            .map(|delimiter| (delimiter, rows_of(delimiter, dialect.skipped_lines)))
            .map(|(delimiter, rows)| (Score::of(&rows, &is_name), delimiter, rows))
            .max_by_key(|(score, _, _)| (score.names, score.rows, score.columns));
        if let Some((score, delimiter, rows)) = found {
            dialect.delimiter = delimiter;
            if let Some(header) = rows.get(score.header) {
                dialect.skipped_lines = header.line - 1;
            }
        }
        Ok(dialect)
    }
}

/// Returns the delimiter named by Excel's line `sep=;`.
fn separator_line(row: &RawRow) -> Option<String> {
    let line = row.texts().join("|");
    let line = line.trim_matches([' ', '"', '\u{feff}']);
    let (name, sign) = line.split_at_checked(4)?;
    if !name.eq_ignore_ascii_case("sep=") {
        return None;
    }
    // The line may be quoted and contain quotes.
    let sign = sign.trim_matches('"');
    Some(if sign == "\\t" { "\t".to_owned() } else { sign.chars().next().map(String::from).unwrap_or_default() })
}

/// Score of a delimiter: how consistent the rows are.
struct Score {
    /// Index of the header.
    header: usize,
    /// Number of known column names; for a call detail record, which has no header, all columns.
    names: usize,
    /// Number of rows after the header that have several cells, but no more than the header.
    rows: usize,
    /// Number of cells in the header.
    columns: usize,
}

impl Score {
    fn of(rows: &[RawRow], is_name: &impl Fn(&str) -> bool) -> Self {
        let header = header_among(rows, is_name);
        let Some(row) = rows.get(header) else { return Self { header, names: 0, rows: 0, columns: 0 } };
        let (columns, cells) = (row.filled_cells(), row.texts());
        let names = match CallDetails::are_in(&cells) {
            true => cells.len(),
            false => cells.iter().filter(|cell| is_name(trimmed(cell))).count(),
        };
        let fits = |row: &&RawRow| row.wrong.is_none() && (2..=columns).contains(&row.filled_cells());
        Self { header, names, rows: rows[header + 1..].iter().filter(fits).count(), columns }
    }
}

/// Returns the index of the header. A title has a single filled cell that isn't a column name; a header has several filled cells.
fn header_among(rows: &[RawRow], is_name: &impl Fn(&str) -> bool) -> usize {
    let filled = |row: &RawRow| -> Vec<String> {
        row.texts().iter().map(|cell| trimmed(cell).to_owned()).filter(|cell| !cell.is_empty()).collect()
    };
    for (place, row) in rows.iter().take(MAX_TITLE_ROWS).enumerate() {
        let cells = filled(row);
        if cells.iter().any(|cell| is_name(cell)) {
            return place;
        }
        if cells.len() > 1 {
            let looks_like_names =
                cells.iter().all(|cell| cell.chars().any(char::is_alphabetic) && !cell.contains('@'));
            return if place == 0 || looks_like_names { place } else { 0 };
        }
    }
    0
}
