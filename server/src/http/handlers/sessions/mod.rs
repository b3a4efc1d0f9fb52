//! A user's own sessions.

pub mod end;
pub mod end_others;
pub mod list;
