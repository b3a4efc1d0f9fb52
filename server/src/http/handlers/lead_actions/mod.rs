//! Actions that change many leads.

pub mod create;
pub mod list;
pub mod undo;
