//! The rows of a CSV file (RFC 4180: commas or what the mapping says, quotes, UTF-8 with or without byte order mark), read on
//! a thread of their own and handed over in batches.
//!
//! Memory is bounded: by the rows and [bytes](BATCH_BYTES) of three batches, and by [`MAX_ROW_BYTES`] for one row, so that a
//! quote without its partner doesn't make the rest of the file one cell.

use std::io::Read;

use csv::{ByteRecord, StringRecord};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::message::work;
use leadscribe_engine::record::{
    CallDetails, CsvReader, Delimiter, Format, Mapping, OwnNames, REASON_COLUMNS, unguarded, unguarded_bytes,
};
use tokio::sync::mpsc;

use super::in_words;
use super::kinds::{DefaultCountry, Importable};
use super::source::Source;

/// Rows of one batch, which is one transaction: enough that the cost of a commit doesn't count, few enough that others
/// get their turn to write several times a second.
pub const BATCH_ROWS: usize = 2_000;

/// Bytes after which a batch ends, however few rows it has: far more than what 2,000 rows of leads take, and so little that
/// several imports at once fit into a small server.
pub const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// Largest row, in bytes; the largest cell that any field takes is far smaller.
pub const MAX_ROW_BYTES: u64 = 1024 * 1024;

/// Most columns of a file, with those that are left out. An import keeps their names, and every list of imports shows them.
const MAX_COLUMNS: usize = 1_000;

/// Most bytes of their names together.
const MAX_NAMES_BYTES: usize = 32 * 1024;

/// Most faults of a header that are told, for the same reason.
const MAX_HEADER_FAULTS: usize = 100;

/// What a fault takes, about.
const FAULT_BYTES: usize = 512;

/// Bytes read from the file at once.
const BUFFER_BYTES: usize = 128 * 1024;

/// One row of a file, and what it is as a record.
#[derive(Debug)]
pub struct Row<R> {
    /// The line of the file on which it starts; the header is line 1.
    pub line: u64,
    /// Its cells, as they stood.
    pub cells: StringRecord,
    /// The line that it stood at when it was refused, in a file of refused rows.
    pub corrects: Option<u64>,
    /// What it is.
    pub record: R,
}

/// What comes from the thread that reads a file: its columns first, then its rows.
#[derive(Debug)]
pub enum Part<T> {
    /// The names of the columns, and which of them stand for a field of another name.
    Columns(Vec<String>, OwnNames),
    /// Some rows.
    Rows(Batch<T>),
}

impl<T> Row<Result<T, Vec<Fault>>> {
    /// Bytes of memory that it takes, about, but for those of a record without texts.
    fn weight(&self) -> usize {
        let faults = self.record.as_ref().err().map_or(0, Vec::len);
        self.cells.as_slice().len() + self.cells.len() * size_of::<usize>() + faults * FAULT_BYTES
    }
}

/// Some rows, and how far the file is read.
#[derive(Debug)]
pub struct Batch<T> {
    /// The rows, each a record or what is wrong with it.
    pub rows: Vec<Row<Result<T, Vec<Fault>>>>,
    /// Bytes of the file that are behind.
    pub bytes_read: u64,
}

/// How the rows of a file are to be read.
#[derive(Debug)]
pub struct Reading {
    /// Which field each column is about.
    pub mapping: Mapping,
    /// The country of phone numbers without one.
    pub country: DefaultCountry,
    /// Most rows of one batch.
    pub batch_rows: usize,
    /// Bytes after which a batch ends.
    pub batch_bytes: usize,
}

/// Something is wrong with the file as a whole; the text says what.
#[derive(Debug, PartialEq)]
pub struct RowsError(pub String);

/// Reads a file on a thread of its own. An error is the last thing that comes.
pub fn read<T: Importable>(
    reader: impl Read + Send + 'static,
    how: Reading,
) -> mpsc::Receiver<Result<Part<T>, RowsError>> {
    // One batch waits while another is written and a third is being read.
    let (sender, receiver) = mpsc::channel(1);
    tokio::task::spawn_blocking(move || {
        let send = |part| sender.blocking_send(Ok(part)).is_ok();
        if let Err(error) = read_all::<T>(reader, &how, send) {
            // Nobody listens any more when the import was given up.
            let _ = sender.blocking_send(Err(error));
        }
    });
    receiver
}

/// Reads a file to its end, or until `send` says that nobody wants more.
fn read_all<T: Importable>(
    reader: impl Read,
    how: &Reading,
    mut send: impl FnMut(Part<T>) -> bool,
) -> Result<(), RowsError> {
    // Only `\n` ends a line, so that the library counts lines as editors do; `\r` before it is taken off below.
    let Reading { mapping, country, batch_rows, batch_bytes } = how;
    let mut csv = csv::ReaderBuilder::new()
        .flexible(true)
        .delimiter(mapping.delimiter.byte())
        .has_headers(mapping.format == Format::Fields)
        .terminator(csv::Terminator::Any(b'\n'))
        .buffer_capacity(BUFFER_BYTES)
        .from_reader(Source::new(reader, MAX_ROW_BYTES));
    let first = csv.byte_headers().cloned().map_err(|error| unreadable(&error, 1))?;
    let mut bytes = ByteRecord::new();
    let mut names = match (mapping.format, names_of_call_details(&first)) {
        (Format::Fields, _) => checked_header(first, mapping.delimiter)?,
        (Format::Asterisk, Some(names)) => {
            // Without a header of its own, a file's first line would come as a row.
            csv.read_byte_record(&mut bytes).map_err(|error| unreadable(&error, 1))?;
            names
        }
        (Format::Asterisk, None) => CallDetails::columns(first.len()),
    };
    let is_mended = names.starts_with(&REASON_COLUMNS.map(str::to_owned));
    if is_mended {
        names.drain(..REASON_COLUMNS.len());
        names.iter_mut().for_each(|name| *name = unguarded(name).to_owned());
    }
    check_size(&names)?;
    let columns = T::columns(&names, mapping).map_err(|mut faults| {
        faults.truncate(MAX_HEADER_FAULTS);
        RowsError(format!("header: {}", in_words(&faults)))
    })?;
    if !send(Part::Columns(names, columns.own_names().clone())) {
        return Ok(());
    }
    let mut is_over = false;
    while !is_over {
        let mut batch = Batch { rows: Vec::with_capacity(*batch_rows), bytes_read: 0 };
        let mut weight = 0;
        while batch.rows.len() < *batch_rows && weight < *batch_bytes {
            csv.get_mut().next_row();
            let start = csv.position().line();
            if !csv.read_byte_record(&mut bytes).map_err(|error| unreadable(&error, start))? {
                is_over = true;
                break;
            }
            let end = csv.position();
            let is_open = bytes.as_slice().ends_with(b"\n") && csv.get_ref().quote_is_open(end.byte());
            strip_carriage_return(&mut bytes);
            if !is_blank(&bytes) {
                let closed = !is_open && csv.get_ref().row_is_closed(end.byte());
                let line = first_line(&bytes, end.line(), closed);
                let corrects =
                    bytes.get(0).filter(|_| is_mended).and_then(|line| std::str::from_utf8(line).ok()?.parse().ok());
                if is_mended {
                    bytes = bytes.iter().skip(REASON_COLUMNS.len()).map(unguarded_bytes).collect();
                }
                let mut read = row(&columns, &bytes, line, country);
                read.corrects = corrects;
                if is_open {
                    let fault = Fault::new(Place::Column(String::new()), "unclosed_quote", work::unclosed_quote());
                    read.record = Err(vec![fault]);
                }
                weight += read.weight();
                batch.rows.push(read);
            }
        }
        batch.bytes_read = csv.position().byte();
        if !batch.rows.is_empty() && !send(Part::Rows(batch)) {
            return Ok(());
        }
    }
    Ok(())
}

/// Takes off what is left of a line that ended with `\r\n`.
fn strip_carriage_return(row: &mut ByteRecord) {
    let Some(last) = row.len().checked_sub(1) else { return };
    if let Some(cell) = row[last].strip_suffix(b"\r").map(<[u8]>::to_vec) {
        row.truncate(last);
        row.push_field(&cell);
    }
}

/// Whether nothing stands in a row: an empty line, or what spreadsheets write below their last row.
fn is_blank(row: &ByteRecord) -> bool {
    row.iter().all(<[u8]>::is_empty)
}

/// The line on which a row starts, behind which the reader stands on line `end`; `closed` tells whether a line break
/// lies between.
fn first_line(row: &ByteRecord, end: u64, closed: bool) -> u64 {
    let within = row.as_slice().iter().filter(|byte| **byte == b'\n').count() as u64;
    end - within - u64::from(closed)
}

fn row<T: Importable>(
    columns: &CsvReader<T>,
    bytes: &ByteRecord,
    line: u64,
    country: &DefaultCountry,
) -> Row<Result<T, Vec<Fault>>> {
    match StringRecord::from_byte_record(copy(bytes)) {
        Ok(cells) => {
            let texts: Vec<&str> = cells.iter().collect();
            let record = T::record(columns, &texts).map(|record| record.prepared(country));
            Row { line, corrects: None, record, cells }
        }
        Err(error) => {
            let cells: StringRecord = bytes.iter().map(String::from_utf8_lossy).collect();
            let detail = work::cell_not_utf8(error.utf8_error().field() + 1);
            Row {
                line,
                corrects: None,
                record: Err(vec![Fault::new(Place::Column(String::new()), "invalid_utf8", detail)]),
                cells,
            }
        }
    }
}

/// A copy without the room that a record which is read into has kept for the largest row so far.
fn copy(row: &ByteRecord) -> ByteRecord {
    let mut copy = ByteRecord::with_capacity(row.as_slice().len(), row.len());
    row.iter().for_each(|cell| copy.push_field(cell));
    copy
}

/// Whether the names of the columns are few and short enough to be kept.
fn check_size(names: &[String]) -> Result<(), RowsError> {
    let bytes: usize = names.iter().map(String::len).sum();
    if names.len() <= MAX_COLUMNS && bytes <= MAX_NAMES_BYTES {
        return Ok(());
    }
    let what = work::header_too_large(MAX_COLUMNS, MAX_NAMES_BYTES, names.len(), bytes);
    Err(RowsError(work::header(what).to_string()))
}

/// The names of the columns of call detail records, where they stand in the first line.
fn names_of_call_details(first: &ByteRecord) -> Option<Vec<String>> {
    let names: Option<Vec<_>> =
        first.iter().map(|cell| Some(std::str::from_utf8(cell).ok()?.trim().to_owned())).collect();
    names.filter(|names| CallDetails::are_named_in(names))
}

/// The names of the columns.
fn checked_header(header: ByteRecord, delimiter: Delimiter) -> Result<Vec<String>, RowsError> {
    let header = StringRecord::from_byte_record(header)
        .map_err(|_| RowsError(work::header(work::header_not_utf8()).to_string()))?;
    let names: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
    if names.iter().all(String::is_empty) {
        return Err(RowsError(work::no_header().to_string()));
    }
    let separators = names.len() - 1;
    for other in Delimiter::ALL.iter().filter(|other| **other != delimiter) {
        // A name may hold a comma or semicolon of its own, in quotes; what stands there most often is the separator.
        if names.iter().map(|name| name.matches(other.as_str()).count()).sum::<usize>() > separators {
            let what = work::other_separator(delimiter.spelled(), other.spelled(), delimiter.spelled());
            return Err(RowsError(work::header(what).to_string()));
        }
    }
    Ok(names)
}

fn unreadable(error: &csv::Error, line: u64) -> RowsError {
    match error.kind() {
        csv::ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
            RowsError(work::at_line(line, work::row_too_long(MAX_ROW_BYTES)).to_string())
        }
        _ => RowsError(format!("line {line}: the file can't be read: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::record::{CallRecord, LeadRecord};

    use super::*;

    /// A line, and the first name of the lead that stands there, or what is wrong with it.
    type Line = (u64, Result<Option<String>, String>);

    /// The rows of a file of leads.
    fn rows_of(file: &str) -> Result<Vec<Line>, String> {
        rows_mapped(file, "{}")
    }

    /// The rows of a file of leads that is read with a mapping.
    fn rows_mapped(file: &str, mapping: &str) -> Result<Vec<Line>, String> {
        let mapping = Mapping::from_json(mapping).unwrap();
        let how = Reading { mapping, country: DefaultCountry::default(), batch_rows: 2, batch_bytes: BATCH_BYTES };
        let mut rows = Vec::new();
        let send = |part| {
            if let Part::Rows(batch) = part {
                rows.extend(batch.rows);
            }
            true
        };
        let file = file.as_bytes().to_vec();
        read_all::<LeadRecord>(std::io::Cursor::new(file), &how, send).map_err(|error| error.0)?;
        let outcome = |row: Row<Result<LeadRecord, Vec<Fault>>>| {
            let record = row.record.map(|lead| lead.first_name.flatten()).map_err(|faults| in_words(&faults));
            (row.line, record)
        };
        Ok(rows.into_iter().map(outcome).collect())
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let name = |name: &str| Ok(Some(name.to_owned()));
        let file = "id,first_name\n1,Ada\n2,\"Grace\nHopper\"\n3,Joan\n4,Kay\n";
        // Only the address lines may have line breaks, so the second row is refused, with its line.
        let found = rows_of(file).unwrap();
        assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 5, 6]);
        assert_eq!(found[2..], [(5, name("Joan")), (6, name("Kay"))]);
        let found = rows_of(&file.replace('\n', "\r\n")).unwrap();
        assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 5, 6]);
        assert_eq!(found[2..], [(5, name("Joan")), (6, name("Kay"))]);
        for empty in ["\n", "\r\n"] {
            let file = format!("id,first_name{empty}{empty}1,Ada{empty}{empty}{empty}2,\"Joan\"");
            let rows = [(3, name("Ada")), (6, name("Joan"))];
            // The last row's line was once off by one where blank lines came before it and no line break behind.
            assert_eq!(rows_of(&file).unwrap(), rows);
            assert_eq!(rows_of(&(file + empty)).unwrap(), rows);
        }
        let row_over_two_lines = rows_of("id,first_name\n\n\n2,\"Grace\nHopper\"").unwrap();
        assert_eq!(row_over_two_lines[0].0, 4);
    }

    #[test]
    fn a_quote_without_its_partner_is_told_at_its_line() {
        let file = "id,first_name\n1,Ada\n2,\"Grace\n3,Joan\n";
        let refused = Err("expected a quote `\"` that ends the cell, found the end of the file".to_owned());
        assert_eq!(rows_of(file).unwrap(), [(2, Ok(Some("Ada".to_owned()))), (3, refused.clone())]);
        assert_eq!(rows_of(&file.replace('\n', "\r\n")).unwrap()[1], (3, refused));
        let good = "id,first_name\n1,\"Ada\"\n2,\"Grace\"";
        assert!(rows_of(good).unwrap().iter().all(|(_, name)| name.is_ok()));
        // A line break may end a cell, if no field takes it.
        let error = rows_of("id,first_name\n2,\"Grace\n\"\r\n").unwrap().remove(0).1.unwrap_err();
        assert!(error.contains("control characters"), "{error}");
    }

    #[test]
    fn a_line_may_end_with_a_carriage_return_alone() {
        let name = |name: &str| Ok(Some(name.to_owned()));
        assert_eq!(rows_of("id,first_name\r1,Ada\r\r2,Joan\r").unwrap(), [(2, name("Ada")), (4, name("Joan"))]);
        assert_eq!(rows_of("id,first_name\r1,Ada\r2,Joan").unwrap(), [(2, name("Ada")), (3, name("Joan"))]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_name() {
        assert_eq!(rows_of("\u{feff}id,first_name\n7,Ada\n").unwrap(), [(2, Ok(Some("Ada".to_owned())))]);
    }

    #[test]
    fn a_mapping_names_columns_and_separator() {
        let name = |name: &str| Ok(Some(name.to_owned()));
        let mapping = r#"{"columns":{"No":"original_identifier","Vorname":"first_name","Notiz":null},"delimiter":";"}"#;
        let file = "No;Vorname;Notiz\n1;Ada;\"x;y\"\n2;\"a\tb\";\n";
        let refused = "Vorname: expected no control characters, found U+0009".to_owned();
        assert_eq!(rows_mapped(file, mapping).unwrap(), [(2, name("Ada")), (3, Err(refused))]);
        // The file of refused rows has the file's own columns, behind the reasons.
        let mended = "line,reason,No,Vorname,Notiz\n3,x,2,Bob,\n";
        assert_eq!(rows_mapped(mended, &mapping.replace(';', ",")).unwrap(), [(2, name("Bob"))]);
        // There, and nowhere else, an apostrophe before a formula isn't a part of the cell.
        let mended = "line,reason,No,Vorname,'=A1\n3,x,2,'@ada,\n4,x,3,''@ada,\n5,x,4,'tis,\n";
        let own = mapping.replace(';', ",").replace("Notiz", "=A1");
        assert_eq!(rows_mapped(mended, &own).unwrap(), [(2, name("@ada")), (3, name("'@ada")), (4, name("'tis"))]);
        assert_eq!(rows_of("id,first_name\n7,'@ada\n").unwrap(), [(2, name("'@ada"))]);
        let error = rows_mapped("No,Vorname,Notiz\n", mapping).unwrap_err();
        assert!(error.starts_with("header: expected columns separated by semicolons, found commas"), "{error}");
    }

    #[test]
    fn call_detail_records_have_no_header_but_those_that_were_refused() {
        let row = |uniqueid: &str| {
            let call = "\"2026-05-01 11:30:00\",,\"2026-05-01 11:30:07\",7,0,\"BUSY\",\"DOCUMENTATION\"";
            format!("\"\",\"101\",\"202\",\"x\",\"\",\"SIP/101-1\",\"\",\"Dial\",\"\",{call},\"{uniqueid}\"\n")
        };
        let mapping = Mapping::from_json(r#"{"format":"asterisk"}"#).unwrap();
        let how = Reading { mapping, country: DefaultCountry::default(), batch_rows: 10, batch_bytes: BATCH_BYTES };
        let mut parts = Vec::new();
        let file = [row("1777627800.1"), row(""), row("1777627800.2")].concat();
        read_all::<CallRecord>(file.as_bytes(), &how, |part| {
            parts.push(part);
            true
        })
        .unwrap();
        let [Part::Columns(names, _), Part::Rows(batch)] = parts.as_slice() else { panic!("{parts:?}") };
        assert_eq!((names.len(), names[16].as_str()), (17, "uniqueid"));
        let lines: Vec<_> = batch.rows.iter().map(|row| (row.line, row.record.is_ok())).collect();
        assert_eq!(lines, [(1, true), (2, false), (3, true)]);
        let error = read_all::<LeadRecord>(file.as_bytes(), &how, |_| true).unwrap_err();
        assert!(error.0.contains("expected a file of calls"), "{error:?}");

        // Their refused rows, mended, come behind a line of names.
        let mended = format!("line,reason,{}\r\n2,no id,{}", names.join(","), row("1777627800.3"));
        let mut parts = Vec::new();
        read_all::<CallRecord>(mended.as_bytes(), &how, |part| {
            parts.push(part);
            true
        })
        .unwrap();
        let [Part::Columns(again, _), Part::Rows(batch)] = parts.as_slice() else { panic!("{parts:?}") };
        assert_eq!(again, names);
        let calls: Vec<_> = batch.rows.iter().map(|row| (row.line, row.cells.len(), row.record.is_ok())).collect();
        assert_eq!(calls, [(2, 17, true)]);
    }

    #[test]
    fn bad_files_say_why() {
        let nothing = "expected a header with the names of the columns, found an empty file";
        assert_eq!(rows_of(""), Err(nothing.to_owned()));
        for (file, found) in [
            ("id;first_name\n1;Ada\n", "semicolons"),
            ("\"id\";\"first_name\"\r\n1;Ada\r\n", "semicolons"),
            ("id;first_name;\"custom.size, in cm\"\n1;Ada;170\n", "semicolons"),
            ("sep=;\nid;first_name\n1;Ada\n", "semicolons"),
            ("id\tfirst_name\n1\tAda\n", "tabs"),
            ("id|first_name\n1|Ada\n", "bars"),
        ] {
            let message = format!(
                "header: expected columns separated by commas, found {found}; say so in the mapping, as `delimiter`, or \
                 export the file with commas and import it again"
            );
            assert_eq!(rows_of(file), Err(message));
        }
        assert_eq!(rows_of("id,\"custom.a;b\"\n1,x\n").unwrap(), [(2, Ok(None))]);
        let error = rows_of("id,frist_name\n1,Ada\n").unwrap_err();
        assert!(error.starts_with("header: frist_name: ") && error.contains("first_name`?"), "{error}");
    }

    /// How many rows each batch of a file of leads has, and how many bytes of memory its cells take.
    fn batches_of(file: &str, batch_rows: usize, batch_bytes: usize) -> Vec<(usize, usize)> {
        let mapping = Mapping::from_json(r#"{"columns":{"Notiz":null}}"#).unwrap();
        let how = Reading { mapping, country: DefaultCountry::default(), batch_rows, batch_bytes };
        let mut batches = Vec::new();
        read_all::<LeadRecord>(file.as_bytes(), &how, |part| {
            if let Part::Rows(batch) = part {
                batches.push((batch.rows.len(), batch.rows.iter().map(Row::weight).sum()));
            }
            true
        })
        .unwrap();
        batches
    }

    #[test]
    fn a_batch_ends_after_so_many_rows_or_bytes() {
        let rows = |batches: Vec<(usize, usize)>| batches.into_iter().map(|(rows, _)| rows).collect::<Vec<_>>();
        let small = format!("id,Notiz\n{}", "1,x\n".repeat(5));
        assert_eq!(rows(batches_of(&small, 2, BATCH_BYTES)), [2, 2, 1]);
        assert_eq!(rows(batches_of(&small, 5, BATCH_BYTES)), [5], "there is none without rows");
        // A batch that has few rows isn't the last for that.
        let large = format!("id,Notiz\n{}", format!("1,{}\n", "x".repeat(1_000)).repeat(5));
        let batches = batches_of(&large, 100, 1_500);
        assert!(batches.iter().all(|(_, bytes)| *bytes < 2_500), "{batches:?}");
        assert_eq!(rows(batches), [2, 2, 1]);
        // Cells of which nothing stands in the file but their separators take memory all the same, and so do faults.
        let empty = format!("id,Notiz\n{}", format!("1{}\n", ",".repeat(1_000)).repeat(4));
        assert_eq!(rows(batches_of(&empty, 100, 10_000)), [2, 2]);
        let refused = format!("id,Notiz\n{}", "x,\n".repeat(4));
        assert_eq!(rows(batches_of(&refused, 100, 1_000)), [2, 2]);
    }

    #[test]
    fn a_header_has_so_many_columns_and_names_so_long() {
        let names = |columns: usize, width: usize| (1..columns).map(move |column| format!("{column:0width$}"));
        let header = |columns, width| format!("id,{}\n", names(columns, width).collect::<Vec<_>>().join(","));
        let map: Vec<_> = names(500, 60).map(|name| format!("\"{name}\":null")).collect();
        assert_eq!(rows_mapped(&header(500, 60), &format!("{{\"columns\":{{{}}}}}", map.join(","))), Ok(vec![]));
        let refused = |found: &str| {
            let most = "expected at most 1000 columns with names of at most 32768 bytes together";
            Err(format!("header: {most}, found {found}"))
        };
        assert_eq!(rows_of(&header(1_001, 8)), refused("1001 with 8002"));
        assert_eq!(rows_of(&header(5, 10_000)), refused("5 with 40002"));
        let unknown: Vec<_> = (0..1_000).map(|column| format!("unknown{column}")).collect();
        let error = rows_of(&format!("{}\n", unknown.join(","))).unwrap_err();
        assert_eq!(error.matches("; ").count(), 99, "{error}");
    }

    #[test]
    fn an_open_quote_does_not_swallow_the_file() {
        let mut file = String::from("id,first_name\n1,Ada\n2,\"Grace\n");
        file.push_str(&"3,Joan\n".repeat(300_000));
        assert_eq!(
            rows_of(&file).unwrap_err(),
            "line 3: a row of more than 1048576 bytes starts here; is there a quote without its partner?"
        );
    }
}
