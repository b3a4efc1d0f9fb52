//! Audit log: changes, their actors and the affected fields.

pub mod filter;
pub mod table;
