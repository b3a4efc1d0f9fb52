//! What the server says about itself: logs and measurements.
//!
//! Neither ever holds a secret, a phone number or a transcript: requests appear under the template of their path and a method
//! that is known, and panics without their message.

mod log_records;
mod logs;
pub mod metrics;
#[cfg(test)]
pub(crate) mod testing;

use http::Method;

pub use logs::{check_filter, init};

/// A method as it may be logged and measured: clients can invent others, of any length, with whatever in them.
pub fn method(method: &Method) -> &'static str {
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

/// An error with every cause behind it, on one line: logs as JSON would keep the first alone.
pub fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut line = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        line += &format!(": {cause}");
        next = cause.source();
    }
    line
}
