//! Leads: look-ups and changes.

mod answer;
mod basic;
pub mod by_path;
pub mod create;
mod csv;
pub mod delete;
pub mod export;
pub mod extended_data;
mod json;
pub mod list;
pub mod read;
pub mod update;
pub mod values;
