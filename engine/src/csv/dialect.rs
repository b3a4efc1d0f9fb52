//! Detection of the delimiter and the header line, from the beginning of a file.

use super::cell::trimmed;
use super::encoding::Encoding;
use super::reader::RowReader;
use super::row::RawRow;
use crate::record::{CallDetails, Delimiter, is_known_column};

/// Size of the beginning, in bytes. The server and the panel use the same size, so that they find the same dialect.
pub const BEGINNING_BYTES: usize = 64 * 1024;

/// Rows that are compared.
const SAMPLE_ROWS: usize = 40;

/// Most rows before a header: the title of a report, its date, its author.
const MAX_TITLE_ROWS: usize = 10;

/// How the rows of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The character encoding.
    pub encoding: Encoding,
    /// Bytes of the byte order mark.
    pub mark_bytes: usize,
    /// The delimiter between cells.
    pub delimiter: Delimiter,
    /// Lines before the header, or before the first row where there is none.
    pub skipped_lines: u64,
}

/// The beginning of a file says that it can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialectError {
    /// `sep=` names a delimiter that isn't read.
    UnknownDelimiter(String),
}

impl Dialect {
    /// Detects the dialect from the first [`BEGINNING_BYTES`] of a file; `is_all` says that the file has no more. A `given` delimiter
    /// isn't detected. `is_mapped` says which names of columns a mapping knows; the names that are commonly used for fields are
    /// known anyway.
    ///
    /// # Errors
    /// A line `sep=` names a delimiter that isn't supported.
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

/// The delimiter that Excel's line `sep=;` names.
fn separator_line(row: &RawRow) -> Option<String> {
    let line = row.texts().join("|");
    let line = line.trim_matches([' ', '"', '\u{feff}']);
    let (name, sign) = line.split_at_checked(4)?;
    if !name.eq_ignore_ascii_case("sep=") {
        return None;
    }
    // A quoted line may have its quotes within.
    let sign = sign.trim_matches('"');
    Some(if sign == "\\t" { "\t".to_owned() } else { sign.chars().next().map(String::from).unwrap_or_default() })
}

/// How well rows fit together that are separated so.
struct Score {
    /// Index of the header.
    header: usize,
    /// Names of columns in it that are known; all columns of a call detail record, which has no header.
    names: usize,
    /// Rows behind it with several cells, and none more than it.
    rows: usize,
    /// Its cells.
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

/// Index of the header. A title has one cell in which something stands, and isn't the name of a column; a header has several.
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
