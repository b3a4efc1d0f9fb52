//! Reading and searching transcripts for staff, and code shared with the operations for speech recognition tokens.

pub mod cancel;
pub mod export;
pub(super) mod form;
pub mod list;
pub mod read;
pub mod search;
pub(super) mod searched;
