//! Jobs of the workers, one per file.

pub(super) mod deliver_callback;
pub mod purge_expired;
pub(super) mod queue_events;
pub(super) mod transcribe;
