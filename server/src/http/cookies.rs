//! The session cookie, and the device cookie that recognizes a browser in which a user has logged in.

use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, HeaderValue, header};

/// Name of the session cookie over plain HTTP.
const SESSION_COOKIE: &str = "leadscribe_session";

/// Name of the session cookie behind TLS. Browsers accept a `__Host-` cookie only with Secure, `Path=/` and no domain, so a neighboring
/// host can't set one.
const SECURE_SESSION_COOKIE: &str = "__Host-leadscribe_session";

/// Name of the device cookie over plain HTTP.
const DEVICE_COOKIE: &str = "leadscribe_device";
/// Name of the device cookie behind TLS.
const SECURE_DEVICE_COOKIE: &str = "__Host-leadscribe_device";

/// Lifetime of the device cookie after the last login, in days: the maximum that browsers allow (RFC 6265bis, 5.5).
const DEVICE_COOKIE_DAYS: i64 = 400;

pub fn session_cookie_name(is_over_tls: bool) -> &'static str {
    if is_over_tls { SECURE_SESSION_COOKIE } else { SESSION_COOKIE }
}

/// Returns the session secret in the request.
pub fn session_secret(headers: &HeaderMap, is_over_tls: bool) -> Option<String> {
    find_cookie(headers, session_cookie_name(is_over_tls))
}

/// Returns the value of the device cookie in the request.
pub fn device_cookie(headers: &HeaderMap, is_over_tls: bool) -> Option<String> {
    find_cookie(headers, device_cookie_name(is_over_tls))
}

fn device_cookie_name(is_over_tls: bool) -> &'static str {
    if is_over_tls { SECURE_DEVICE_COOKIE } else { DEVICE_COOKIE }
}

fn find_cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
}

/// `Set-Cookie` for a new session. The browser deletes the cookie when it closes; the session expires on the server.
pub fn set_session(secret: String, is_over_tls: bool) -> HeaderValue {
    to_header_value(build_cookie(session_cookie_name(is_over_tls), secret, is_over_tls))
}

/// `Set-Cookie` for a recognized browser.
pub fn set_device(value: String, is_over_tls: bool) -> HeaderValue {
    let mut cookie = build_cookie(device_cookie_name(is_over_tls), value, is_over_tls);
    cookie.set_max_age(Duration::days(DEVICE_COOKIE_DAYS));
    to_header_value(cookie)
}

/// `Set-Cookie` that removes the cookie of an ended session.
pub fn clear_session(is_over_tls: bool) -> HeaderValue {
    let mut cookie = build_cookie(session_cookie_name(is_over_tls), String::new(), is_over_tls);
    cookie.set_max_age(Duration::ZERO);
    to_header_value(cookie)
}

fn build_cookie(name: &'static str, value: String, is_over_tls: bool) -> Cookie<'static> {
    Cookie::build((name, value)).http_only(true).same_site(SameSite::Strict).path("/").secure(is_over_tls).build()
}

fn to_header_value(cookie: Cookie<'_>) -> HeaderValue {
    HeaderValue::try_from(cookie.to_string()).expect("secrets and device proofs are ASCII without spaces")
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};

    use super::{clear_session, device_cookie, session_secret, set_device, set_session};

    #[test]
    fn device_cookie_lasts_as_long_as_browsers_permit() {
        assert_eq!(
            set_device("1.id.code~2.id.code".to_owned(), true),
            "__Host-leadscribe_device=1.id.code~2.id.code; HttpOnly; SameSite=Strict; Secure; Path=/; Max-Age=34560000"
        );
        let mut headers = HeaderMap::new();
        let cookies = "leadscribe_device=1.id.code~2.id.code; leadscribe_session=ls_ses_x";
        headers.insert(header::COOKIE, HeaderValue::from_static(cookies));
        assert_eq!(device_cookie(&headers, false).as_deref(), Some("1.id.code~2.id.code"));
        assert_eq!(device_cookie(&headers, true), None);
    }

    #[test]
    fn cookie_is_bound_to_host_behind_tls() {
        assert_eq!(
            set_session("ls_ses_x".to_owned(), false),
            "leadscribe_session=ls_ses_x; HttpOnly; SameSite=Strict; Path=/"
        );
        assert_eq!(
            set_session("ls_ses_x".to_owned(), true),
            "__Host-leadscribe_session=ls_ses_x; HttpOnly; SameSite=Strict; Secure; Path=/"
        );
        assert!(clear_session(true).to_str().expect("ASCII").contains("Max-Age=0"));
    }

    #[test]
    fn ignores_plain_cookie_behind_tls() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("a=b; leadscribe_session=ls_ses_x"));
        assert_eq!(session_secret(&headers, false).as_deref(), Some("ls_ses_x"));
        assert_eq!(session_secret(&headers, true), None);
    }
}
