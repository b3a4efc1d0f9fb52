//! Files that are imported: how they are read, what they would do, and what they did.

pub mod choices;
pub mod columns;
pub mod filter;
pub mod mapping;
pub mod preview;
pub mod report;
pub mod table;
pub mod undo;
