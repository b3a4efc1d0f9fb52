//! The session cookie, and the device cookie that recognises a browser in which a user has logged in.

use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, HeaderValue, header};

/// Name of the session cookie over plain HTTP.
const PLAIN: &str = "leadscribe_session";

/// Name of the session cookie behind TLS. Browsers accept a `__Host-` cookie only with Secure, `Path=/` and no domain, so a neighbouring
/// host can't set one.
const SECURE: &str = "__Host-leadscribe_session";

/// Names of the device cookie.
const PLAIN_DEVICE: &str = "leadscribe_device";
const SECURE_DEVICE: &str = "__Host-leadscribe_device";

/// Lifetime of the device cookie without a log-in, in days: the maximum that browsers allow (RFC 6265bis, 5.5).
const DEVICE_DAYS: i64 = 400;

/// Returns the name of the session cookie.
pub fn name(behind_tls: bool) -> &'static str {
    if behind_tls { SECURE } else { PLAIN }
}

/// Returns the session secret in the request.
pub fn session(headers: &HeaderMap, behind_tls: bool) -> Option<String> {
    find(headers, name(behind_tls))
}

/// Returns the value of the device cookie in the request.
pub fn device(headers: &HeaderMap, behind_tls: bool) -> Option<String> {
    find(headers, device_name(behind_tls))
}

fn device_name(behind_tls: bool) -> &'static str {
    if behind_tls { SECURE_DEVICE } else { PLAIN_DEVICE }
}

fn find(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
}

/// `Set-Cookie` for a new session. The cookie expires with the browser, the session on the server.
pub fn set(secret: String, behind_tls: bool) -> HeaderValue {
    header_value(cookie(name(behind_tls), secret, behind_tls))
}

/// `Set-Cookie` for a recognised browser.
pub fn set_device(kept: String, behind_tls: bool) -> HeaderValue {
    let mut cookie = cookie(device_name(behind_tls), kept, behind_tls);
    cookie.set_max_age(Duration::days(DEVICE_DAYS));
    header_value(cookie)
}

/// `Set-Cookie` that removes the cookie of an ended session.
pub fn clear(behind_tls: bool) -> HeaderValue {
    let mut cookie = cookie(name(behind_tls), String::new(), behind_tls);
    cookie.set_max_age(Duration::ZERO);
    header_value(cookie)
}

fn cookie(name: &'static str, value: String, behind_tls: bool) -> Cookie<'static> {
    Cookie::build((name, value)).http_only(true).same_site(SameSite::Strict).path("/").secure(behind_tls).build()
}

fn header_value(cookie: Cookie<'_>) -> HeaderValue {
    HeaderValue::try_from(cookie.to_string()).expect("secrets and proofs are ASCII without blanks")
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};

    use super::{clear, device, session, set, set_device};

    #[test]
    fn device_cookie_lasts_as_long_as_browsers_permit() {
        assert_eq!(
            set_device("1.id.code~2.id.code".to_owned(), true),
            "__Host-leadscribe_device=1.id.code~2.id.code; HttpOnly; SameSite=Strict; Secure; Path=/; Max-Age=34560000"
        );
        let mut headers = HeaderMap::new();
        let sent = "leadscribe_device=1.id.code~2.id.code; leadscribe_session=ls_ses_x";
        headers.insert(header::COOKIE, HeaderValue::from_static(sent));
        assert_eq!(device(&headers, false).as_deref(), Some("1.id.code~2.id.code"));
        assert_eq!(device(&headers, true), None);
    }

    #[test]
    fn cookie_is_bound_to_host_behind_tls() {
        assert_eq!(set("ls_ses_x".to_owned(), false), "leadscribe_session=ls_ses_x; HttpOnly; SameSite=Strict; Path=/");
        assert_eq!(
            set("ls_ses_x".to_owned(), true),
            "__Host-leadscribe_session=ls_ses_x; HttpOnly; SameSite=Strict; Secure; Path=/"
        );
        assert!(clear(true).to_str().expect("ASCII").contains("Max-Age=0"));
    }

    #[test]
    fn ignores_plain_cookie_behind_tls() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("a=b; leadscribe_session=ls_ses_x"));
        assert_eq!(session(&headers, false).as_deref(), Some("ls_ses_x"));
        assert_eq!(session(&headers, true), None);
    }
}
