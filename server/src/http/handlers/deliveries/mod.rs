//! Deliveries of transcripts to callbacks, for staff.

pub mod deliver_for_token;
pub mod endpoints;
pub mod list;
pub mod read;
pub mod replay;
pub(super) mod speech_request;
pub mod test;
