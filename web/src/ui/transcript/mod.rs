//! Transcripts as conversations.

pub mod conversation;
pub mod details;
