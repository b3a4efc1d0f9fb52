//! Rows of a CSV file, parsed the way the server does.

use js_sys::Uint8Array;
use leadscribe_engine::csv::{
    DETECTION_BYTES, Dialect, DialectError, Encoding, EncodingDetector, EncodingError, RawRow, RowError, RowReader,
    trim_cell,
};
use leadscribe_engine::record::{CallDetailReader, Delimiter, REASON_COLUMNS, unescape_formula};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

use crate::i18n::texts::imports;

/// Maximum number of rows in the preview.
const MAX_ROWS: usize = 8;

/// Bytes to read per step while detecting the encoding of a large file.
const CHUNK_BYTES: f64 = 4.0 * 1024.0 * 1024.0;

#[derive(Clone, Debug, PartialEq)]
pub struct CsvTable {
    pub delimiter: Delimiter,
    pub encoding: Encoding,
    /// True if the rows are call detail records.
    pub has_call_details: bool,
    /// Column names, trimmed.
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Parse error of each row, if its cells can't be parsed.
    pub errors: Vec<Option<RowError>>,
    /// True if some cells aren't valid text in this encoding.
    pub has_invalid_text: bool,
}

impl CsvTable {
    /// Reads the first rows of a file. The whole file is read only if its start doesn't show the encoding.
    ///
    /// # Errors
    /// The reason why the file can't be read or isn't a CSV file, for the user.
    pub async fn open(file: &File) -> Result<Self, &'static str> {
        let beginning = read_bytes_between(file, 0.0, DETECTION_BYTES as f64).await?;
        let mut scan = EncodingDetector::new(&beginning).map_err(|error| match error {
            EncodingError::Utf32 => imports::utf32(),
            EncodingError::Binary => imports::workbook(),
        })?;
        scan.feed(&beginning);
        let mut offset = beginning.len() as f64;
        // ASCII characters are the same in all remaining encodings.
        while offset < file.size() && !scan.is_decided() && !beginning.is_ascii() {
            scan.feed(&read_bytes_between(file, offset, offset + CHUNK_BYTES).await?);
            offset += CHUNK_BYTES;
        }
        let is_whole = file.size() <= DETECTION_BYTES as f64;
        let table = Self::parse(&beginning, is_whole, scan.finish(), None, MAX_ROWS);
        let table = table.map_err(|DialectError::UnknownDelimiter(_)| imports::unknown_delimiter())?;
        if table.is_empty() { Err(imports::file_is_empty()) } else { Ok(table) }
    }

    /// Parses the first rows of a file. Detects the delimiter if none is given.
    pub fn parse(
        bytes: &[u8],
        is_whole: bool,
        encoding: (Encoding, usize),
        delimiter: Option<Delimiter>,
        max_rows: usize,
    ) -> Result<Self, DialectError> {
        let beginning = &bytes[..bytes.len().min(DETECTION_BYTES)];
        let is_complete = is_whole && beginning.len() == bytes.len();
        let dialect = Dialect::detect(beginning, is_complete, encoding, delimiter, |_| false)?;
        let mut reader = RowReader::new(dialect.encoding, dialect.delimiter, dialect.skipped_lines);
        reader.feed(&bytes[dialect.bom_bytes..]);
        if is_whole {
            reader.end();
        }
        let first_row = reader.next_row().ok().flatten().unwrap_or_default();
        reader.set_width(first_row.len());
        let names: Vec<String> = first_row.texts().iter().map(|name| trim_cell(name).to_owned()).collect();
        let is_record = CallDetailReader::is_record(&names);
        let mut header = if is_record { CallDetailReader::columns(first_row.len()) } else { names };
        let has_call_details = is_record || CallDetailReader::is_header(&header);
        let first_row = is_record.then_some(first_row);
        let other_rows = std::iter::from_fn(|| reader.next_row().ok().flatten());
        let raw_rows: Vec<RawRow> = first_row.into_iter().chain(other_rows).take(max_rows).collect();
        let mut rows: Vec<_> = raw_rows.iter().map(RawRow::texts).collect();
        // Like an import, skips the columns with the reasons why rows were rejected.
        if header.starts_with(&REASON_COLUMNS.map(str::to_owned)) {
            for row in rows.iter_mut().chain([&mut header]) {
                row.drain(..REASON_COLUMNS.len().min(row.len()));
                row.iter_mut().for_each(|cell| *cell = unescape_formula(cell).to_owned());
            }
        }
        Ok(Self {
            delimiter: dialect.delimiter,
            encoding: dialect.encoding,
            has_call_details,
            header,
            rows,
            errors: raw_rows.iter().map(|row| row.error).collect(),
            has_invalid_text: raw_rows.iter().any(|row| row.as_str().is_none()),
        })
    }

    /// Cells of the `is_selected` columns in the first rows.
    pub fn cells_of<'a>(&'a self, is_selected: &'a [bool]) -> impl Iterator<Item = &'a str> {
        let in_row = move |row: &'a Vec<String>| row.iter().zip(is_selected).filter(|(_, is_selected)| **is_selected);
        self.rows.iter().flat_map(in_row).map(|(cell, _)| trim_cell(cell))
    }

    fn is_empty(&self) -> bool {
        self.header.iter().all(String::is_empty)
    }

    /// First non-empty values of a column.
    pub fn samples(&self, column: usize) -> Vec<String> {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !trim_cell(cell).is_empty());
        cells.take(3).cloned().collect()
    }
}

/// Returns the bytes of a file from `from` to `to`.
async fn read_bytes_between(file: &File, from: f64, to: f64) -> Result<Vec<u8>, &'static str> {
    let chunk: Blob = file.slice_with_f64_and_f64(from, to).map_err(|_| imports::unreadable())?;
    let bytes = JsFuture::from(chunk.array_buffer()).await.map_err(|_| imports::unreadable())?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

#[cfg(test)]
mod tests {
    use crate::features::imports::csv_table::*;

    fn parse(text: &str, is_whole: bool) -> CsvTable {
        let mut scan = EncodingDetector::new(text.as_bytes()).unwrap();
        scan.feed(text.as_bytes());
        CsvTable::parse(text.as_bytes(), is_whole, scan.finish(), None, MAX_ROWS).unwrap()
    }

    #[test]
    fn shows_header_and_samples() {
        let table = parse("\u{feff}No; Name ;Notes\r\n1;\"Ada; B\";\r\n2;Bob;x\r\n", true);
        assert_eq!((table.delimiter, table.encoding), (Delimiter::Semicolon, Encoding::Utf8));
        assert_eq!(table.header, ["No", "Name", "Notes"]);
        assert_eq!(table.rows, [["1", "Ada; B", ""], ["2", "Bob", "x"]]);
        assert_eq!([table.samples(1), table.samples(2)], [vec!["Ada; B", "Bob"], vec!["x"]]);
        assert!(parse("", true).is_empty() && !table.is_empty());
        assert_eq!(parse("id,city\n1,\"Ro\"me\n2,Bonn\n", true).errors, [Some(RowError::TextAfterQuote), None]);
    }

    #[test]
    fn omits_a_truncated_row() {
        assert_eq!(parse("id,city\n1,Rome\n2,Os", false).rows, [["1", "Rome"]]);
        assert_eq!(parse(&format!("id\n{}", "1\n".repeat(100)), false).rows.len(), MAX_ROWS);
    }

    #[test]
    fn detects_call_detail_records() {
        let call = "\"\",\"101\",\"202\",\"x\",\"\",\"SIP/101-1\",\"\",\"Dial\",\"\",\"2026-05-01 11:30:00\",,\
             \"2026-05-01 11:30:07\",7,0,\"BUSY\",\"DOCUMENTATION\",\"1777627800.1\"\n";
        let table = parse(call, true);
        assert_eq!((table.has_call_details, table.rows.len()), (true, 1));
        assert_eq!((table.header[1].as_str(), table.rows[0][1].as_str()), ("src", "101"));
        let columns = CallDetailReader::columns(17).join(";");
        let rejected = parse(&format!("line;reason;{columns}\n1;wrong;{}", call.replace(',', ";")), true);
        assert_eq!((rejected.has_call_details, rejected.header, rejected.rows), (true, table.header, table.rows));
    }

    #[test]
    fn omits_reason_columns_like_an_import() {
        let table = parse("line,reason,id,city,'=A1\n3,wrong,7,Rome,'@ada\n4\n", true);
        assert_eq!(table.header, ["id", "city", "=A1"]);
        assert_eq!(table.rows, [vec!["7", "Rome", "@ada"], vec![]]);
        assert_eq!(parse("id\n'@ada\n", true).rows, [["'@ada"]]);
    }
}
