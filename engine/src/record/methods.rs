//! Methods that every kind of record has.

use super::rule::{Access, Record};
use super::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord, WriteMode, body};
use crate::diagnostic::Diagnostic;

macro_rules! record_methods {
    ($record:ident) => {
        impl $record {
            /// Parses a record from a JSON body.
            ///
            /// # Errors
            /// All errors of the body, each with its JSON Pointer.
            pub fn from_json(text: &str, mode: WriteMode) -> Result<Self, Vec<Diagnostic>> {
                body::parse(text, mode)
            }

            /// Returns the columns that a CSV file may have, excluding custom fields, in documented order.
            pub fn columns() -> impl Iterator<Item = &'static str> {
                let rules = <Self as Record>::RULES.iter().filter(|rule| rule.access != Access::ServerManaged);
                rules.flat_map(|rule| rule.columns.iter().copied())
            }
        }
    };
}

record_methods!(LeadRecord);
record_methods!(CampaignRecord);
record_methods!(CampaignLeadRecord);
record_methods!(CallRecord);
