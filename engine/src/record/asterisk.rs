//! Call detail records of Asterisk: `Master.csv` as written by its module `cdr_csv`, without a header, and tables with a header of the same
//! columns, such as FreePBX reports.
//!
//! Asterisk writes one record for each part of a channel's path through the dial plan, and for each linked channel.
//! [`CallAssembler`] combines them into calls. A call is identified by the `uniqueid` of the channel that began it: the
//! `linkedid` of its records, or else their `uniqueid`.

mod assembler;
mod call;
mod channel;
mod columns;
mod leg;
mod links;
#[cfg(test)]
mod tests;

pub use self::assembler::{AssembledCall, CallAssembler, RowResult};
use self::channel::{ChannelClassifier, is_local, local_half};
use self::columns::{Column, Columns, FIELD_COLUMNS, MASTER_COLUMNS, MIN_COLUMNS};
use self::leg::{Leg, uniqueid_seconds};
use self::links::LinkCells;
use super::CallRecord;
use super::channel_pattern::Patterns;
use super::mapping::{ColumnNames, Format, Mapping};
use crate::diagnostic::{Diagnostic, Location};
use crate::zone::{self, Zone};

/// Reader for the records of a file.
#[derive(Clone, Debug)]
pub struct CallDetailReader {
    columns: Columns,
    zone: Zone,
    classifier: ChannelClassifier,
}

impl CallDetailReader {
    /// Creates a reader for a file with these columns. Pass [`CallDetailReader::columns`] if the file doesn't name them. Times are in the
    /// mapping's time zone, or else in UTC.
    ///
    /// # Errors
    /// A required column is missing, the time zone is unknown, or a pattern of extensions or trunks is invalid.
    pub fn new(header: &[impl AsRef<str>], mapping: &Mapping) -> Result<Self, Vec<Diagnostic>> {
        let mut diagnostics = Vec::new();
        let at_pointer =
            |pointer: &str, error: Diagnostic| Diagnostic { location: Location::Pointer(pointer.to_owned()), ..error };
        let zone = zone::parse_name(mapping.timezone.as_deref().unwrap_or("UTC"));
        let zone = zone.map_err(|error| diagnostics.push(at_pointer("/timezone", error)));
        let mut patterns = |pointer, texts: &[String]| {
            Patterns::parse(texts).map_err(|error| diagnostics.push(at_pointer(pointer, error))).unwrap_or_default()
        };
        let extensions = patterns("/extensions", &mapping.extensions);
        let trunks = patterns("/trunks", &mapping.trunks);
        let columns = Columns::find(header).map_err(|error| diagnostics.push(error));
        match (columns, zone) {
            (Ok(columns), Ok(zone)) if diagnostics.is_empty() => {
                Ok(Self { columns, zone, classifier: ChannelClassifier { extensions, trunks } })
            }
            _ => Err(diagnostics),
        }
    }

    /// Returns the column names of a file without a header, for rows of this width. Columns beyond the known ones get empty names.
    pub fn columns(width: usize) -> Vec<String> {
        (0..width).map(|index| MASTER_COLUMNS.get(index).copied().unwrap_or_default().to_owned()).collect()
    }

    /// Returns the columns that the fields are derived from.
    pub fn column_names(&self) -> ColumnNames {
        let mut names = ColumnNames::default();
        for (field, column) in FIELD_COLUMNS {
            let name = if column == "start" { self.columns.name(Column::Start) } else { column };
            names.record(field, name);
        }
        names
    }

    /// Returns the fields derived from a column. Empty for a column that is ignored or only helps to derive other
    /// fields.
    pub fn fields_from(column: &str) -> impl Iterator<Item = &'static str> {
        let column = columns::master_name(column);
        FIELD_COLUMNS.iter().filter(move |(_, source)| *source == column).map(|(field, _)| *field)
    }

    /// Returns true if a row is rejected when this column isn't UTF-8.
    pub fn must_be_utf8(column: &str) -> bool {
        columns::must_be_utf8(column)
    }

    /// Returns true if rows of calls with these columns are call detail records: the mapping says so, or the columns match and none maps to
    /// `direction`, which regular calls require.
    pub fn matches(columns: &[impl AsRef<str>], mapping: &Mapping) -> bool {
        let names_direction = || columns.iter().any(|name| mapping.field(name.as_ref()) == Some("direction"));
        mapping.format == Format::Asterisk || columns::is_header(columns) && !names_direction()
    }

    /// Returns true if the first row is a header.
    pub fn is_header(row: &[impl AsRef<str>]) -> bool {
        columns::is_header(row)
    }

    /// Returns true if the first row looks like a record of `Master.csv`.
    pub fn is_record(row: &[impl AsRef<str>]) -> bool {
        (MIN_COLUMNS..=MASTER_COLUMNS.len()).contains(&row.len())
            && leg::parse_status(row[14].as_ref()).is_some()
            && leg::parse_local_time(row[9].as_ref()).is_some()
    }

    /// Returns the call that the row describes on its own.
    ///
    /// # Errors
    /// All errors of the row, each with its column.
    pub fn single_call(&self, row: &[impl AsRef<str>]) -> Result<CallRecord, Vec<Diagnostic>> {
        let cells: Vec<_> = row.iter().map(AsRef::as_ref).collect();
        let leg = self.parse_leg(&cells)?;
        Ok(self.assemble(self.link_cells(&cells).key(), vec![leg]))
    }

    fn parse_leg(&self, cells: &[&str]) -> Result<Leg, Vec<Diagnostic>> {
        Leg::parse(&self.columns, self.zone, &self.classifier, cells)
    }

    fn assemble(&self, identifier: &str, mut legs: Vec<Leg>) -> CallRecord {
        call::assemble(identifier, &mut legs, &self.classifier)
    }

    /// Returns the cells that link a row to its call.
    fn link_cells<'a>(&self, cells: &[&'a str]) -> LinkCells<'a> {
        let local_name_if_half = |column, number| {
            let channel = self.columns.cell(cells, column);
            local_half(channel).filter(|(_, half)| *half == number && is_local(channel)).map(|(name, _)| name)
        };
        LinkCells {
            uniqueid: self.columns.cell(cells, Column::Uniqueid),
            // Some programs write a constant instead of an id.
            linkedid: Some(self.columns.cell(cells, Column::Linkedid))
                .filter(|linkedid| uniqueid_seconds(linkedid).is_some())
                .unwrap_or_default(),
            continued_local: local_name_if_half(Column::Channel, 2),
            called_local: local_name_if_half(Column::Dstchannel, 1),
        }
    }
}
