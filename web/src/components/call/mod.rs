//! Calls and the actions on them.

pub mod cancel_transcriptions;
pub mod filter;
pub mod no_token;
pub mod outcome_table;
pub mod send_form;
pub mod summary;
pub mod table;
pub mod told;
