//! Campaigns and the leads in them.

pub mod campaign;
pub mod draft;
pub mod form;
pub mod list;
