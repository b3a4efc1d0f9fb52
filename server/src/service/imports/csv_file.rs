//! A CSV file to import: its dialect, its column names and its rows, which can be read repeatedly.

use std::io::{Read, Seek, SeekFrom};

use leadscribe_engine::csv::{
    DETECTION_BYTES, Dialect, DialectError, Encoding, EncodingDetector, EncodingError, MAX_ROW_BYTES, RawRow, RowError,
    RowReader, RowTooLong, trim_cell,
};
use leadscribe_engine::diagnostic::{Message, work};
use leadscribe_engine::record::{
    CallDetailReader, Delimiter, Format, Mapping, REASON_COLUMNS, unescape_formula, unescape_formula_bytes,
};

/// Maximum number of columns of a file, including ignored ones. An import stores their names, and every list of imports
/// shows them.
const MAX_COLUMNS: usize = 1_000;

/// Maximum total size of the column names, in bytes.
const MAX_NAMES_BYTES: usize = 32 * 1024;

/// Size of the read buffer, in bytes.
const BUFFER_BYTES: usize = 128 * 1024;

#[derive(Debug, PartialEq)]
pub struct FileError(pub Message);

impl FileError {
    /// An error in the header.
    fn header(message: Message) -> Self {
        Self(work::header(message))
    }
}

impl From<std::io::Error> for FileError {
    fn from(error: std::io::Error) -> Self {
        Self(work::file_unreadable(error.to_string()))
    }
}

impl From<RowTooLong> for FileError {
    fn from(RowTooLong(line): RowTooLong) -> Self {
        Self(work::at_line(line, work::row_too_long(MAX_ROW_BYTES)))
    }
}

/// A CSV file whose header was read.
pub struct CsvFile<R> {
    reader: R,
    dialect: Dialect,
    /// Column names.
    names: Vec<String>,
    /// True if the first row names the columns.
    has_header: bool,
    /// True for a file of rejected rows. Its reason columns and the apostrophes before formulas are removed.
    has_reason_columns: bool,
}

impl<R: Read + Seek> CsvFile<R> {
    /// Detects the dialect of a file and reads its header.
    ///
    /// # Errors
    /// It isn't a CSV file, its header can't be read, or reading failed.
    pub fn open(mut reader: R, mapping: &Mapping) -> Result<Self, FileError> {
        let mut beginning = Vec::new();
        reader.by_ref().take(DETECTION_BYTES as u64 + 1).read_to_end(&mut beginning)?;
        let is_whole_file = beginning.len() <= DETECTION_BYTES;
        let mut detector = EncodingDetector::new(&beginning).map_err(|error| match error {
            EncodingError::Utf32 => FileError(work::utf32()),
            EncodingError::Binary => FileError(work::binary_file()),
        })?;
        detector.feed(&beginning);
        let mut buffer = vec![0; BUFFER_BYTES];
        while !is_whole_file && !detector.is_decided() {
            match reader.read(&mut buffer)? {
                0 => break,
                length => detector.feed(&buffer[..length]),
            }
        }
        beginning.truncate(DETECTION_BYTES);
        let is_mapped = |name: &str| mapping.columns.contains_key(name);
        let dialect = Dialect::detect(&beginning, is_whole_file, detector.finish(), mapping.delimiter, is_mapped)
            .map_err(|DialectError::UnknownDelimiter(delimiter)| {
                FileError(work::unknown_delimiter(format!("{delimiter:?}")))
            })?;
        let mut file = Self { reader, dialect, names: Vec::new(), has_header: false, has_reason_columns: false };
        let first = file.rows()?.next()?;
        file.read_header(first.unwrap_or_default(), mapping)?;
        Ok(file)
    }

    fn read_header(&mut self, first: RawRow, mapping: &Mapping) -> Result<(), FileError> {
        let names: Vec<String> = first.texts().iter().map(|name| trim_cell(name).to_owned()).collect();
        self.names = match mapping.format {
            Format::Asterisk if CallDetailReader::is_header(&names) => {
                self.has_header = true;
                names
            }
            Format::Asterisk => CallDetailReader::columns(first.len()),
            Format::Fields => {
                self.has_header = true;
                check_header(&first, &names, mapping.delimiter)?;
                names
            }
        };
        self.has_reason_columns = self.names.starts_with(&REASON_COLUMNS.map(str::to_owned));
        if self.has_reason_columns {
            self.names.drain(..REASON_COLUMNS.len());
            self.names.iter_mut().for_each(|name| *name = unescape_formula(name).to_owned());
        }
        let bytes: usize = self.names.iter().map(String::len).sum();
        if self.names.len() > MAX_COLUMNS || bytes > MAX_NAMES_BYTES {
            let message = work::header_too_large(MAX_COLUMNS, MAX_NAMES_BYTES, self.names.len(), bytes);
            return Err(FileError::header(message));
        }
        Ok(())
    }

    /// Returns the column names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the cell delimiter.
    pub fn delimiter(&self) -> Delimiter {
        self.dialect.delimiter
    }

    /// Returns the character encoding.
    pub fn encoding(&self) -> Encoding {
        self.dialect.encoding
    }

    /// Returns the rows after the header, from the beginning of the file.
    ///
    /// # Errors
    /// Reading failed.
    pub fn rows(&mut self) -> Result<CsvRows<'_, R>, FileError> {
        let Dialect { encoding, bom_bytes, delimiter, skipped_lines } = self.dialect;
        self.reader.seek(SeekFrom::Start(bom_bytes as u64))?;
        let reader = RowReader::new(encoding, delimiter, skipped_lines);
        let buffer = vec![0; BUFFER_BYTES];
        let (has_header, column_count) = (self.has_header, self.names.len());
        let column_count = if self.has_reason_columns { column_count + REASON_COLUMNS.len() } else { column_count };
        let mut rows = CsvRows { file: self, reader, buffer, bytes_read: bom_bytes as u64, is_at_end: false };
        if has_header {
            rows.next_raw()?;
        }
        rows.reader.set_width(column_count);
        Ok(rows)
    }
}

/// Reader for the rows of a file.
pub struct CsvRows<'a, R> {
    file: &'a mut CsvFile<R>,
    reader: RowReader,
    buffer: Vec<u8>,
    bytes_read: u64,
    is_at_end: bool,
}

impl<R: Read> CsvRows<'_, R> {
    /// Returns the next row, without the reason columns of a file of rejected rows.
    ///
    /// # Errors
    /// A line is too long, or reading failed.
    pub fn next(&mut self) -> Result<Option<RawRow>, FileError> {
        let row = self.next_raw()?;
        Ok(if self.file.has_reason_columns {
            row.map(|row| {
                let original_line = std::str::from_utf8(row.cell(0)).ok().and_then(|line| trim_cell(line).parse().ok());
                let mut row = row.without_first(REASON_COLUMNS.len(), unescape_formula_bytes);
                row.original_line = original_line;
                let file = &self.file;
                parse_damaged_row(&row, file.names.len(), file.dialect.delimiter).unwrap_or(row)
            })
        } else {
            row
        })
    }

    /// Returns the number of bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    fn next_raw(&mut self) -> Result<Option<RawRow>, FileError> {
        loop {
            if let Some(row) = self.reader.next_row()? {
                return Ok(Some(row));
            }
            if self.is_at_end {
                return Ok(None);
            }
            match self.file.reader.read(&mut self.buffer)? {
                0 => {
                    self.reader.end();
                    self.is_at_end = true;
                }
                length => {
                    self.reader.feed(&self.buffer[..length]);
                    self.bytes_read += length as u64;
                }
            }
        }
    }
}

/// Returns the damaged row stored in the cell after the given number of columns. `None` if those columns are filled or there
/// is no such cell.
fn parse_damaged_row(row: &RawRow, columns: usize, delimiter: Delimiter) -> Option<RawRow> {
    let is_empty = |index| std::str::from_utf8(row.cell(index)).is_ok_and(|cell| trim_cell(cell).is_empty());
    if row.filled_cell_count() != columns + 1 || !(0..columns).all(is_empty) {
        return None;
    }
    let mut reader = RowReader::new(Encoding::Utf8, delimiter, 0);
    reader.feed(row.cell(columns));
    reader.end();
    let mut damaged = reader.next_row().ok().flatten()?;
    (damaged.line, damaged.original_line) = (row.line, row.original_line);
    if damaged.error.is_none() {
        damaged.error = Some(RowError::Unrepaired);
        damaged.certain_cells = damaged.len();
    }
    Some(damaged)
}

/// Checks that a header names columns and uses the delimiter of the mapping.
fn check_header(header: &RawRow, names: &[String], delimiter: Option<Delimiter>) -> Result<(), FileError> {
    if let Some(error) = header.error {
        return Err(FileError::header(work::header_quotes(error.diagnostic().message)));
    }
    if names.iter().all(String::is_empty) {
        return Err(FileError(work::no_header()));
    }
    if header.as_str().is_none_or(|text| text.contains(|c: char| c.is_control() && !c.is_whitespace())) {
        return Err(FileError::header(work::header_not_text()));
    }
    let Some(delimiter) = delimiter else { return Ok(()) };
    let expected_count = names.len() - 1;
    for other in Delimiter::ALL.iter().filter(|other| **other != delimiter) {
        // A quoted name may contain a comma or semicolon; the most frequent one is the delimiter.
        if names.iter().map(|name| name.matches(other.as_str()).count()).sum::<usize>() > expected_count {
            return Err(FileError::header(work::separator_mismatch(delimiter.display_name(), other.display_name())));
        }
    }
    Ok(())
}
