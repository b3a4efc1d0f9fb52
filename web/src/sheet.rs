//! The beginning of a CSV file that somebody picked, read in the browser: the names of its columns and its first rows.

use csv::{ReaderBuilder, StringRecord};
use js_sys::{Array, Object, Uint8Array};
use leadscribe_engine::record::{CallDetails, Delimiter, Format, REASON_COLUMNS, unguarded};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, TextDecoder};

/// Bytes of a file that are looked at: a header and some hundred rows, as rows usually are.
const BEGINNING: i32 = 64 * 1024;

/// Most rows that are shown.
const ROWS: usize = 8;

/// What the first lines of a file say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// What separates the cells.
    pub delimiter: Option<Delimiter>,
    /// What the rows are.
    pub format: Option<Format>,
    /// The names of the columns, without blanks around them.
    pub header: Vec<String>,
    /// The first rows.
    pub rows: Vec<Vec<String>>,
    /// How its letters are written.
    pub letters: Letters,
}

/// How the letters of a file beyond those of ASCII are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// In UTF-8, or there are none.
    #[default]
    Utf8,
    /// Some in UTF-8, others not.
    Mixed,
    /// None of them in UTF-8.
    Other,
}

impl Letters {
    /// Of a text that was read as UTF-8.
    fn of(text: &str) -> Self {
        let has_others = text.contains(char::REPLACEMENT_CHARACTER);
        let has_good = text.chars().any(|letter| !letter.is_ascii() && letter != char::REPLACEMENT_CHARACTER);
        match (has_others, has_good) {
            (false, _) => Self::Utf8,
            (true, true) => Self::Mixed,
            (true, false) => Self::Other,
        }
    }
}

/// Most bytes of a file that is written anew, which takes some times as much memory.
const MOST: f64 = 256.0 * 1024.0 * 1024.0;

/// Whether a file is no text but a workbook, as Excel, LibreOffice and Numbers save them: a zip, or the format before.
pub async fn is_workbook(file: &File) -> bool {
    const MARKS: [&[u8]; 2] = [b"PK\x03\x04", &[0xd0, 0xcf, 0x11, 0xe0]];
    let Ok(beginning) = file.slice_with_i32_and_i32(0, 4) else { return false };
    let Ok(bytes) = JsFuture::from(beginning.array_buffer()).await else { return false };
    MARKS.contains(&Uint8Array::new(&bytes).to_vec().as_slice())
}

/// A file with its sheet, ready to be imported, and whether it was written anew: one without any UTF-8 is read as Windows-1252,
/// as spreadsheets save it in western Europe.
pub async fn readable(file: File) -> Result<(File, Sheet, bool), JsValue> {
    let sheet = Sheet::of(&file).await?;
    if sheet.letters != Letters::Other || file.size() > MOST {
        return Ok((file, sheet, false));
    }
    let bytes: Object = JsFuture::from(file.array_buffer()).await?.unchecked_into();
    let text = TextDecoder::new_with_label("windows-1252")?.decode_with_buffer_source(&bytes)?;
    let file = File::new_with_str_sequence(&Array::of1(&text.into()), &file.name())?;
    let sheet = Sheet::of(&file).await?;
    Ok((file, sheet, true))
}

impl Sheet {
    /// Looks into a file.
    pub async fn of(file: &File) -> Result<Self, JsValue> {
        let beginning = file.slice_with_i32_and_i32(0, BEGINNING)?;
        let text = JsFuture::from(beginning.text()).await?.as_string().unwrap_or_default();
        Ok(Self::read(&text, file.size() <= f64::from(BEGINNING)))
    }

    /// Reads the text of a file's beginning, or of all of it. Columns that say why rows were refused are left out, and so are the
    /// apostrophes that came with them, as an import leaves them out.
    fn read(text: &str, is_whole: bool) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // The last letter of a beginning may be cut off.
        let letters = Letters::of(if is_whole { text } else { text.trim_end_matches(char::REPLACEMENT_CHARACTER) });
        let delimiter = Delimiter::guess(text.lines().next().unwrap_or_default());
        let mut csv = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter.byte())
            .from_reader(text.as_bytes());
        // One more than is shown: the last of a beginning may be cut off.
        let mut records: Vec<StringRecord> = csv.records().filter_map(Result::ok).take(ROWS + 2).collect();
        if !is_whole && records.len() < ROWS + 2 {
            records.pop();
        }
        let mut rows = records.iter().map(|record| record.iter().map(str::to_owned).collect::<Vec<_>>()).peekable();
        if rows.peek().is_some_and(|row| CallDetails::are_in(row)) {
            let header = CallDetails::columns(records[0].len());
            let rows = rows.take(ROWS).collect();
            return Self { delimiter: Some(delimiter), format: Some(Format::Asterisk), header, rows, letters };
        }
        let mut header: Vec<_> = rows.next().unwrap_or_default().iter().map(|name| name.trim().to_owned()).collect();
        let format = if CallDetails::are_named_in(&header) { Format::Asterisk } else { Format::Fields };
        // The import passes over what spreadsheets write below their last row.
        let mut rows: Vec<_> = rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).take(ROWS).collect();
        if header.starts_with(&REASON_COLUMNS.map(str::to_owned)) {
            for row in rows.iter_mut().chain([&mut header]) {
                row.drain(..REASON_COLUMNS.len().min(row.len()));
                row.iter_mut().for_each(|cell| *cell = unguarded(cell).to_owned());
            }
        }
        Self { delimiter: Some(delimiter), format: Some(format), header, rows, letters }
    }

    /// What separates the cells, or would.
    pub fn separated_by(&self) -> Delimiter {
        self.delimiter.unwrap_or(Delimiter::Comma)
    }

    /// The cells of the columns that are `wanted`, in the first rows.
    pub fn cells_of<'a>(&'a self, wanted: &'a [bool]) -> impl Iterator<Item = &'a str> {
        let in_row = move |row: &'a Vec<String>| row.iter().zip(wanted).filter(|(_, wanted)| **wanted);
        self.rows.iter().flat_map(in_row).map(|(cell, _)| cell.as_str())
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.header.iter().all(String::is_empty)
    }

    /// The first values of a column that aren't empty.
    pub fn samples(&self, column: usize) -> Vec<String> {
        let cells = self.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.trim().is_empty());
        cells.take(3).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rows_are_read_as_they_are_separated() {
        let sheet = Sheet::read("\u{feff}No; Name ;Notes\r\n1;\"Ada; B\";\r\n2;Bob;x\r\n", true);
        assert_eq!(sheet.delimiter, Some(Delimiter::Semicolon));
        assert_eq!(sheet.header, ["No", "Name", "Notes"]);
        assert_eq!(sheet.rows, [["1", "Ada; B", ""], ["2", "Bob", "x"]]);
        assert_eq!(sheet.samples(1), ["Ada; B", "Bob"]);
        assert_eq!(sheet.samples(2), ["x"]);
        assert!(sheet.letters == Letters::Utf8 && !sheet.is_empty());
        assert!(Sheet::read("", true).is_empty());
        let with_blank = Sheet::read("No;Name\n1;Ada\n;\n2;Bob\n;\n", true);
        assert_eq!(with_blank.rows, [["1", "Ada"], ["2", "Bob"]]);
    }

    #[test]
    fn a_row_that_is_cut_off_is_not_shown() {
        assert_eq!(Sheet::read("id,city\n1,Rome\n2,Os", false).rows, [["1", "Rome"]]);
        let long = format!("id\n{}", "1\n".repeat(100));
        assert_eq!(Sheet::read(&long, false).rows.len(), ROWS);
        for (name, letters) in
            [("M\u{fffd}ller", Letters::Other), ("Müller-M\u{fffd}", Letters::Mixed), ("Müller", Letters::Utf8)]
        {
            assert_eq!(Sheet::read(&format!("name\n{name}\n"), true).letters, letters, "{name}");
        }
        assert_eq!(Sheet::read("name\nAda\nM\u{fffd}", false).letters, Letters::Utf8, "cut off in a letter");
    }

    #[test]
    fn call_detail_records_are_known() {
        let call = "\"\",\"101\",\"202\",\"x\",\"\",\"SIP/101-1\",\"\",\"Dial\",\"\",\"2026-05-01 11:30:00\",,\
             \"2026-05-01 11:30:07\",7,0,\"BUSY\",\"DOCUMENTATION\",\"1777627800.1\"\n";
        let sheet = Sheet::read(call, true);
        assert_eq!((sheet.format, sheet.rows.len()), (Some(Format::Asterisk), 1));
        assert_eq!((sheet.header[1].as_str(), sheet.rows[0][1].as_str()), ("src", "101"));
        let refused = format!("line;reason;{}\n1;wrong;{}", CallDetails::columns(17).join(";"), call.replace(',', ";"));
        let again = Sheet::read(&refused, true);
        assert_eq!((again.delimiter, again.format), (Some(Delimiter::Semicolon), Some(Format::Asterisk)));
        assert_eq!((again.header, again.rows), (sheet.header, sheet.rows));
    }

    #[test]
    fn reasons_are_left_out_as_an_import_leaves_them_out() {
        let sheet = Sheet::read("line,reason,id,city,'=A1\n3,wrong,7,Rome,'@ada\n4\n", true);
        assert_eq!(sheet.header, ["id", "city", "=A1"]);
        assert_eq!(sheet.rows, [vec!["7", "Rome", "@ada"], vec![]]);
        assert_eq!(Sheet::read("id\n'@ada\n", true).rows, [["'@ada"]]);
    }
}
