//! Assembles calls from the records of a file. The file is read twice: Asterisk writes records when channels end, so the records of a call
//! may be anywhere in it.

use std::collections::HashMap;

use super::leg::Leg;
use super::links::Links;
use super::{CallDetails, CallRecord};
use crate::diagnostic::Diagnostic;

/// Assembles calls. Pass each row of the file to [`CallAssembler::survey`] first, and then, from the start again, to
/// [`CallAssembler::take`]. Only records of incomplete calls are kept in memory.
///
/// `Row` is caller data returned with a call, such as the line numbers of its records.
#[derive(Debug)]
pub struct CallAssembler<Row> {
    details: CallDetails,
    links: Links,
    is_surveyed: bool,
    /// Number of rows taken.
    taken: usize,
    open: HashMap<String, (Vec<Leg>, Vec<Row>)>,
}

/// A call with its rows, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct AssembledCall<Row> {
    /// The call.
    pub call: CallRecord,
    /// The rows of its records; at least one.
    pub rows: Vec<Row>,
}

/// Result of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowResult<Row> {
    /// The row and its faults, if it is rejected. Its call is made from the other records.
    pub refused: Option<(Row, Vec<Diagnostic>)>,
    /// The call, if the row was its last record.
    pub finished: Option<AssembledCall<Row>>,
}

impl<Row> CallAssembler<Row> {
    /// Creates an assembler for a file with this reader.
    pub fn new(details: CallDetails) -> Self {
        Self { details, links: Links::default(), is_surveyed: false, taken: 0, open: HashMap::new() }
    }

    /// Reads a row in the first pass. Pass every row, in the same order as in the second pass.
    pub fn survey(&mut self, cells: &[&str]) {
        self.links.note(&self.details.seen(cells));
    }

    /// Reads a row in the second pass.
    pub fn take(&mut self, cells: &[&str], row: Row) -> RowResult<Row> {
        match self.details.leg(cells) {
            Ok(leg) => RowResult { refused: None, finished: self.add(cells, Some((leg, row))) },
            Err(faults) => self.refuse(cells, row, faults),
        }
    }

    /// Reads a row in the second pass that the caller rejects.
    pub fn refuse(&mut self, cells: &[&str], row: Row, faults: Vec<Diagnostic>) -> RowResult<Row> {
        let finished = self.add(cells, None);
        RowResult { refused: Some((row, faults)), finished }
    }

    /// Adds a record to its call. Returns the call if this is its last record.
    fn add(&mut self, cells: &[&str], record: Option<(Leg, Row)>) -> Option<AssembledCall<Row>> {
        if !self.is_surveyed {
            self.links.finish();
            self.is_surveyed = true;
        }
        let is_last = self.links.is_last(self.taken);
        self.taken += 1;
        let seen = self.details.seen(cells);
        let key = self.links.key(&seen);
        if is_last {
            let (mut legs, mut rows) = self.open.remove(key).unwrap_or_default();
            if let Some((leg, row)) = record {
                legs.push(leg);
                rows.push(row);
            }
            return (!legs.is_empty()).then(|| AssembledCall { call: self.details.assembled(key, legs), rows });
        }
        if let Some((leg, row)) = record {
            if !self.open.contains_key(key) {
                self.open.insert(key.to_owned(), (Vec::new(), Vec::new()));
            }
            let (legs, rows) = self.open.get_mut(key).expect("it was just inserted");
            legs.push(leg);
            rows.push(row);
        }
        None
    }

    /// Ends the file. Returns calls that are still open, which only happens if two calls have the same hash.
    pub fn finish(&mut self) -> Vec<AssembledCall<Row>> {
        let mut open: Vec<_> = self.open.drain().collect();
        open.sort_by(|(a, _), (b, _)| a.cmp(b));
        let details = &self.details;
        open.into_iter()
            .map(|(key, (legs, rows))| AssembledCall { call: details.assembled(&key, legs), rows })
            .collect()
    }
}
