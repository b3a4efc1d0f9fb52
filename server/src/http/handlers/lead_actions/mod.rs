//! Actions on many leads at once.

pub mod create;
pub mod undo;
