//! Work beside the requests: one job per file.
//!
//! A job calls the services and the store like a handler does. It has no state that a crash could lose.

pub mod purge_expired;
