//! Jobs of the workers, one per file.

pub mod deliver_callback;
pub mod purge_expired;
pub mod transcribe;
