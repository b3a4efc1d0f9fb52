//! Leads: their table, their forms, and the reasons why they can't be called.

pub mod columns;
pub mod lead_names;
pub mod reason_rules;
pub mod status_form;
pub mod table;
