//! Imports call detail records. Several rows can form one call, which is complete once its last row is read.

use std::io::{Read, Seek};

use leadscribe_engine::csv::{Encoding, RawRow, value_of};
use leadscribe_engine::record::{AssembledCall, CallAssembler, CallRecord, CsvReader, RowResult};

use super::file::{CsvFile, RowsError};
use super::kinds::Importable;
use super::rows::{ReadRow, Row, RowGrouper, cells_read};

/// Assembles the rows of a file into calls.
pub struct CallRows<'a, T: Importable> {
    columns: &'a CsvReader<T>,
    names: &'a [String],
    encoding: Encoding,
    assembler: CallAssembler<RawRow>,
    of_call: fn(CallRecord) -> T,
}

impl<'a, T: Importable> CallRows<'a, T> {
    /// Surveys all rows of a file. `None` if the file doesn't hold call detail records.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn survey<R: Read + Seek>(
        file: &mut CsvFile<R>,
        columns: &'a CsvReader<T>,
        names: &'a [String],
    ) -> Result<Option<Self>, RowsError> {
        let Some((details, of_call)) = T::call_details(columns) else { return Ok(None) };
        let mut assembler = CallAssembler::new(details.clone());
        let encoding = file.encoding();
        let mut rows = file.rows()?;
        while let Some(row) = rows.next()? {
            with_texts(&row, |cells| assembler.survey(cells));
        }
        Ok(Some(Self { columns, names, encoding, assembler, of_call }))
    }

    fn row(&self, AssembledCall { call, rows }: AssembledCall<RawRow>) -> Option<ReadRow<T>> {
        let mut rows = rows.into_iter();
        Some(Row { raw: rows.next()?, record: Ok((self.of_call)(call)), joined: rows.collect() })
    }
}

impl<T: Importable> RowGrouper<T> for CallRows<'_, T> {
    fn take(&mut self, raw: RawRow, done: &mut Vec<ReadRow<T>>) {
        let wrong = cells_read(self.columns, &raw, self.names, self.encoding).err();
        let assembler = &mut self.assembler;
        let RowResult { refused, finished } = with_texts(&raw.clone(), |cells| match wrong {
            None => assembler.take(cells, raw),
            Some(faults) => assembler.refuse(cells, raw, faults),
        });
        done.extend(refused.map(|(raw, faults)| Row { raw, record: Err(faults), joined: Vec::new() }));
        done.extend(finished.and_then(|call| self.row(call)));
    }

    fn finish(&mut self, done: &mut Vec<ReadRow<T>>) {
        let open = self.assembler.finish();
        done.extend(open.into_iter().filter_map(|call| self.row(call)));
    }
}

/// Calls a function with the values of a row's cells.
fn with_texts<O>(row: &RawRow, f: impl FnOnce(&[&str]) -> O) -> O {
    let lossy;
    let cells: Vec<&str> = match row.as_str() {
        Some(text) => (0..row.len()).map(|place| value_of(row.cell_of(text, place))).collect(),
        None => {
            lossy = row.texts();
            lossy.iter().map(|cell| value_of(cell)).collect()
        }
    };
    f(&cells)
}
