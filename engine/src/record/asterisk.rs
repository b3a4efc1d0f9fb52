//! Call detail records of Asterisk: `Master.csv` as its module `cdr_csv` writes it, without a header, and tables with a header
//! that names the same columns, such as the reports of FreePBX.
//!
//! Asterisk writes a record for each part of a channel's way through the dial plan, and for each channel that is linked with it.
//! A call is made of all of them ([`CallAssembler`]), and is known by the `uniqueid` of the channel that began it: the `linkedid`
//! of its records, or without one their `uniqueid`.

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
use crate::fault::{Fault, Place};
use crate::zone::{self, Zone};

/// Reads the records of a file.
#[derive(Clone, Debug)]
pub struct CallDetails {
    columns: Columns,
    zone: Zone,
    parties: Parties,
}

impl CallDetails {
    /// For a file with these columns ([`CallDetails::columns`] where it doesn't name them), with times of the mapping's time zone
    /// or else of UTC.
    ///
    /// # Errors
    /// A column that a call needs is missing; there is no such time zone; or a pattern of extensions or trunks is none.
    pub fn new(header: &[impl AsRef<str>], mapping: &Mapping) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let at = |pointer: &str, wrong: Fault| Fault { place: Place::Pointer(pointer.to_owned()), ..wrong };
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

    /// The names of the columns of a file without a header whose rows have so many cells. More than there are names for have
    /// an empty one.
    pub fn columns(width: usize) -> Vec<String> {
        (0..width).map(|place| MASTER.get(place).copied().unwrap_or_default().to_owned()).collect()
    }

    /// Which column each field is made of.
    pub fn own_names(&self) -> OwnNames {
        let mut own = OwnNames::default();
        for (field, column) in FIELDS {
            let name = if column == "start" { self.columns.name(Column::Start) } else { column };
            own.note(field, name);
        }
        own
    }

    /// The fields that a column goes to; none for one that isn't looked at or only helps to find others.
    pub fn fields_from(column: &str) -> impl Iterator<Item = &'static str> {
        let column = columns::master_name(column);
        FIELDS.iter().filter(move |(_, from)| *from == column).map(|(field, _)| *field)
    }

    /// Returns whether a cell of a column that isn't UTF-8 refuses its row.
    pub fn reads(column: &str) -> bool {
        columns::must_be_text(column)
    }

    /// Returns whether a first row is no record but names the columns.
    pub fn are_named_in(row: &[impl AsRef<str>]) -> bool {
        columns::are_named_in(row)
    }

    /// Returns whether the cells of a first row look like a record of `Master.csv`.
    pub fn are_in(row: &[impl AsRef<str>]) -> bool {
        (MIN_COLUMNS..=MASTER.len()).contains(&row.len())
            && leg::status(row[14].as_ref()).is_some()
            && leg::moment(row[9].as_ref()).is_some()
    }

    /// The call that a row is by itself.
    ///
    /// # Errors
    /// Every fault of the row, at once, each with its column.
    pub fn call(&self, row: &[impl AsRef<str>]) -> Result<CallRecord, Vec<Fault>> {
        let cells: Vec<_> = row.iter().map(AsRef::as_ref).collect();
        let leg = self.leg(&cells)?;
        Ok(self.assembled(self.seen(&cells).key(), vec![leg]))
    }

    fn leg(&self, cells: &[&str]) -> Result<Leg, Vec<Fault>> {
        Leg::read(&self.columns, self.zone, &self.parties, cells)
    }

    fn assembled(&self, identifier: &str, mut legs: Vec<Leg>) -> CallRecord {
        call::assemble(identifier, &mut legs, &self.parties)
    }

    /// The cells that link a row to its call.
    fn seen<'a>(&self, cells: &[&'a str]) -> LinkCells<'a> {
        let half = |column, number| {
            let channel = self.columns.cell(cells, column);
            local_half(channel).filter(|(_, half)| *half == number && is_local(channel)).map(|(name, _)| name)
        };
        LinkCells {
            uniqueid: self.columns.cell(cells, Column::Uniqueid),
            // Some programs write a constant instead.
            linkedid: Some(self.columns.cell(cells, Column::Linkedid))
                .filter(|linked| uniqueid_seconds(linked).is_some())
                .unwrap_or_default(),
            continues: half(Column::Channel, 2),
            calls: half(Column::Dstchannel, 1),
        }
    }
}
