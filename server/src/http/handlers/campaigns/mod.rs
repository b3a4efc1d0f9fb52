//! Campaigns.

pub mod create;
pub mod delete;
pub mod list;
pub mod preview;
pub mod progress;
pub mod read;
pub mod update;
