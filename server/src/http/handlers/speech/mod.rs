//! Sending calls to speech recognition.

mod idempotency_key;
pub mod languages;
pub mod submit;
pub mod submit_for_token;
