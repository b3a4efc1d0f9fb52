//! Campaigns and the leads in them.

pub mod campaign;
pub mod draft;
pub mod form;
pub mod hours_picker;
pub mod impact;
pub mod list;
pub mod table;
