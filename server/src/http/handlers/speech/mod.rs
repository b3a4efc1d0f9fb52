//! Submission of calls to speech recognition, and access to the results with a token.

pub mod languages;
pub mod recognizer;
pub mod request_status;
pub mod search;
mod submission;
pub mod submit;
pub mod submit_for_token;
pub mod transcript;
pub mod webhook_secret;
