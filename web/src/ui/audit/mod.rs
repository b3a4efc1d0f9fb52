//! Actors, bulk actions and changed fields of the audit log.

pub mod actor;
pub mod bulk_action;
pub mod bulk_action_list;
pub mod changed_fields;
