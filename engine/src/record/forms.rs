//! The two ways to parse a record: from a JSON body and from a CSV file.

use super::rule::{Access, Record};
use super::{CallRecord, CampaignLeadRecord, CampaignRecord, CsvReader, LeadRecord, Mapping, WriteMode, body};
use crate::diagnostic::Diagnostic;

macro_rules! record_forms {
    ($record:ident) => {
        impl $record {
            /// Parses a record from a JSON body.
            ///
            /// # Errors
            /// All errors of the body, each with its JSON Pointer.
            pub fn from_json(text: &str, mode: WriteMode) -> Result<Self, Vec<Diagnostic>> {
                body::parse(text, mode)
            }

            /// Returns a reader for the rows of a CSV file with this header.
            ///
            /// # Errors
            /// All errors of the header, each with its column.
            pub fn csv(header: &[impl AsRef<str>]) -> Result<CsvReader<Self>, Vec<Diagnostic>> {
                CsvReader::new(header, &Mapping::default())
            }

            /// Returns a reader for the rows of a CSV file with this header and column mapping.
            ///
            /// # Errors
            /// All errors of the header, each with its column as named in the file.
            pub fn csv_with_mapping(
                header: &[impl AsRef<str>],
                mapping: &Mapping,
            ) -> Result<CsvReader<Self>, Vec<Diagnostic>> {
                CsvReader::new(header, mapping)
            }

            /// Returns the columns that a CSV file may have, excluding custom fields, in documented order.
            pub fn columns() -> impl Iterator<Item = &'static str> {
                let rules = <Self as Record>::RULES.iter().filter(|rule| rule.access != Access::ServerManaged);
                rules.flat_map(|rule| rule.columns.iter().copied())
            }
        }
    };
}

record_forms!(LeadRecord);
record_forms!(CampaignRecord);
record_forms!(CampaignLeadRecord);
record_forms!(CallRecord);
