//! The beginning of a CSV file that was picked: the names of its columns and its first rows, as the server will read them.

use js_sys::Uint8Array;
use leadscribe_engine::csv::{
    BEGINNING_BYTES, Dialect, DialectError, Encoding, EncodingError, EncodingScan, RawRow, RowError, RowReader, trimmed,
};
use leadscribe_engine::record::{CallDetails, Delimiter, Format, REASON_COLUMNS, unguarded};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

/// Most rows that are shown.
const ROWS: usize = 8;

/// Bytes that are read at once to find the encoding of a large file.
const PIECE_BYTES: f64 = 4.0 * 1024.0 * 1024.0;

/// What the first lines of a file say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// What separates the cells.
    pub delimiter: Option<Delimiter>,
    /// What the rows are.
    pub format: Option<Format>,
    /// The character encoding; none before a file was read.
    pub encoding: Option<Encoding>,
    /// The names of the columns, without blanks around them.
    pub header: Vec<String>,
    /// The first rows.
    pub rows: Vec<Vec<String>>,
    /// The error of each of them whose cells can't be told.
    pub errors: Vec<Option<RowError>>,
    /// True if some of the cells aren't text in this encoding.
    pub is_garbled: bool,
}

/// Why nothing can be read of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The browser can't read it.
    File,
    /// A workbook or other binary data.
    Binary,
    /// UTF-32.
    Utf32,
    /// Its line `sep=` names a delimiter that isn't read.
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
    /// Looks into a file. All of it is read only where its beginning doesn't show the encoding.
    ///
    /// # Errors
    /// It can't be read, or is no CSV file.
    pub async fn of(file: &File) -> Result<Self, Unreadable> {
        let beginning = bytes_of(file, 0.0, BEGINNING_BYTES as f64).await?;
        let mut scan = EncodingScan::new(&beginning)?;
        scan.feed(&beginning);
        let mut at = beginning.len() as f64;
        // Letters of ASCII are the same in every encoding that is left.
        while at < file.size() && !scan.is_decided() && !beginning.is_ascii() {
            scan.feed(&bytes_of(file, at, at + PIECE_BYTES).await?);
            at += PIECE_BYTES;
        }
        Self::read(&beginning, file.size() <= BEGINNING_BYTES as f64, scan.finish())
    }

    /// Reads a file's beginning, or all of it. Columns that say why rows were refused are left out, and so are the apostrophes that
    /// came with them, as an import leaves them out.
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

    /// The cells of the columns that are `wanted`, in the first rows.
    pub fn cells_of<'a>(&'a self, wanted: &'a [bool]) -> impl Iterator<Item = &'a str> {
        let in_row = move |row: &'a Vec<String>| row.iter().zip(wanted).filter(|(_, wanted)| **wanted);
        self.rows.iter().flat_map(in_row).map(|(cell, _)| trimmed(cell))
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.header.iter().all(String::is_empty)
    }

    /// The first values of a column that aren't empty.
    pub fn samples(&self, column: usize) -> Vec<String> {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !trimmed(cell).is_empty());
        cells.take(3).cloned().collect()
    }
}

/// The bytes of a file from here to there.
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
    fn first_rows_are_read_as_they_are_separated() {
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
    fn a_row_that_is_cut_off_is_not_shown() {
        assert_eq!(read("id,city\n1,Rome\n2,Os", false).rows, [["1", "Rome"]]);
        assert_eq!(read(&format!("id\n{}", "1\n".repeat(100)), false).rows.len(), ROWS);
    }

    #[test]
    fn damaged_rows_have_their_errors() {
        let sheet = read("id,city\n1,\"Ro\"me\n2,Bonn\n", true);
        assert_eq!(sheet.errors, [Some(RowError::TextAfterQuote), None]);
    }

    #[test]
    fn encodings_are_read_as_the_server_reads_them() {
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
    fn call_detail_records_are_known() {
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
    fn reasons_are_left_out_as_an_import_leaves_them_out() {
        let sheet = read("line,reason,id,city,'=A1\n3,wrong,7,Rome,'@ada\n4\n", true);
        assert_eq!(sheet.header, ["id", "city", "=A1"]);
        assert_eq!(sheet.rows, [vec!["7", "Rome", "@ada"], vec![]]);
        assert_eq!(read("id\n'@ada\n", true).rows, [["'@ada"]]);
    }
}
