//! File imports: mapping, preview and result.

pub mod columns;
pub mod corrections;
pub mod csv_preview;
mod draft;
pub mod filter;
mod findings;
pub mod last_mapping;
pub mod mapping;
pub mod options;
pub mod page;
pub mod preview;
pub mod recording_folder;
pub mod recording_uploads;
pub mod rejected_rows;
pub mod report;
pub mod table;
pub mod target;
pub mod undo;
