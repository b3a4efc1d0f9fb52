//! Reading and searching transcripts for staff, and code shared with the operations for speech tokens.

pub mod cancel;
pub mod list;
pub mod read;
pub mod search;
pub(super) mod search_query;
pub(super) mod transcript_format;
