//! Assembles calls from the records of a file. The file is read twice: Asterisk writes records when channels end, so the records of a call
//! may be anywhere in it.

use std::collections::HashMap;

use super::leg::Leg;
use super::links::Links;
use super::{CallDetailReader, CallRecord};
use crate::diagnostic::Diagnostic;

/// Assembles calls. Pass each row of the file to [`CallAssembler::scan`] first, and then, from the start again, to
/// [`CallAssembler::push`]. Only records of incomplete calls are kept in memory.
///
/// `Row` is any data about a row that is returned with its call, such as a line number.
#[derive(Debug)]
pub struct CallAssembler<Row> {
    reader: CallDetailReader,
    links: Links,
    has_scanned: bool,
    /// Number of rows processed in the second pass.
    row_count: usize,
    open_calls: HashMap<String, (Vec<Leg>, Vec<Row>)>,
}

/// A call with its rows, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct AssembledCall<Row> {
    /// The call.
    pub call: CallRecord,
    /// The rows of its records; at least one.
    pub rows: Vec<Row>,
}

/// Result of processing a row in the second pass.
#[derive(Clone, Debug, PartialEq)]
pub struct RowResult<Row> {
    /// The row and its diagnostics, if it is rejected. Its call is built from the other records.
    pub rejected: Option<(Row, Vec<Diagnostic>)>,
    /// The call, if the row was its last record.
    pub completed_call: Option<AssembledCall<Row>>,
}

impl<Row> CallAssembler<Row> {
    /// Creates an assembler for a file with this reader of call detail records.
    pub fn new(reader: CallDetailReader) -> Self {
        Self { reader, links: Links::default(), has_scanned: false, row_count: 0, open_calls: HashMap::new() }
    }

    /// Processes a row in the first pass. Pass every row, in the same order as in the second pass.
    pub fn scan(&mut self, cells: &[&str]) {
        self.links.add(&self.reader.link_cells(cells));
    }

    /// Processes a row in the second pass.
    pub fn push(&mut self, cells: &[&str], row: Row) -> RowResult<Row> {
        match self.reader.parse_leg(cells) {
            Ok(leg) => RowResult { rejected: None, completed_call: self.add_record(cells, Some((leg, row))) },
            Err(diagnostics) => self.push_rejected(cells, row, diagnostics),
        }
    }

    /// Processes a row in the second pass that the caller rejects.
    pub fn push_rejected(&mut self, cells: &[&str], row: Row, diagnostics: Vec<Diagnostic>) -> RowResult<Row> {
        let completed_call = self.add_record(cells, None);
        RowResult { rejected: Some((row, diagnostics)), completed_call }
    }

    /// Adds a record to its call. Returns the call if this is its last record.
    fn add_record(&mut self, cells: &[&str], record: Option<(Leg, Row)>) -> Option<AssembledCall<Row>> {
        if !self.has_scanned {
            self.links.finish();
            self.has_scanned = true;
        }
        let is_last = self.links.is_last(self.row_count);
        self.row_count += 1;
        let links = self.reader.link_cells(cells);
        let key = self.links.key(&links);
        if is_last {
            let (mut legs, mut rows) = self.open_calls.remove(key).unwrap_or_default();
            if let Some((leg, row)) = record {
                legs.push(leg);
                rows.push(row);
            }
            return (!legs.is_empty()).then(|| AssembledCall { call: self.reader.assemble(key, legs), rows });
        }
        if let Some((leg, row)) = record {
            if !self.open_calls.contains_key(key) {
                self.open_calls.insert(key.to_owned(), (Vec::new(), Vec::new()));
            }
            let (legs, rows) = self.open_calls.get_mut(key).expect("the call was just inserted");
            legs.push(leg);
            rows.push(row);
        }
        None
    }

    /// Ends the second pass. Returns calls that are still open, which only happens if two calls have the same hash.
    pub fn finish(&mut self) -> Vec<AssembledCall<Row>> {
        let mut open: Vec<_> = self.open_calls.drain().collect();
        open.sort_by(|(a, _), (b, _)| a.cmp(b));
        let reader = &self.reader;
        open.into_iter().map(|(key, (legs, rows))| AssembledCall { call: reader.assemble(&key, legs), rows }).collect()
    }
}
