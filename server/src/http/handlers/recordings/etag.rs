//! Conditional requests with entity tags. Tags are compared as text: the server's own are never weak and contain no comma.

use http::{HeaderMap, HeaderValue, header};

/// True if `If-None-Match` contains this tag. Malformed tags never match.
pub fn has_it(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim).any(|tag| tag == "*" || opaque(tag) == etag)
}

/// True if `If-Range` names other content, so that the whole must be sent. Dates never match, because responses have no `Last-Modified`.
pub fn is_of_another(headers: &HeaderMap, etag: Option<&str>) -> bool {
    headers.get(header::IF_RANGE).is_some_and(|known| etag.is_none_or(|etag| known != etag))
}

/// Returns an entity tag in quotes, as in a header.
pub fn quoted(content: impl std::fmt::Display) -> String {
    format!("\"{content}\"")
}

/// Adds `ETag` to a response.
pub fn tell(headers: &mut HeaderMap, etag: Option<String>) {
    // A key that was written into the database by hand may not be a valid header value.
    if let Some(etag) = etag.and_then(|etag| HeaderValue::try_from(etag).ok()) {
        headers.insert(header::ETAG, etag);
    }
}

/// Strips the prefix of a weak tag.
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use http::HeaderName;

    use super::*;

    const OURS: &str = "\"5f2a\"";

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_bytes(value.as_bytes()).expect("a value"))])
    }

    #[test]
    fn finds_tag_in_list() {
        for known in [OURS, "*", "W/\"5f2a\"", "\"a, b\", \"5f2a\""] {
            assert!(has_it(&headers(header::IF_NONE_MATCH, known), OURS), "{known}");
        }
        for other in ["", "5f2a", "\"5F2A\"", "\"><script>alert(123);</script x=\"", "W/", "\"ü\"", "\"5f2a"] {
            assert!(!has_it(&headers(header::IF_NONE_MATCH, other), OURS), "{other}");
        }
        assert!(!has_it(&HeaderMap::new(), OURS));
    }

    #[test]
    fn if_range_compares_tag() {
        let is_of_another = |known: &str| is_of_another(&headers(header::IF_RANGE, known), Some(OURS));
        assert!(!is_of_another(OURS));
        for other in ["\"6\"", "W/\"5f2a\"", "Wed, 21 Oct 2026 07:28:00 GMT", "\"><script>alert(123);</script x=\""] {
            assert!(is_of_another(other), "{other}");
        }
        assert!(!super::is_of_another(&HeaderMap::new(), None));
    }
}
