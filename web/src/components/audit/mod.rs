//! Audit log: changes, their actors and the affected fields.

pub mod actor;
pub mod bulk_action;
pub mod bulk_action_list;
pub mod changed_fields;
pub mod edit_conflict_notice;
pub mod filter;
pub mod past_date_notice;
pub mod table;
