//! Leads: lookups and changes.

mod basic_lookup;
pub mod by_path;
pub mod create;
mod csv;
pub mod delete;
pub mod export;
pub mod extended_data;
mod json;
pub mod list;
mod lookup_response;
pub mod read;
pub mod update;
pub mod upsert;
pub mod values;
