//! Leads: their table, their forms, and the reasons why they can't be called.

pub mod action_draft;
pub mod action_form;
pub mod columns;
pub mod draft;
pub mod form;
pub mod reason_chips;
pub mod reason_rules;
pub mod selection;
pub mod selection_bar;
pub mod status_choice;
pub mod status_form;
pub mod table;
