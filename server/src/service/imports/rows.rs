//! Reads the rows of a file as records, on a separate thread and in batches.
//!
//! Memory is bounded by the rows and [bytes](BATCH_BYTES) of three batches, the largest row, eight bytes for each row key,
//! the keys that rows share, and the records of incomplete calls.

use std::io::{Read, Seek};
use std::thread;

use leadscribe_engine::csv::{Encoding, RawRow, trimmed};
use leadscribe_engine::diagnostic::{Diagnostic, Place, work};
use leadscribe_engine::record::{CsvReader, Delimiter, Mapping, OwnNames};
use tokio::sync::mpsc;

use super::call_rows::CallRows;
use super::duplicates::{SharedKey, SharedKeys};
use super::file::{CsvFile, RowsError};
use super::joined;
use super::kinds::{DefaultCountry, Importable};

/// Number of rows in one batch, which is one transaction. Large enough to make the cost of a commit negligible; small enough
/// to let other writers in several times a second.
pub const BATCH_ROWS: usize = 2_000;

/// Size in bytes at which a batch ends, whatever its number of rows. Far more than 2,000 rows of leads need, but small
/// enough for several concurrent imports on a small server.
pub const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// Maximum number of header faults that are reported.
const MAX_HEADER_DIAGNOSTICS: usize = 100;

/// Approximate size of a fault in memory.
const FAULT_BYTES: usize = 512;

/// Maximum number of shared keys that are reported with their lines.
const SHARED_KEYS_TOLD: usize = 10;

/// One row of a file with its record.
#[derive(Debug)]
pub struct Row<R> {
    /// Original row.
    pub raw: RawRow,
    /// Parsed record.
    pub record: R,
    /// Other rows that belong to the same record.
    pub joined: Vec<RawRow>,
}

/// A row that was read: a record or its faults.
pub type ReadRow<T> = Row<Result<T, Vec<Diagnostic>>>;

/// Message from the reader thread: first the properties of the file, then its rows.
#[derive(Debug)]
pub enum Part<T> {
    /// Properties of the file; sent before the first row.
    File(FileFound),
    /// A batch of rows.
    Rows(Batch<T>),
}

/// Properties of a file.
#[derive(Debug)]
pub struct FileFound {
    /// Column names.
    pub columns: Vec<String>,
    /// Column names that differ from their field names.
    pub own_names: OwnNames,
    /// Cell delimiter.
    pub delimiter: Delimiter,
    /// Character encoding.
    pub encoding: Encoding,
    /// Number of rows rejected as duplicates.
    pub duplicate_rows: u64,
    /// The first groups of rows that share a key.
    pub shared_keys: Vec<SharedKey>,
}

impl<T> ReadRow<T> {
    /// Returns the approximate memory use in bytes, without that of a record without texts.
    fn weight(&self) -> usize {
        let faults = self.record.as_ref().err().map_or(0, Vec::len);
        self.raw.bytes() + self.joined.iter().map(RawRow::bytes).sum::<usize>() + faults * FAULT_BYTES
    }
}

/// A batch of rows and the read position.
#[derive(Debug)]
pub struct Batch<T> {
    /// Rows, each a record or its faults.
    pub rows: Vec<ReadRow<T>>,
    /// Number of bytes of the file read so far.
    pub bytes_read: u64,
}

/// Settings for reading rows.
#[derive(Debug)]
pub struct Reading {
    /// Assigns columns to fields.
    pub mapping: Mapping,
    /// Default country of phone numbers.
    pub country: DefaultCountry,
    /// Maximum number of rows in a batch.
    pub batch_rows: usize,
    /// Size in bytes at which a batch ends.
    pub batch_bytes: usize,
}

/// Groups rows into records. Receives all rows in file order.
pub trait RowGrouper<T> {
    /// Adds a row, and appends all rows completed by it to `done`: none, the row itself, or several that belong together.
    fn take(&mut self, row: RawRow, done: &mut Vec<ReadRow<T>>);

    /// Appends the rows completed by the end of the file to `done`.
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

/// Reads a file on a separate thread. An error is the last message.
///
/// Doesn't use Tokio's blocking threads: the reader waits for the database, which needs these threads itself, so many
/// imports could exhaust them.
pub fn read<T: Importable>(
    reader: impl Read + Seek + Send + 'static,
    how: Reading,
) -> mpsc::Receiver<Result<Part<T>, RowsError>> {
    // One batch waits in the channel while another is written and a third is read.
    let (sender, receiver) = mpsc::channel(1);
    let failed = sender.clone();
    let read = move || {
        let send = |part| sender.blocking_send(Ok(part)).is_ok();
        if let Err(error) = read_all::<T>(reader, &how, send) {
            // Without a receiver, the import has already ended.
            let _ = sender.blocking_send(Err(error));
        }
    };
    if let Err(error) = thread::Builder::new().name("import".to_owned()).spawn(read) {
        let _ = failed.try_send(Err(RowsError(format!("no thread can be started to read the file: {error}").into())));
    }
    receiver
}

/// Reads a file to its end, or until `send` returns false.
fn read_all<T: Importable>(
    reader: impl Read + Seek,
    how: &Reading,
    mut send: impl FnMut(Part<T>) -> bool,
) -> Result<(), RowsError> {
    let Reading { mapping, country, .. } = how;
    let mut file = CsvFile::open(reader, mapping)?;
    let columns = T::columns(file.names(), mapping).map_err(|mut faults| {
        faults.truncate(MAX_HEADER_DIAGNOSTICS);
        RowsError(work::header(joined(&faults)))
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

/// Reads all rows and sends them in batches.
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

/// Returns whether a row repeats the column names, as in files that were concatenated.
fn repeats(names: &[String], row: &RawRow) -> bool {
    let is_name = |(place, name): (usize, &String)| {
        std::str::from_utf8(row.cell(place)).is_ok_and(|cell| trimmed(cell) == name.as_str())
    };
    row.len() == names.len() && names.iter().enumerate().all(is_name)
}

/// Returns the cells of a row. The content of columns that aren't imported is ignored.
pub(super) fn cells_read<'a, T: Importable>(
    columns: &CsvReader<T>,
    row: &'a RawRow,
    names: &[String],
    encoding: Encoding,
) -> Result<Vec<&'a str>, Vec<Diagnostic>> {
    if let Some(error) = row.wrong {
        return Err(vec![error.fault()]);
    }
    if names.len() > 1 && repeats(names, row) {
        return Err(vec![Diagnostic::new(Place::Column(String::new()), "repeated_header", work::repeated_header())]);
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
            faults.push(Diagnostic::new(column, "invalid_utf8", work::not_text(encoding.spelled())));
            ""
        }
    });
    let cells = cells.collect();
    if faults.is_empty() { Ok(cells) } else { Err(faults) }
}

#[cfg(test)]
mod tests;
