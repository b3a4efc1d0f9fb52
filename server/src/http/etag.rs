//! Conditional requests with entity tags (RFC 9110, section 13). Tags are compared as text: the server's own are never weak and contain no
//! comma.
//!
//! The tag of a record is `"<version>-<hash>"`, and `"<version>-<hash>-gzip"` if it is compressed. The version is the time of its last
//! change. The hash is of the whole representation, which also has members that change without a new version, such as the reasons that
//! block calls now. So `If-None-Match` compares whole tags, and `If-Match` only versions.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::diagnostic::{Diagnostic, Location, request};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::compression::ContentCoding;
use super::problem::{Code, Problem};
use super::reply::{self, Response};
use crate::storage::EDIT_CONFLICT;

/// True if `If-None-Match` contains this tag. Malformed tags never match.
pub fn is_not_modified(headers: &HeaderMap, etag: &str) -> bool {
    tags(headers, &header::IF_NONE_MATCH).any(|tag| tag == "*" || strip_weak_prefix(tag) == etag)
}

/// Tags in a header, as text.
fn tags<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// 200 with a record as JSON and its entity tag, or 304 if `If-None-Match` contains the tag. `updated_at` is the version of the record, if
/// it has one.
pub fn conditional_json<T: Serialize>(
    request_headers: &HeaderMap,
    updated_at: Option<Timestamp>,
    record: &T,
) -> Response {
    let body = reply::to_json(record);
    let hash: String = Sha256::digest(&body).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let tag = match updated_at {
        Some(updated_at) => format!("{}-{hash}", updated_at.timestamp_micros()),
        None => hash,
    };
    let encoded_tags = ContentCoding::ALL.iter().map(|coding| quote(format_args!("{tag}-{}", coding.name())));
    let known_tag =
        std::iter::once(quote(&tag)).chain(encoded_tags).find(|etag| is_not_modified(request_headers, etag));
    let is_known = known_tag.is_some();
    let mut response = if is_known {
        reply::with_status(StatusCode::NOT_MODIFIED, Response::default())
    } else {
        reply::bytes("application/json", body)
    };
    insert_etag(response.headers_mut(), Some(known_tag.unwrap_or_else(|| quote(tag))));
    response
}

/// Adds the tag of a created or changed record. It has only the version, because the representation of the record may have more members
/// than the response.
#[must_use]
pub fn with_version(updated_at: Timestamp, mut response: Response) -> Response {
    insert_etag(response.headers_mut(), Some(quote(updated_at.timestamp_micros())));
    response
}

/// Returns true if the record must exist (`If-Match: *`), and false if it must not (`If-None-Match: *`).
///
/// # Errors
/// 400 if `If-None-Match` has a tag; 412 if it is sent with `If-Match`, because no record fulfils both.
pub fn expected_existence(headers: &HeaderMap) -> Result<Option<bool>, Problem> {
    if !headers.contains_key(header::IF_NONE_MATCH) {
        return Ok(tags(headers, &header::IF_MATCH).any(|tag| tag == "*").then_some(true));
    }
    let reject = |problem, code, message| {
        let location = Location::Parameter("If-None-Match".to_owned());
        Err(Problem::from_diagnostic(problem, Diagnostic::new(location, code, message)))
    };
    if headers.get_all(header::IF_NONE_MATCH).iter().any(|value| value != "*") {
        return reject(Code::InvalidParameter, "not_supported", request::only_wildcard());
    }
    if headers.contains_key(header::IF_MATCH) {
        return reject(Code::PreconditionFailed, EDIT_CONFLICT, request::opposite_conditions());
    }
    Ok(Some(false))
}

/// Returns the versions in `If-Match`; `None` if any version will do. Weak and malformed tags match no version.
pub fn expected_versions(headers: &HeaderMap) -> Option<Vec<Timestamp>> {
    if !headers.contains_key(header::IF_MATCH) || tags(headers, &header::IF_MATCH).any(|tag| tag == "*") {
        return None;
    }
    let parse_version = |tag: &str| {
        let content = tag.strip_prefix('"')?.strip_suffix('"')?;
        let version = content.split('-').next().unwrap_or("");
        Timestamp::from_timestamp_micros(version.parse().ok()?)
    };
    Some(tags(headers, &header::IF_MATCH).filter_map(parse_version).collect())
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

fn strip_weak_prefix(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
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
    fn record_is_sent_unless_client_knows_it() {
        let updated_at = Timestamp::from_timestamp_micros(1_777_627_800_000_001);
        let respond = |known: &str, name: &str| {
            conditional_json(&headers(header::IF_NONE_MATCH, known), updated_at, &serde_json::json!({ "name": name }))
        };
        let first = respond("", "Ada");
        let etag = first.headers()["etag"].to_str().expect("ASCII").to_owned();
        assert!(etag.starts_with("\"1777627800000001-"), "{etag}");
        let encoded = etag.replace('"', "");
        for known in [etag.clone(), format!("W/{etag}"), format!("\"{encoded}-gzip\""), "*".to_owned()] {
            let response = respond(&known, "Ada");
            assert_eq!(response.status(), 304, "{known}");
            assert!(response.headers()["etag"].to_str().expect("ASCII").starts_with("\"1777627800000001-"));
        }
        // A representation may change without a new version.
        assert_eq!(respond(&etag, "Ben").status(), 200);
        assert_eq!(respond("\"1777627800000001\"", "Ada").status(), 200);
        assert!(!conditional_json(&HeaderMap::new(), None, &1).headers()["etag"].is_empty());
    }

    #[test]
    fn if_match_names_versions() {
        let versions = |value: &str| {
            let versions = expected_versions(&headers(header::IF_MATCH, value))?;
            Some(versions.into_iter().map(|version| version.timestamp_micros()).collect::<Vec<_>>())
        };
        assert_eq!(expected_versions(&HeaderMap::new()), None);
        assert_eq!(versions("*"), None);
        for (value, expected) in [
            ("\"17-5f2a\"", vec![17]),
            ("\"17\"", vec![17]),
            ("\"17-5f2a-gzip\", \"18-0000\"", vec![17, 18]),
            ("W/\"17-5f2a\"", vec![]),
            ("17-5f2a", vec![]),
            ("\"other, tag\"", vec![]),
            ("\"\"", vec![]),
            ("", vec![]),
            ("\"99999999999999999999\"", vec![]),
        ] {
            assert_eq!(versions(value), Some(expected), "{value}");
        }
    }

    #[test]
    fn wildcards_require_or_forbid_existence() {
        let existence = |if_match: &[&'static str], if_none_match: &[&'static str]| {
            let fields = [(header::IF_MATCH, if_match), (header::IF_NONE_MATCH, if_none_match)];
            let headers = HeaderMap::from_iter(fields.iter().flat_map(|(name, values)| {
                values.iter().map(move |value| (name.clone(), HeaderValue::from_static(value)))
            }));
            expected_existence(&headers).map_err(|problem| problem.code())
        };
        assert_eq!(existence(&[], &[]), Ok(None));
        assert_eq!(existence(&[ETAG], &[]), Ok(None));
        assert_eq!(existence(&["*"], &[]), Ok(Some(true)));
        assert_eq!(existence(&[], &["*"]), Ok(Some(false)));
        assert_eq!(existence(&["*"], &["*"]), Err(Code::PreconditionFailed));
        assert_eq!(existence(&[ETAG], &["*"]), Err(Code::PreconditionFailed));
        for tags in [&[ETAG][..], &["*", ETAG], &[""], &["5f2a"]] {
            assert_eq!(existence(&[], tags), Err(Code::InvalidParameter), "{tags:?}");
        }
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
