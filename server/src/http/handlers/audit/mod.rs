//! The audit log and the retention periods.

pub mod lead_history;
pub mod list;
pub mod retention;
