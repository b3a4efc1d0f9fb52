//! Conditional requests with entity tags. Tags are compared as text: the server's own are never weak and contain no comma.

use http::{HeaderMap, HeaderValue, header};

/// True if `If-None-Match` contains this tag. Malformed tags never match.
pub fn is_not_modified(headers: &HeaderMap, etag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim).any(|tag| tag == "*" || strip_weak_prefix(tag) == etag)
}

/// True if `If-Range` names other content, so that the whole recording must be sent. Dates never match, because responses have no `Last-Modified`.
pub fn has_if_range_mismatch(headers: &HeaderMap, etag: Option<&str>) -> bool {
    headers.get(header::IF_RANGE).is_some_and(|sent| etag.is_none_or(|etag| sent != etag))
}

/// Returns an entity tag in quotes, as in a header.
pub fn quote(content: impl std::fmt::Display) -> String {
    format!("\"{content}\"")
}

/// Adds `ETag` to a response.
pub fn insert_etag(headers: &mut HeaderMap, etag: Option<String>) {
    // A recording key that was written into the database by hand may not be a valid header value.
    if let Some(etag) = etag.and_then(|etag| HeaderValue::try_from(etag).ok()) {
        headers.insert(header::ETAG, etag);
    }
}

/// Appends a content coding to the tag of a response: a strong tag differs for each coding.
pub fn append_coding(headers: &mut HeaderMap, coding: &str) {
    let with_coding =
        |etag: &HeaderValue| format!("{}-{coding}\"", etag.to_str().ok()?.strip_suffix('"')?).try_into().ok();
    if let Some(etag) = headers.get(header::ETAG).and_then(with_coding) {
        headers.insert(header::ETAG, etag);
    }
}

/// Strips the prefix of a weak tag.
fn strip_weak_prefix(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use http::HeaderName;

    use super::*;

    const ETAG: &str = "\"5f2a\"";

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_bytes(value.as_bytes()).expect("a value"))])
    }

    #[test]
    fn finds_tag_in_list() {
        for known in [ETAG, "*", "W/\"5f2a\"", "\"a, b\", \"5f2a\""] {
            assert!(is_not_modified(&headers(header::IF_NONE_MATCH, known), ETAG), "{known}");
        }
        for other in ["", "5f2a", "\"5F2A\"", "\"><script>alert(123);</script x=\"", "W/", "\"ü\"", "\"5f2a"] {
            assert!(!is_not_modified(&headers(header::IF_NONE_MATCH, other), ETAG), "{other}");
        }
        assert!(!is_not_modified(&HeaderMap::new(), ETAG));
    }

    #[test]
    fn if_range_compares_tag() {
        let is_mismatch = |sent: &str| has_if_range_mismatch(&headers(header::IF_RANGE, sent), Some(ETAG));
        assert!(!is_mismatch(ETAG));
        for other in ["\"6\"", "W/\"5f2a\"", "Wed, 21 Oct 2026 07:28:00 GMT", "\"><script>alert(123);</script x=\""] {
            assert!(is_mismatch(other), "{other}");
        }
        assert!(!super::has_if_range_mismatch(&HeaderMap::new(), None));
    }
}
