//! Transcripts delivered to callbacks, as staff see them.

pub mod endpoints;
pub mod export;
pub mod list;
pub mod read;
pub mod replay;
pub mod test;
