//! The session cookie.

use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, HeaderValue, header};

/// Its name over plain HTTP.
const PLAIN: &str = "leadscribe_session";

/// Its name behind TLS: browsers take a `__Host-` cookie only with Secure, `Path=/` and no domain, so that no
/// neighbouring host can plant one.
const SECURE: &str = "__Host-leadscribe_session";

/// Its name.
pub fn name(behind_tls: bool) -> &'static str {
    if behind_tls { SECURE } else { PLAIN }
}

/// The session's secret that a request carries.
pub fn session(headers: &HeaderMap, behind_tls: bool) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == name(behind_tls))
        .map(|cookie| cookie.value().to_owned())
}

/// `Set-Cookie` for a session that was opened. It lasts as long as the browser, or the session on the server.
pub fn set(secret: String, behind_tls: bool) -> HeaderValue {
    header_value(cookie(secret, behind_tls))
}

/// `Set-Cookie` for a session that has ended.
pub fn clear(behind_tls: bool) -> HeaderValue {
    let mut cookie = cookie(String::new(), behind_tls);
    cookie.set_max_age(Duration::ZERO);
    header_value(cookie)
}

fn cookie(secret: String, behind_tls: bool) -> Cookie<'static> {
    Cookie::build((name(behind_tls), secret))
        .http_only(true)
        .same_site(SameSite::Strict)
        .path("/")
        .secure(behind_tls)
        .build()
}

fn header_value(cookie: Cookie<'_>) -> HeaderValue {
    HeaderValue::try_from(cookie.to_string()).expect("secrets are base64url")
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};

    use super::{clear, session, set};

    #[test]
    fn the_cookie_is_bound_to_the_host_behind_tls() {
        assert_eq!(set("ls_ses_x".to_owned(), false), "leadscribe_session=ls_ses_x; HttpOnly; SameSite=Strict; Path=/");
        assert_eq!(
            set("ls_ses_x".to_owned(), true),
            "__Host-leadscribe_session=ls_ses_x; HttpOnly; SameSite=Strict; Secure; Path=/"
        );
        assert!(clear(true).to_str().expect("ASCII").contains("Max-Age=0"));
    }

    #[test]
    fn a_plain_cookie_counts_for_nothing_behind_tls() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("a=b; leadscribe_session=ls_ses_x"));
        assert_eq!(session(&headers, false).as_deref(), Some("ls_ses_x"));
        assert_eq!(session(&headers, true), None);
    }
}
