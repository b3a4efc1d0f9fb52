//! The rows of a file as records, read on a thread of their own and handed over in batches.
//!
//! Memory is bounded by the rows and [bytes](BATCH_BYTES) of three batches, by the largest row, by eight bytes for each key of a
//! row, by the keys that rows share, and by the records of calls that aren't complete yet.

use std::io::{Read, Seek};
use std::thread;

use leadscribe_engine::csv::{Encoding, RawRow, trimmed};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::message::work;
use leadscribe_engine::record::{CsvReader, Delimiter, Mapping, OwnNames};
use tokio::sync::mpsc;

use super::call_rows::CallRows;
use super::duplicates::{SharedKey, SharedKeys};
use super::file::{CsvFile, RowsError};
use super::in_words;
use super::kinds::{DefaultCountry, Importable};

/// Rows of one batch, which is one transaction: enough that the cost of a commit doesn't count, few enough that others
/// get their turn to write several times a second.
pub const BATCH_ROWS: usize = 2_000;

/// Bytes after which a batch ends, however few rows it has: far more than what 2,000 rows of leads take, and so little that
/// several imports at once fit into a small server.
pub const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// Most faults of a header that are reported.
const MAX_HEADER_FAULTS: usize = 100;

/// What a fault takes, about.
const FAULT_BYTES: usize = 512;

/// Most shared keys that are reported with their lines.
const SHARED_KEYS_TOLD: usize = 10;

/// One row of a file, and what it is as a record.
#[derive(Debug)]
pub struct Row<R> {
    /// The row as it stood.
    pub raw: RawRow,
    /// What it is.
    pub record: R,
    /// The other rows that the record is made of.
    pub joined: Vec<RawRow>,
}

/// A row that is read: a record, or what is wrong with it.
pub type ReadRow<T> = Row<Result<T, Vec<Fault>>>;

/// Messages of the thread that reads a file: the file's properties first, then its rows.
#[derive(Debug)]
pub enum Part<T> {
    /// The properties of the file; sent before the first row.
    File(FileFound),
    /// Some rows.
    Rows(Batch<T>),
}

/// The properties of a file.
#[derive(Debug)]
pub struct FileFound {
    /// The names of its columns.
    pub columns: Vec<String>,
    /// The names that differ from those of their fields.
    pub own_names: OwnNames,
    /// The delimiter between its cells.
    pub delimiter: Delimiter,
    /// Its character encoding.
    pub encoding: Encoding,
    /// Rows that are refused since another is about the same record.
    pub duplicate_rows: u64,
    /// The first of the rows that are about the same record.
    pub shared_keys: Vec<SharedKey>,
}

impl<T> ReadRow<T> {
    /// Bytes of memory that it takes, about, but for those of a record without texts.
    fn weight(&self) -> usize {
        let faults = self.record.as_ref().err().map_or(0, Vec::len);
        self.raw.bytes() + self.joined.iter().map(RawRow::bytes).sum::<usize>() + faults * FAULT_BYTES
    }
}

/// Some rows, and how far the file is read.
#[derive(Debug)]
pub struct Batch<T> {
    /// The rows, each a record or what is wrong with it.
    pub rows: Vec<ReadRow<T>>,
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

/// The stage between rows and records. It is given all rows in the order of the file.
pub trait RowGrouper<T> {
    /// Takes the next row; adds to `done` the rows that are finished by it: none, itself, or several that belong together.
    fn take(&mut self, row: RawRow, done: &mut Vec<ReadRow<T>>);

    /// Adds the rows to `done` that are finished by the end of the file.
    fn finish(&mut self, _done: &mut Vec<ReadRow<T>>) {}
}

/// Makes one record of each row.
struct SingleRows<'a, T: Importable> {
    columns: &'a CsvReader<T>,
    names: &'a [String],
    encoding: Encoding,
    country: &'a DefaultCountry,
    shared: SharedKeys,
}

impl<T: Importable> RowGrouper<T> for SingleRows<'_, T> {
    fn take(&mut self, raw: RawRow, done: &mut Vec<ReadRow<T>>) {
        let cells = cells_read(self.columns, &raw, self.names, self.encoding);
        let record = cells.and_then(|cells| T::record(self.columns, &cells)).and_then(|record| {
            if !self.shared.is_empty() {
                self.shared.take(self.columns, &raw).map_err(|fault| vec![fault])?;
            }
            Ok(record.prepared(self.country))
        });
        done.push(Row { raw, record, joined: Vec::new() });
    }
}

/// Reads a file on a thread of its own. An error is the last thing that comes.
///
/// Not one of Tokio's blocking threads: it waits for the database, whose work needs those. Enough imports would take them all.
pub fn read<T: Importable>(
    reader: impl Read + Seek + Send + 'static,
    how: Reading,
) -> mpsc::Receiver<Result<Part<T>, RowsError>> {
    // One batch waits while another is written and a third is being read.
    let (sender, receiver) = mpsc::channel(1);
    let failed = sender.clone();
    let read = move || {
        let send = |part| sender.blocking_send(Ok(part)).is_ok();
        if let Err(error) = read_all::<T>(reader, &how, send) {
            // The import was given up if there is no receiver.
            let _ = sender.blocking_send(Err(error));
        }
    };
    if let Err(error) = thread::Builder::new().name("import".to_owned()).spawn(read) {
        let _ = failed.try_send(Err(RowsError(format!("no thread can be started to read the file: {error}"))));
    }
    receiver
}

/// Reads a file to its end, or until `send` says that no more is wanted.
fn read_all<T: Importable>(
    reader: impl Read + Seek,
    how: &Reading,
    mut send: impl FnMut(Part<T>) -> bool,
) -> Result<(), RowsError> {
    let Reading { mapping, country, .. } = how;
    let mut file = CsvFile::open(reader, mapping)?;
    let columns = T::columns(file.names(), mapping).map_err(|mut faults| {
        faults.truncate(MAX_HEADER_FAULTS);
        RowsError(format!("header: {}", in_words(&faults)))
    })?;
    let names = file.names().to_vec();
    let (delimiter, encoding) = (file.delimiter(), file.encoding());
    let calls = CallRows::survey(&mut file, &columns, &names)?;
    let shared = match calls {
        None => SharedKeys::find(&mut file, &columns, mapping.duplicates)?,
        Some(_) => SharedKeys::none(),
    };
    let found = FileFound {
        columns: names.clone(),
        own_names: columns.own_names().clone(),
        delimiter,
        encoding,
        duplicate_rows: shared.refused_rows(),
        shared_keys: shared.first(SHARED_KEYS_TOLD),
    };
    if !send(Part::File(found)) {
        return Ok(());
    }
    match calls {
        Some(calls) => send_batches(&mut file, calls, how, send),
        None => {
            let rows = SingleRows { columns: &columns, names: &names, encoding, country, shared };
            send_batches(&mut file, rows, how, send)
        }
    }
}

/// Reads all rows, and sends them in batches.
fn send_batches<T, R: Read + Seek>(
    file: &mut CsvFile<R>,
    mut grouper: impl RowGrouper<T>,
    how: &Reading,
    mut send: impl FnMut(Part<T>) -> bool,
) -> Result<(), RowsError> {
    let mut rows = file.rows()?;
    let mut done = Vec::new();
    let mut is_over = false;
    while !is_over {
        let mut batch = Batch { rows: Vec::with_capacity(how.batch_rows), bytes_read: 0 };
        let mut weight = 0;
        while batch.rows.len() < how.batch_rows && weight < how.batch_bytes && !is_over {
            match rows.next()? {
                Some(row) => grouper.take(row, &mut done),
                None => {
                    grouper.finish(&mut done);
                    is_over = true;
                }
            }
            weight += done.iter().map(ReadRow::weight).sum::<usize>();
            batch.rows.append(&mut done);
        }
        batch.bytes_read = rows.bytes_read();
        if !batch.rows.is_empty() && !send(Part::Rows(batch)) {
            return Ok(());
        }
    }
    Ok(())
}

/// Returns true for a row that names the columns again, as files have that were put together from several.
fn repeats(names: &[String], row: &RawRow) -> bool {
    let is_name = |(place, name): (usize, &String)| {
        std::str::from_utf8(row.cell(place)).is_ok_and(|cell| trimmed(cell) == name.as_str())
    };
    row.len() == names.len() && names.iter().enumerate().all(is_name)
}

/// The cells of a row; of a column that isn't read, it doesn't matter what they hold.
pub(super) fn cells_read<'a, T: Importable>(
    columns: &CsvReader<T>,
    row: &'a RawRow,
    names: &[String],
    encoding: Encoding,
) -> Result<Vec<&'a str>, Vec<Fault>> {
    if let Some(error) = row.wrong {
        return Err(vec![error.fault()]);
    }
    if names.len() > 1 && repeats(names, row) {
        return Err(vec![Fault::new(Place::Column(String::new()), "repeated_header", work::repeated_header())]);
    }
    if let Some(text) = row.as_str() {
        return Ok((0..row.len()).map(|place| row.cell_of(text, place)).collect());
    }
    let mut faults = Vec::new();
    let cells = row.cells().enumerate().map(|(place, cell)| match std::str::from_utf8(cell) {
        Ok(cell) => cell,
        Err(_) if !columns.reads(place) => "",
        Err(_) => {
            let column = Place::Column(names.get(place).cloned().unwrap_or_default());
            faults.push(Fault::new(column, "invalid_utf8", work::not_text(encoding.spelled())));
            ""
        }
    });
    let cells = cells.collect();
    if faults.is_empty() { Ok(cells) } else { Err(faults) }
}

#[cfg(test)]
mod tests;
