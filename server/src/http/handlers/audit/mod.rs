//! The audit log and the retention periods.

pub mod export;
pub mod list;
pub mod of_lead;
pub mod retention;
