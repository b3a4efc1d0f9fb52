//! Leads: the list with filter, selection and bulk actions, and the page of a lead.

pub mod action_draft;
pub mod action_form;
pub mod draft;
pub mod form;
pub mod lead;
pub mod list;
