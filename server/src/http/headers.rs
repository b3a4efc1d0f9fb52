//! Headers common to all responses.

use http::{HeaderName, HeaderValue, header};

use super::reply::Response;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Allows only what this server serves, WebAssembly, inline images (`data:`), and recordings from memory (`blob:`).
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; \
    frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/// Disables browser features that the panel doesn't use.
const PERMISSIONS_POLICY: &str =
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)";

/// Two years, as the browsers' preload list recommends.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=63072000; includeSubDomains";

/// Adds the common headers that are missing. Responses with data (`is_data`) and errors must not be cached.
pub fn add_common_headers(response: &mut Response, request_id: &str, is_data: bool, is_over_tls: bool) {
    let is_uncacheable = is_data || response.status().is_client_error() || response.status().is_server_error();
    let headers = response.headers_mut();
    let mut add = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    add(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    add(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    add(header::REFERRER_POLICY, "no-referrer");
    add(HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY);
    add(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    add(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    if is_over_tls {
        add(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT_SECURITY);
    }
    if is_uncacheable {
        add(header::CACHE_CONTROL, "no-store");
    }
    if let Ok(id) = HeaderValue::try_from(request_id) {
        headers.insert(REQUEST_ID, id);
    }
}
