//! Staff.

pub mod assignees;
pub mod create;
pub mod delete;
pub mod end_sessions;
pub mod list;
pub mod update;
