//! Imports of CSV files.

pub mod cancel;
pub mod create;
pub mod left;
pub mod list;
pub mod read;
pub mod rejected;
pub mod rejected_csv;
pub mod undo;
