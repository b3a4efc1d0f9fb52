//! Transcripts of calls.

pub mod conversation;
pub mod details;
pub mod filter;
pub mod hits;
pub mod recognizer_notice;
