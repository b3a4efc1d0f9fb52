//! Summary figures for the overview page.

pub mod activity;
pub mod callable;
