//! Campaigns and the leads in them.

pub mod draft;
pub mod form;
pub mod impact;
pub mod lead_draft;
pub mod lead_form;
pub mod table;
