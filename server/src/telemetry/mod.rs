//! What the server says about itself: logs and measurements.
//!
//! Neither ever holds a secret, a phone number or a transcript: requests appear under the template of their path, and
//! panics without their message.

mod log_records;
mod logs;
pub mod metrics;

pub use logs::init;
