//! File imports: mapping, preview and result.

pub mod columns;
pub mod corrections;
mod draft;
pub mod filter;
mod findings;
pub mod mapping;
pub mod options;
pub mod preview;
pub mod rejected_rows;
pub mod report;
pub mod table;
pub mod target;
pub mod undo;
