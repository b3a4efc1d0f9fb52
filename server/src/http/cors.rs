//! Cross-origin resource sharing (CORS): pages of the configured origins may use the API with a key.
//!
//! Keys and speech tokens are sent in headers, so no response permits credentials: a page of another origin can't use the session cookie of
//! the panel.

use http::{HeaderMap, HeaderValue, Method, header};

use super::auth::SPEECH_TOKEN_HEADER;
use super::reply::Response;
use crate::config::Origins;

/// Request headers that pages may send.
const ALLOWED_HEADERS: [&str; 12] = [
    "Accept",
    "Authorization",
    "Content-Encoding",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "If-Range",
    "Last-Event-ID",
    "Range",
    SPEECH_TOKEN_HEADER,
    "X-Request-Id",
];

/// Response headers that pages may read, besides those that browsers always permit.
const EXPOSED_HEADERS: [&str; 10] = [
    "Accept-Encoding",
    "Accept-Ranges",
    "Allow",
    "Content-Disposition",
    "Content-Range",
    "ETag",
    "Idempotent-Replayed",
    "Location",
    "Retry-After",
    "X-Request-Id",
];

/// Time for which browsers may cache the result of a preflight request, in seconds.
const PREFLIGHT_MAX_AGE_SECONDS: u64 = 2 * 60 * 60;

/// The properties of a request that its CORS headers depend on.
#[derive(Debug)]
pub struct CorsRequest {
    /// Origin of the page, if it is permitted.
    origin: Option<HeaderValue>,
    is_preflight: bool,
}

impl CorsRequest {
    /// Reads the headers of a request. Returns `None` if no origins are permitted at all.
    pub fn new(permitted: &Origins, method: &Method, headers: &HeaderMap) -> Option<Self> {
        if permitted.is_empty() {
            return None;
        }
        let origin = headers.get(header::ORIGIN);
        let origin = origin.filter(|origin| origin.to_str().is_ok_and(|origin| permitted.contains(origin))).cloned();
        let is_preflight = *method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        Some(Self { origin, is_preflight })
    }

    /// Adds the CORS headers to a response. The permitted methods are those in `Allow`.
    pub fn add_headers(self, response: &mut Response) {
        let headers = response.headers_mut();
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        let Some(origin) = self.origin else { return };
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        if !self.is_preflight {
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, list(&EXPOSED_HEADERS));
            return;
        }
        if let Some(methods) = headers.get(header::ALLOW).cloned() {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, list(&ALLOWED_HEADERS));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_MAX_AGE_SECONDS.into());
    }
}

fn list(names: &[&str]) -> HeaderValue {
    HeaderValue::try_from(names.join(", ")).expect("names of headers are ASCII")
}
