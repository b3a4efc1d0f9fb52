//! Deliveries of transcripts to callbacks, for staff.

pub mod endpoints;
pub mod export;
pub mod list;
pub mod read;
pub mod replay;
pub mod test;
