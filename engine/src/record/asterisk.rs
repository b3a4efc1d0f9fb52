//! Call detail records of Asterisk: `Master.csv` as written by its module `cdr_csv`, without a header, and tables with a header of the same
//! columns, such as FreePBX reports.
//!
//! Asterisk writes one record for each part of a channel's path through the dial plan, and for each linked channel. [`CallAssembler`]
//! combines them to calls. A call is identified by the `uniqueid` of the channel that began it: the `linkedid` of its records, or else
//! their `uniqueid`.

mod assembler;
mod call;
mod channel;
mod columns;
mod leg;
mod links;
mod pattern;
#[cfg(test)]
mod tests;

pub use self::assembler::{AssembledCall, CallAssembler, RowResult};
pub use self::call::DetailsOrigin;
use self::channel::{Parties, is_local, local_half};
use self::columns::{Column, Columns, FIELDS, MASTER, MIN_COLUMNS};
use self::leg::{Leg, uniqueid_seconds};
use self::links::LinkCells;
pub(super) use self::pattern::Patterns;
use super::CallRecord;
use super::mapping::{Mapping, OwnNames};
use crate::diagnostic::{Diagnostic, Place};
use crate::zone::{self, Zone};

/// Reader for the records of a file.
#[derive(Clone, Debug)]
pub struct CallDetails {
    columns: Columns,
    zone: Zone,
    parties: Parties,
}

impl CallDetails {
    /// Creates a reader for a file with these columns. Pass [`CallDetails::columns`] if the file doesn't name them. Times are in the
    /// mapping's time zone, or else in UTC.
    ///
    /// # Errors
    /// A required column is missing, the time zone is unknown, or a pattern of extensions or trunks is invalid.
    pub fn new(header: &[impl AsRef<str>], mapping: &Mapping) -> Result<Self, Vec<Diagnostic>> {
        let mut faults = Vec::new();
        let at = |pointer: &str, wrong: Diagnostic| Diagnostic { place: Place::Pointer(pointer.to_owned()), ..wrong };
        let zone = zone::read(mapping.timezone.as_deref().unwrap_or("UTC"));
        let zone = zone.map_err(|wrong| faults.push(at("/timezone", wrong)));
        let mut patterns = |pointer, texts: &[String]| {
            Patterns::parse(texts).map_err(|wrong| faults.push(at(pointer, wrong))).unwrap_or_default()
        };
        let extensions = patterns("/extensions", &mapping.extensions);
        let trunks = patterns("/trunks", &mapping.trunks);
        let columns = Columns::of(header).map_err(|wrong| faults.push(wrong));
        match (columns, zone) {
            (Ok(columns), Ok(zone)) if faults.is_empty() => {
                Ok(Self { columns, zone, parties: Parties { extensions, trunks } })
            }
            _ => Err(faults),
        }
    }

    /// Returns the column names of a file without a header, for rows of this width. Columns beyond the known ones get empty names.
    pub fn columns(width: usize) -> Vec<String> {
        (0..width).map(|place| MASTER.get(place).copied().unwrap_or_default().to_owned()).collect()
    }

    /// Returns the columns that the fields are derived from.
    pub fn own_names(&self) -> OwnNames {
        let mut own = OwnNames::default();
        for (field, column) in FIELDS {
            let name = if column == "start" { self.columns.name(Column::Start) } else { column };
            own.note(field, name);
        }
        own
    }

    /// Returns the fields derived from a column. None for a column that is ignored or only helps to derive others.
    pub fn fields_from(column: &str) -> impl Iterator<Item = &'static str> {
        let column = columns::master_name(column);
        FIELDS.iter().filter(move |(_, from)| *from == column).map(|(field, _)| *field)
    }

    /// Returns true if a row is rejected when this column isn't UTF-8.
    pub fn reads(column: &str) -> bool {
        columns::must_be_text(column)
    }

    /// Returns true if the first row is a header.
    pub fn are_named_in(row: &[impl AsRef<str>]) -> bool {
        columns::are_named_in(row)
    }

    /// Returns true if the first row looks like a record of `Master.csv`.
    pub fn are_in(row: &[impl AsRef<str>]) -> bool {
        (MIN_COLUMNS..=MASTER.len()).contains(&row.len())
            && leg::status(row[14].as_ref()).is_some()
            && leg::moment(row[9].as_ref()).is_some()
    }

    /// Returns the call that the row describes on its own.
    ///
    /// # Errors
    /// All faults of the row, each with its column.
    pub fn call(&self, row: &[impl AsRef<str>]) -> Result<CallRecord, Vec<Diagnostic>> {
        let cells: Vec<_> = row.iter().map(AsRef::as_ref).collect();
        let leg = self.leg(&cells)?;
        Ok(self.assembled(self.seen(&cells).key(), vec![leg]))
    }

    fn leg(&self, cells: &[&str]) -> Result<Leg, Vec<Diagnostic>> {
        Leg::read(&self.columns, self.zone, &self.parties, cells)
    }

    fn assembled(&self, identifier: &str, mut legs: Vec<Leg>) -> CallRecord {
        call::assemble(identifier, &mut legs, &self.parties)
    }

    /// Returns the cells that link a row to its call.
    fn seen<'a>(&self, cells: &[&'a str]) -> LinkCells<'a> {
        let half = |column, number| {
            let channel = self.columns.cell(cells, column);
            local_half(channel).filter(|(_, half)| *half == number && is_local(channel)).map(|(name, _)| name)
        };
        LinkCells {
            uniqueid: self.columns.cell(cells, Column::Uniqueid),
            // Some programs write a constant instead of an id.
            linkedid: Some(self.columns.cell(cells, Column::Linkedid))
                .filter(|linked| uniqueid_seconds(linked).is_some())
                .unwrap_or_default(),
            continues: half(Column::Channel, 2),
            calls: half(Column::Dstchannel, 1),
        }
    }
}
