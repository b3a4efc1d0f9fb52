//! Preview of a CSV file: the column names and the first rows, parsed the way the server does.

use js_sys::Uint8Array;
use leadscribe_engine::csv::{
    BEGINNING_BYTES, Dialect, DialectError, Encoding, EncodingError, EncodingScan, RawRow, RowError, RowReader, trimmed,
};
use leadscribe_engine::record::{CallDetails, Delimiter, Format, REASON_COLUMNS, unguarded};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

/// Maximum number of rows in the preview.
const ROWS: usize = 8;

/// Bytes to read per step while detecting the encoding of a large file.
const PIECE_BYTES: f64 = 4.0 * 1024.0 * 1024.0;

/// First lines of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Delimiter of the cells.
    pub delimiter: Option<Delimiter>,
    /// Format of the rows.
    pub format: Option<Format>,
    /// Character encoding; `None` before a file was read.
    pub encoding: Option<Encoding>,
    /// Column names, trimmed.
    pub header: Vec<String>,
    /// First rows.
    pub rows: Vec<Vec<String>>,
    /// Parse error of each row, if its cells can't be parsed.
    pub errors: Vec<Option<RowError>>,
    /// True if some cells aren't valid text in this encoding.
    pub is_garbled: bool,
}

/// Reason why a file can't be read.
#[derive(Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The browser can't read the file.
    File,
    /// A workbook or other binary data.
    Binary,
    /// UTF-32.
    Utf32,
    /// The line `sep=` names an unsupported delimiter.
    Delimiter,
}

impl From<EncodingError> for Unreadable {
    fn from(error: EncodingError) -> Self {
        match error {
            EncodingError::Utf32 => Self::Utf32,
            EncodingError::Binary => Self::Binary,
        }
    }
}

impl Sheet {
    /// Reads the start of a file. The whole file is read only if its start doesn't show the encoding.
    ///
    /// # Errors
    /// The file can't be read or isn't a CSV file.
    pub async fn of(file: &File) -> Result<Self, Unreadable> {
        let beginning = bytes_of(file, 0.0, BEGINNING_BYTES as f64).await?;
        let mut scan = EncodingScan::new(&beginning)?;
        scan.feed(&beginning);
        let mut at = beginning.len() as f64;
        // ASCII characters are the same in all remaining encodings.
        while at < file.size() && !scan.is_decided() && !beginning.is_ascii() {
            scan.feed(&bytes_of(file, at, at + PIECE_BYTES).await?);
            at += PIECE_BYTES;
        }
        Self::read(&beginning, file.size() <= BEGINNING_BYTES as f64, scan.finish())
    }

    /// Parses the start of a file, or all of it. Like an import, it leaves out columns with the reasons for refused rows, and
    /// the apostrophes that were added with them.
    fn read(bytes: &[u8], is_whole: bool, encoding: (Encoding, usize)) -> Result<Self, Unreadable> {
        let dialect = Dialect::detect(bytes, is_whole, encoding, None, |_| false)
            .map_err(|DialectError::UnknownDelimiter(_)| Unreadable::Delimiter)?;
        let mut reader = RowReader::new(dialect.encoding, dialect.delimiter, dialect.skipped_lines);
        reader.feed(&bytes[dialect.mark_bytes..]);
        if is_whole {
            reader.end();
        }
        let mut first = reader.next_row().ok().flatten().unwrap_or_default();
        reader.set_width(first.len());
        let names: Vec<String> = first.texts().iter().map(|name| trimmed(name).to_owned()).collect();
        let is_call = CallDetails::are_in(&names);
        let mut header = if is_call { CallDetails::columns(first.len()) } else { names };
        let format = if is_call || CallDetails::are_named_in(&header) { Format::Asterisk } else { Format::Fields };
        let others = std::iter::from_fn(|| reader.next_row().ok().flatten());
        let first = is_call.then(|| std::mem::take(&mut first));
        let raw: Vec<RawRow> = first.into_iter().chain(others).take(ROWS).collect();
        let is_garbled = raw.iter().any(|row| row.as_str().is_none());
        let errors = raw.iter().map(|row| row.wrong).collect();
        let mut rows: Vec<Vec<String>> = raw.iter().map(RawRow::texts).collect();
        if header.starts_with(&REASON_COLUMNS.map(str::to_owned)) {
            for row in rows.iter_mut().chain([&mut header]) {
                row.drain(..REASON_COLUMNS.len().min(row.len()));
                row.iter_mut().for_each(|cell| *cell = unguarded(cell).to_owned());
            }
        }
        let (delimiter, format, encoding) = (Some(dialect.delimiter), Some(format), Some(dialect.encoding));
        Ok(Self { delimiter, format, encoding, header, rows, errors, is_garbled })
    }

    /// Cells of the `wanted` columns in the first rows.
    pub fn cells_of<'a>(&'a self, wanted: &'a [bool]) -> impl Iterator<Item = &'a str> {
        let in_row = move |row: &'a Vec<String>| row.iter().zip(wanted).filter(|(_, wanted)| **wanted);
        self.rows.iter().flat_map(in_row).map(|(cell, _)| trimmed(cell))
    }

    /// True if the file is empty.
    pub fn is_empty(&self) -> bool {
        self.header.iter().all(String::is_empty)
    }

    /// First non-empty values of a column.
    pub fn samples(&self, column: usize) -> Vec<String> {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !trimmed(cell).is_empty());
        cells.take(3).cloned().collect()
    }
}

/// Returns the bytes of a file from `from` to `to`.
async fn bytes_of(file: &File, from: f64, to: f64) -> Result<Vec<u8>, Unreadable> {
    let piece: Blob = file.slice_with_f64_and_f64(from, to).map_err(|_| Unreadable::File)?;
    let bytes = JsFuture::from(piece.array_buffer()).await.map_err(|_| Unreadable::File)?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, is_whole: bool) -> Sheet {
        read_bytes(text.as_bytes(), is_whole)
    }

    fn read_bytes(bytes: &[u8], is_whole: bool) -> Sheet {
        let mut scan = EncodingScan::new(bytes).unwrap();
        scan.feed(bytes);
        Sheet::read(bytes, is_whole, scan.finish()).unwrap()
    }

    #[test]
    fn detects_the_delimiter() {
        let sheet = read("\u{feff}No; Name ;Notes\r\n1;\"Ada; B\";\r\n2;Bob;x\r\n", true);
        assert_eq!(sheet.delimiter, Some(Delimiter::Semicolon));
        assert_eq!(sheet.header, ["No", "Name", "Notes"]);
        assert_eq!(sheet.rows, [["1", "Ada; B", ""], ["2", "Bob", "x"]]);
        assert_eq!(sheet.samples(1), ["Ada; B", "Bob"]);
        assert_eq!(sheet.samples(2), ["x"]);
        assert!(sheet.encoding == Some(Encoding::Utf8) && !sheet.is_garbled && !sheet.is_empty());
        assert!(read("", true).is_empty());
        let with_blank = read("No;Name\n1;Ada\n;\n2;Bob\n;\n", true);
        assert_eq!(with_blank.rows, [["1", "Ada"], ["2", "Bob"]]);
        assert_eq!(read("sep=;\r\nid;city\r\n1;Rome\r\n", true).header, ["id", "city"]);
    }

    #[test]
    fn omits_a_truncated_row() {
        assert_eq!(read("id,city\n1,Rome\n2,Os", false).rows, [["1", "Rome"]]);
        assert_eq!(read(&format!("id\n{}", "1\n".repeat(100)), false).rows.len(), ROWS);
    }

    #[test]
    fn reports_errors_of_damaged_rows() {
        let sheet = read("id,city\n1,\"Ro\"me\n2,Bonn\n", true);
        assert_eq!(sheet.errors, [Some(RowError::TextAfterQuote), None]);
    }

    #[test]
    fn detects_encodings_like_the_server() {
        let western = read_bytes(b"name\nM\xfcller\n", true);
        assert_eq!((western.encoding, western.is_garbled), (Some(Encoding::Windows1252), false));
        assert_eq!(western.rows, [["M\u{fc}ller"]]);
        let mixed = read_bytes(b"name\nM\xc3\xbcller\nJ\xf6rg\n", true);
        assert_eq!((mixed.encoding, mixed.is_garbled), (Some(Encoding::Utf8), true));
        let utf16: Vec<u8> = "\u{feff}id\tcity\r\n1\tK\u{f6}ln\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let sheet = read_bytes(&utf16, true);
        assert_eq!((sheet.encoding, sheet.delimiter), (Some(Encoding::Utf16Le), Some(Delimiter::Tab)));
        assert_eq!(
            (sheet.header, sheet.rows),
            (vec!["id".to_owned(), "city".to_owned()], vec![vec!["1".to_owned(), "K\u{f6}ln".to_owned()]])
        );
    }

    #[test]
    fn detects_call_detail_records() {
        let call = "\"\",\"101\",\"202\",\"x\",\"\",\"SIP/101-1\",\"\",\"Dial\",\"\",\"2026-05-01 11:30:00\",,\
             \"2026-05-01 11:30:07\",7,0,\"BUSY\",\"DOCUMENTATION\",\"1777627800.1\"\n";
        let sheet = read(call, true);
        assert_eq!((sheet.format, sheet.rows.len()), (Some(Format::Asterisk), 1));
        assert_eq!((sheet.header[1].as_str(), sheet.rows[0][1].as_str()), ("src", "101"));
        let refused = format!("line;reason;{}\n1;wrong;{}", CallDetails::columns(17).join(";"), call.replace(',', ";"));
        let again = read(&refused, true);
        assert_eq!((again.delimiter, again.format), (Some(Delimiter::Semicolon), Some(Format::Asterisk)));
        assert_eq!((again.header, again.rows), (sheet.header, sheet.rows));
    }

    #[test]
    fn omits_reason_columns_like_an_import() {
        let sheet = read("line,reason,id,city,'=A1\n3,wrong,7,Rome,'@ada\n4\n", true);
        assert_eq!(sheet.header, ["id", "city", "=A1"]);
        assert_eq!(sheet.rows, [vec!["7", "Rome", "@ada"], vec![]]);
        assert_eq!(read("id\n'@ada\n", true).rows, [["'@ada"]]);
    }
}
