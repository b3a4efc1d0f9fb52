//! The audit log, and how long everything else is kept.

pub mod export;
pub mod list;
pub mod of_lead;
pub mod retention;
