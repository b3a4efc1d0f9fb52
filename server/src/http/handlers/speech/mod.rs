//! Sending calls to speech recognition.

pub mod languages;
mod submission;
pub mod submit;
pub mod submit_for_token;
