//! Logs and metrics.
//!
//! Neither contains secrets, phone numbers or transcripts: requests appear with the template of their path and a known method, and panics
//! without their message.

mod log_records;
mod logs;
pub mod metrics;
#[cfg(test)]
pub(crate) mod testing;

use http::Method;

pub use logs::{check_filter, init};

/// Returns the name of a known method for logs and metrics. Clients can send unknown methods of any length and content.
pub fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Joins an error and all its causes on one line. The JSON log format would drop the causes.
pub fn error_chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut line = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        line += &format!(": {cause}");
        next = cause.source();
    }
    line
}
