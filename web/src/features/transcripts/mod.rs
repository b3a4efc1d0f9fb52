//! Transcripts of calls.

pub mod filter;
pub mod hits;
pub mod page;
