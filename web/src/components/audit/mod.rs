//! Audit log: changes, their actors and the affected fields.

pub mod actor;
pub mod changed_fields;
pub mod changed_too;
pub mod filter;
pub mod past_change;
pub mod past_change_list;
pub mod past_remark;
pub mod table;
