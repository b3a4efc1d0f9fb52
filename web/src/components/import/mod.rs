//! File imports: mapping, preview and result.

pub mod choices;
pub mod columns;
pub mod corrections;
mod draft;
pub mod filter;
mod findings;
pub mod mapping;
pub mod preview;
pub mod rejected;
pub mod report;
pub mod table;
pub mod target;
pub mod undo;
