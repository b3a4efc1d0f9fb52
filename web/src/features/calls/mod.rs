//! Calls and the actions on them.

pub mod call;
pub mod cancel_transcriptions;
pub mod list;
pub mod outcome_table;
pub mod send;
pub mod send_calls_form;
pub mod skipped;
pub mod summary;
