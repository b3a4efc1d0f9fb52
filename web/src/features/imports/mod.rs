//! File imports: mapping, preview and result.

pub mod corrections;
pub mod csv_table;
mod draft;
pub mod mapping;
mod mapping_form;
pub mod options;
pub mod page;
pub mod preview;
pub mod recording_uploads;
pub mod rejected_rows;
pub mod report;
pub mod undo;
