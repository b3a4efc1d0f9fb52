//! Imports call detail records. Several rows can form one call, which is complete once its last row is read.

use std::io::{Read, Seek};

use leadscribe_engine::csv::{Encoding, RawRow, cell_value};
use leadscribe_engine::record::{AssembledCall, CallAssembler, CallRecord, CsvReader, RowResult};

use super::csv_file::{CsvFile, FileError};
use super::record_kinds::Importable;
use super::row_reader::{ReadRow, Row, RowGrouper, read_cells};

/// Assembles the rows of a file into calls.
pub struct CallRows<'a, T: Importable> {
    csv_reader: &'a CsvReader<T>,
    column_names: &'a [String],
    encoding: Encoding,
    assembler: CallAssembler<RawRow>,
    into_record: fn(CallRecord) -> T,
}

impl<'a, T: Importable> CallRows<'a, T> {
    /// Scans all rows of a file, so that the end of each call is known. Returns `None` if the file doesn't hold call detail records.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn scan<R: Read + Seek>(
        file: &mut CsvFile<R>,
        csv_reader: &'a CsvReader<T>,
        column_names: &'a [String],
    ) -> Result<Option<Self>, FileError> {
        let Some((details, into_record)) = csv_reader.call_details() else { return Ok(None) };
        let mut assembler = CallAssembler::new(details.clone());
        let encoding = file.encoding();
        let mut rows = file.rows()?;
        while let Some(row) = rows.next()? {
            with_cell_values(&row, |cells| assembler.scan(cells));
        }
        Ok(Some(Self { csv_reader, column_names, encoding, assembler, into_record }))
    }

    fn row(&self, AssembledCall { call, rows }: AssembledCall<RawRow>) -> Option<ReadRow<T>> {
        let mut rows = rows.into_iter();
        Some(Row { raw: rows.next()?, record: Ok((self.into_record)(call)), other_rows: rows.collect() })
    }
}

impl<T: Importable> RowGrouper<T> for CallRows<'_, T> {
    fn push(&mut self, raw: RawRow, completed: &mut Vec<ReadRow<T>>) {
        let cell_errors = read_cells(self.csv_reader, &raw, self.column_names, self.encoding).err();
        let assembler = &mut self.assembler;
        let RowResult { rejected, completed_call } = with_cell_values(&raw.clone(), |cells| match cell_errors {
            None => assembler.push(cells, raw),
            Some(diagnostics) => assembler.push_rejected(cells, raw, diagnostics),
        });
        completed.extend(rejected.map(|(raw, diagnostics)| Row {
            raw,
            record: Err(diagnostics),
            other_rows: Vec::new(),
        }));
        completed.extend(completed_call.and_then(|call| self.row(call)));
    }

    fn finish(&mut self, completed: &mut Vec<ReadRow<T>>) {
        let open_calls = self.assembler.finish();
        completed.extend(open_calls.into_iter().filter_map(|call| self.row(call)));
    }
}

/// Calls a function with the values of a row's cells.
fn with_cell_values<O>(row: &RawRow, f: impl FnOnce(&[&str]) -> O) -> O {
    let lossy;
    let cells: Vec<&str> = match row.as_str() {
        Some(text) => (0..row.len()).map(|index| cell_value(row.cell_in(text, index))).collect(),
        None => {
            lossy = row.texts();
            lossy.iter().map(|cell| cell_value(cell)).collect()
        }
    };
    f(&cells)
}
