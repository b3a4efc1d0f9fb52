//! Campaigns and the leads in them.

pub mod draft;
pub mod effect;
pub mod form;
pub mod lead_draft;
pub mod lead_form;
pub mod table;
