//! How things are, for those who want to see it at once.

pub mod activity;
pub mod callable;
