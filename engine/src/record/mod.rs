//! What is written: leads, campaigns, campaign leads and calls, from a JSON body or a CSV row, under one set of rules.
//!
//! Each kind of thing has one table of rules (`rule`); the JSON form (`body`) and the CSV form (`csv`) are two ways to
//! read through it. All faults are reported at once. Nothing is coerced: `"5"` is no number, `5` no text.
//! Whether what a record refers to exists is the store's business, not this module's.
//!
//! What is written into many leads at once, by one action, keeps the same rules (`lead_action`).
//!
//! The tables describe themselves too: `schema` makes the schemas of the OpenAPI document of them, `reference` the tables of columns.
//!
//! To add a field: a line in the table, and its place in the record and its `apply`.

mod asterisk;
mod body;
mod call;
mod campaign;
mod campaign_lead;
mod cell;
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

pub use asterisk::{AssembledCall, CallAssembler, CallDetails, DetailsOrigin, RowResult};
pub use call::CallRecord;
pub use campaign::CampaignRecord;
pub use campaign_lead::{CampaignLeadRecord, FIRST_STATUS};
pub use cell::{campaign_cell, custom_cell, lead_cell};
pub use csv::{CallDetailsReader, CsvReader, RowKey};
pub use custom::MAX_CUSTOM_FIELDS;
pub use decimal::DecimalMark;
pub use formula::{guarded, is_formula, unguarded, unguarded_bytes};
pub use guess::{columns, guess, has_custom_fields, is_known_column};
pub use lead::LeadRecord;
pub use lead_action::{LeadAction, MAX_LEADS, Target};
pub use lead_column::LeadColumn;
pub use mapping::{Delimiter, Duplicates, Format, MAX_MAPPED, Mapping, OwnNames};
pub use preview::{REASON_COLUMNS, preview};
pub use recording_names::RecordingNames;
#[cfg(feature = "openapi")]
pub use reference::column_tables_markdown;
#[cfg(feature = "openapi")]
pub(crate) use schema::schemas;
pub use value::is_status_name;

use crate::api::Timestamp;
use crate::fault::{Fault, Place};
use crate::message::texts::record as texts;

/// What a JSON body is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It makes a new thing: what a new one can't be without is required.
    Create,
    /// It changes one that exists: at least one field, and none that is fixed once it is made.
    Change,
}

/// What a new thing can't be without. A JSON body always has it; a CSV row that was meant to change an existing thing
/// may not.
fn needed<T: Clone>(value: &Option<T>, field: &str) -> Result<T, Fault> {
    let missing = || Fault::new(Place::Column(field.to_owned()), "required", texts::needed(field));
    value.clone().ok_or_else(missing)
}

/// When a new thing was created: if nobody says, now, but not after it was changed.
fn created_at(given: Option<Timestamp>, updated_at: Timestamp, now: Timestamp) -> Timestamp {
    given.unwrap_or(now.min(updated_at))
}
