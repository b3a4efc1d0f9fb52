//! Calls and the actions on them.

pub mod cancel_transcriptions;
pub mod filter;
pub mod live_overrides;
pub mod no_token_notice;
pub mod outcome_table;
pub mod send_calls_form;
pub mod summary;
pub mod table;
