//! Records for writing leads, campaigns, campaign leads and calls, from a JSON body or a CSV row, under the same rules.
//!
//! Each kind has one table of rules (`rule`). The parsers of JSON bodies (`body`) and CSV rows (`csv`) both use it. All errors are reported
//! at once. Values are never coerced: `"5"` isn't a number, and `5` isn't a text. The store checks whether referenced records exist.
//!
//! Bulk actions (`lead_action`) follow the same rules.
//!
//! Documentation is also generated from the tables: the schemas of the OpenAPI document (`body_schema`) and the tables
//! of columns (`reference`).
//!
//! To add a field, add a line to the table. The record and its `apply` follow from it.

mod asterisk;
mod body;
#[cfg(feature = "openapi")]
mod body_schema;
mod call;
mod campaign;
mod campaign_lead;
mod cell;
mod channel_pattern;
mod csv;
mod custom;
mod decimal;
mod formula;
mod guess;
mod hours;
mod lead;
mod lead_action;
mod lead_column;
mod lead_values;
mod mapping;
mod methods;
mod preview;
mod recording_names;
#[cfg(feature = "openapi")]
mod reference;
mod rule;
#[cfg(feature = "openapi")]
mod schema;
#[cfg(test)]
mod tests;
mod value;

pub use asterisk::{AssembledCall, CallAssembler, CallDetailReader, RowResult};
#[cfg(feature = "openapi")]
pub(crate) use body_schema::schemas;
pub use call::{CallRecord, DetailsOrigin};
pub use campaign::CampaignRecord;
pub use campaign_lead::{CampaignLeadRecord, DEFAULT_STATUS};
pub use cell::{campaign_cell, custom_cell, lead_cell};
pub use csv::{CallDetailConversion, CsvReader, CsvRecord, RowKey};
pub use custom::MAX_CUSTOM_FIELDS;
pub use decimal::DecimalMark;
pub use formula::{escape_formula, is_formula, unescape_formula, unescape_formula_bytes};
pub use guess::{column_names, guess_fields, has_custom_fields, is_known_column};
pub use lead::{LeadRecord, MAX_NEW_LEADS};
pub use lead_action::{LeadAction, MAX_LEADS, Target};
pub use lead_column::LeadColumn;
pub use mapping::{ColumnNames, Delimiter, Duplicates, Format, MAX_MAPPED_COLUMNS, Mapping};
pub use preview::preview;
pub use recording_names::RecordingIndex;
#[cfg(feature = "openapi")]
pub use reference::column_tables_markdown;
pub use value::is_status_name;

use crate::api::Timestamp;
use crate::diagnostic::{Diagnostic, Location, catalog::record as texts};

/// The columns that a file of rejected rows has before the columns of the import. When such a file is imported, these columns and the
/// apostrophes added to its cells ([`escape_formula`]) are removed.
pub const REASON_COLUMNS: [&str; 2] = ["line", "reason"];

/// Purpose of a JSON body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    /// Creates a record. Required fields must be present.
    Create,
    /// Changes an existing record: at least one field, and no field that is fixed after creation.
    Update,
}

/// Returns a required field of a new record. A JSON body always has it; a CSV row meant to change an existing record may not.
fn require<T: Clone>(value: &Option<T>, field: &str) -> Result<T, Diagnostic> {
    let missing = || Diagnostic::new(Location::Column(field.to_owned()), "required", texts::required_for_new(field));
    value.clone().ok_or_else(missing)
}

/// Returns the creation time of a new record: by default `now`, but not later than `updated_at`.
fn created_at(specified: Option<Timestamp>, updated_at: Timestamp, now: Timestamp) -> Timestamp {
    specified.unwrap_or(now.min(updated_at))
}
