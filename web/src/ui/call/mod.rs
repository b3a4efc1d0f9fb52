//! Calls in tables.

pub mod live_overrides;
pub mod table;
