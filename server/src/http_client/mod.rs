//! Helpers shared by the HTTP clients: timeouts, `Retry-After`, size limits for responses, and error descriptions.

use std::error::Error;
use std::io;
use std::time::Duration;

use http::HeaderMap;
use http::header::RETRY_AFTER;
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::diagnostic::{Message, work};

#[cfg(test)]
pub(crate) mod scripted_server;

/// Connect timeout. A packet travels around the world in a third of a second; the rest allows for two lost packets.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum accepted `Retry-After`. Longer waits are cut to one day.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// Maximum length of an error description, in characters.
const MAX_DESCRIPTION_LENGTH: usize = 200;

/// `User-Agent` of outgoing requests.
pub const USER_AGENT: &str = concat!("Leadscribe/", env!("CARGO_PKG_VERSION"));

/// Returns the wait requested by `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3), at most one day.
pub fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = if text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that doesn't fit is a long wait as well.
        Duration::from_secs(text.parse().unwrap_or(u64::MAX))
    } else {
        let until = Timestamp::from(httpdate::parse_http_date(text).ok()?);
        (until - now).to_std().unwrap_or_default()
    };
    (!text.is_empty()).then(|| wait.min(MAX_RETRY_AFTER))
}

/// Reads the body of a response; `None` if it has more than `limit` bytes.
///
/// # Errors
/// The connection broke, or the deadline passed.
pub async fn read_body(mut response: reqwest::Response, limit: usize) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > limit {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// Describes an error in one line, without the URL.
pub fn describe_error(error: reqwest::Error, deadline: Duration) -> Message {
    // The URL may contain a secret.
    let error = error.without_url();
    if error.is_timeout() {
        return match error.is_connect() {
            true => work::no_connection(CONNECT_TIMEOUT.min(deadline).as_secs()),
            false => work::no_answer(deadline.as_secs()),
        };
    }
    if error.is_dns() {
        return work::unknown_server();
    }
    let mut cause: &dyn Error = &error;
    let mut system_error = None;
    while let Some(next) = cause.source() {
        cause = next;
        system_error =
            system_error.or(cause.downcast_ref::<io::Error>().filter(|error| error.raw_os_error().is_some()));
    }
    let text = match system_error.map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => return work::refused(),
        Some(io::ErrorKind::ConnectionReset) => return work::reset(),
        Some(io::ErrorKind::ConnectionAborted) => return work::aborted(),
        Some(io::ErrorKind::HostUnreachable) => return work::host_unreachable(),
        Some(io::ErrorKind::NetworkUnreachable) => return work::network_unreachable(),
        Some(kind) => kind.to_string(),
        None => cause.to_string(),
    };
    let printable = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    work::connection_error(printable.take(MAX_DESCRIPTION_LENGTH).collect::<String>())
}

/// Returns the first error of type `E` in the chain of sources.
pub fn find_source<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(source) = error.downcast_ref() {
            return Some(source);
        }
        next = error.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http::{HeaderMap, HeaderValue};

    #[test]
    fn parses_all_forms_of_retry_after() {
        let wait = |text: &'static str| {
            let headers = HeaderMap::from_iter([(http::header::RETRY_AFTER, HeaderValue::from_static(text))]);
            super::retry_after(&headers, "1994-11-06T08:49:00Z".parse().expect("a time"))
        };
        assert_eq!(wait("120"), Some(Duration::from_mins(2)));
        assert_eq!(wait("0"), Some(Duration::ZERO));
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::from_secs(37)));
        assert_eq!(wait("Sunday, 06-Nov-94 08:49:37 GMT"), Some(Duration::from_secs(37)));
        assert_eq!(wait("Sun Nov  6 08:49:37 1994"), Some(Duration::from_secs(37)));
        assert_eq!(wait("Sat, 05 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
        for long in ["86401", "18446744073709551616", "Tue, 06 Nov 2035 08:49:37 GMT"] {
            assert_eq!(wait(long), Some(Duration::from_hours(24)), "{long}");
        }
        for invalid in ["", "-1", "1.5", "soon", "+5"] {
            assert_eq!(wait(invalid), None, "{invalid}");
        }
        assert_eq!(super::retry_after(&HeaderMap::new(), "1994-11-06T08:49:00Z".parse().expect("a time")), None);
    }
}
