//! Reads the rows of a file as records, on a separate thread and in batches.
//!
//! Memory use is limited to three batches of about [`BATCH_ROWS`] rows or [`BATCH_BYTES`] bytes, the largest row,
//! eight bytes for each row key, the keys that several rows share, and the records of incomplete calls.

use std::io::{Read, Seek};
use std::thread;

use leadscribe_engine::csv::{Encoding, RawRow, trim_cell};
use leadscribe_engine::diagnostic::{Diagnostic, Location, work};
use leadscribe_engine::record::{ColumnNames, CsvReader, Delimiter, Mapping};
use tokio::sync::mpsc;

use super::call_rows::CallRows;
use super::csv_file::{CsvFile, FileError};
use super::duplicates::{SharedKey, SharedKeys};
use super::join_diagnostics;
use super::record_kinds::{DefaultCountry, Importable};

/// Number of rows in one batch, which is one transaction. Large enough to make the cost of a commit negligible; small enough
/// to let other writers in several times a second.
pub const BATCH_ROWS: usize = 2_000;

/// Size in bytes at which a batch ends, whatever its number of rows. Far more than 2,000 rows of leads need, but small
/// enough for several concurrent imports on a small server.
pub const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// Maximum number of reported errors in a header.
const MAX_HEADER_DIAGNOSTICS: usize = 100;

/// Approximate size of a diagnostic in memory.
const DIAGNOSTIC_BYTES: usize = 512;

/// Maximum number of shared keys that are reported with their lines.
const MAX_REPORTED_SHARED_KEYS: usize = 10;

/// One row of a file with its record.
#[derive(Debug)]
pub struct Row<R> {
    /// Original row.
    pub raw: RawRow,
    /// Parsed record.
    pub record: R,
    /// Other rows that belong to the same record.
    pub other_rows: Vec<RawRow>,
}

/// A row that was read: a record or its diagnostics.
pub type ReadRow<T> = Row<Result<T, Vec<Diagnostic>>>;

/// Message from the reader thread: first the properties of the file, then its rows.
#[derive(Debug)]
pub enum ReaderMessage<T> {
    /// Properties of the file; sent before the first row.
    FileProperties(FileProperties),
    Rows(Batch<T>),
}

#[derive(Debug)]
pub struct FileProperties {
    pub columns: Vec<String>,
    /// Names of the columns that aren't named like their field.
    pub column_names: ColumnNames,
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
    /// Returns the approximate memory use in bytes: raw rows and diagnostics, without the parsed record.
    fn estimated_bytes(&self) -> usize {
        let diagnostics = self.record.as_ref().err().map_or(0, Vec::len);
        self.raw.bytes() + self.other_rows.iter().map(RawRow::bytes).sum::<usize>() + diagnostics * DIAGNOSTIC_BYTES
    }
}

/// A batch of rows and the read position.
#[derive(Debug)]
pub struct Batch<T> {
    /// Rows, each a record or its diagnostics.
    pub rows: Vec<ReadRow<T>>,
    /// Number of bytes of the file read so far.
    pub bytes_read: u64,
}

/// Settings for reading rows.
#[derive(Debug)]
pub struct ReadSettings {
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
    /// Adds a row, and appends all rows completed by it to `completed`: none, the row itself, or several that belong together.
    fn push(&mut self, row: RawRow, completed: &mut Vec<ReadRow<T>>);

    /// Appends the rows completed by the end of the file to `completed`.
    fn finish(&mut self, _completed: &mut Vec<ReadRow<T>>) {}
}

/// Creates one record per row.
struct SingleRowGrouper<'a, T: Importable> {
    csv_reader: &'a CsvReader<T>,
    names: &'a [String],
    encoding: Encoding,
    country: &'a DefaultCountry,
    shared_keys: SharedKeys,
}

impl<T: Importable> RowGrouper<T> for SingleRowGrouper<'_, T> {
    fn push(&mut self, raw: RawRow, completed: &mut Vec<ReadRow<T>>) {
        let cells = read_cells(self.csv_reader, &raw, self.names, self.encoding);
        let record = cells.and_then(|cells| self.csv_reader.row(&cells)).and_then(|record| {
            if !self.shared_keys.is_empty() {
                self.shared_keys.accept(self.csv_reader, &raw).map_err(|diagnostic| vec![diagnostic])?;
            }
            Ok(record.prepare(self.country))
        });
        completed.push(Row { raw, record, other_rows: Vec::new() });
    }
}

/// Reads a file on a separate thread. An error is the last message.
///
/// Doesn't use Tokio's blocking threads: the reader waits for the database, which needs these threads itself, so many
/// imports could exhaust them.
pub fn read<T: Importable>(
    reader: impl Read + Seek + Send + 'static,
    settings: ReadSettings,
) -> mpsc::Receiver<Result<ReaderMessage<T>, FileError>> {
    // One batch waits in the channel while another is written and a third is read.
    let (sender, receiver) = mpsc::channel(1);
    let error_sender = sender.clone();
    let read_file = move || {
        let send = |message| sender.blocking_send(Ok(message)).is_ok();
        if let Err(error) = read_all::<T>(reader, &settings, send) {
            // Without a receiver, the import has already ended.
            let _ = sender.blocking_send(Err(error));
        }
    };
    if let Err(error) = thread::Builder::new().name("import".to_owned()).spawn(read_file) {
        let _ = error_sender.try_send(Err(FileError(work::file_unreadable(error.to_string()))));
    }
    receiver
}

/// Reads a file to its end, or until `send` returns false.
fn read_all<T: Importable>(
    reader: impl Read + Seek,
    settings: &ReadSettings,
    mut send: impl FnMut(ReaderMessage<T>) -> bool,
) -> Result<(), FileError> {
    let ReadSettings { mapping, country, .. } = settings;
    let mut file = CsvFile::open(reader, mapping)?;
    let csv_reader = CsvReader::<T>::new(file.names(), mapping).map_err(|mut diagnostics| {
        diagnostics.truncate(MAX_HEADER_DIAGNOSTICS);
        FileError(work::header(join_diagnostics(&diagnostics)))
    })?;
    let names = file.names().to_vec();
    let (delimiter, encoding) = (file.delimiter(), file.encoding());
    let call_rows = CallRows::scan(&mut file, &csv_reader, &names)?;
    let shared_keys = match call_rows {
        None => SharedKeys::find(&mut file, &csv_reader, mapping.duplicates)?,
        Some(_) => SharedKeys::empty(),
    };
    let properties = FileProperties {
        columns: names.clone(),
        column_names: csv_reader.column_names().clone(),
        delimiter,
        encoding,
        duplicate_rows: shared_keys.rejected_rows(),
        shared_keys: shared_keys.first_groups(MAX_REPORTED_SHARED_KEYS),
    };
    if !send(ReaderMessage::FileProperties(properties)) {
        return Ok(());
    }
    match call_rows {
        Some(call_rows) => send_batches(&mut file, call_rows, settings, send),
        None => {
            let rows = SingleRowGrouper { csv_reader: &csv_reader, names: &names, encoding, country, shared_keys };
            send_batches(&mut file, rows, settings, send)
        }
    }
}

/// Reads all rows and sends them in batches.
fn send_batches<T, R: Read + Seek>(
    file: &mut CsvFile<R>,
    mut grouper: impl RowGrouper<T>,
    settings: &ReadSettings,
    mut send: impl FnMut(ReaderMessage<T>) -> bool,
) -> Result<(), FileError> {
    let mut rows = file.rows()?;
    let mut completed = Vec::new();
    let mut is_finished = false;
    while !is_finished {
        let mut batch = Batch { rows: Vec::with_capacity(settings.batch_rows), bytes_read: 0 };
        let mut batch_bytes = 0;
        while batch.rows.len() < settings.batch_rows && batch_bytes < settings.batch_bytes && !is_finished {
            match rows.next()? {
                Some(row) => grouper.push(row, &mut completed),
                None => {
                    grouper.finish(&mut completed);
                    is_finished = true;
                }
            }
            batch_bytes += completed.iter().map(ReadRow::estimated_bytes).sum::<usize>();
            batch.rows.append(&mut completed);
        }
        batch.bytes_read = rows.bytes_read();
        if !batch.rows.is_empty() && !send(ReaderMessage::Rows(batch)) {
            return Ok(());
        }
    }
    Ok(())
}

/// Returns whether a row repeats the column names, as in files that were concatenated.
fn is_repeated_header(names: &[String], row: &RawRow) -> bool {
    let is_name = |(index, name): (usize, &String)| {
        std::str::from_utf8(row.cell(index)).is_ok_and(|cell| trim_cell(cell) == name.as_str())
    };
    row.len() == names.len() && names.iter().enumerate().all(is_name)
}

/// Returns the cells of a row. The content of columns that aren't imported is ignored.
pub(super) fn read_cells<'a, T: Importable>(
    csv_reader: &CsvReader<T>,
    row: &'a RawRow,
    names: &[String],
    encoding: Encoding,
) -> Result<Vec<&'a str>, Vec<Diagnostic>> {
    if let Some(error) = row.error {
        return Err(vec![error.diagnostic()]);
    }
    if names.len() > 1 && is_repeated_header(names, row) {
        return Err(vec![Diagnostic::new(Location::Column(String::new()), "repeated_header", work::repeated_header())]);
    }
    if let Some(text) = row.as_str() {
        return Ok((0..row.len()).map(|index| row.cell_in(text, index)).collect());
    }
    let mut diagnostics = Vec::new();
    let cells = row.cells().enumerate().map(|(index, cell)| match std::str::from_utf8(cell) {
        Ok(cell) => cell,
        Err(_) if !csv_reader.is_imported(index) => "",
        Err(_) => {
            let column = Location::Column(names.get(index).cloned().unwrap_or_default());
            diagnostics.push(Diagnostic::new(column, "invalid_utf8", work::not_text(encoding.display_name())));
            ""
        }
    });
    let cells = cells.collect();
    if diagnostics.is_empty() { Ok(cells) } else { Err(diagnostics) }
}

#[cfg(test)]
mod tests;
