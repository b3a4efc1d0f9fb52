//! Actions on many leads at once.

pub mod create;
pub mod list;
pub mod undo;
