//! The statuses of campaign leads.

pub mod delete;
pub mod list;
pub mod order;
pub mod put;
