//! Parses and validates request heads and determines the body that follows.
//!
//! If hyper can't parse a head, it sends an empty error response before any code of this server runs. Heads are therefore parsed here
//! first, with the same parser and slightly stricter rules, so that hyper never sees an invalid one. Pure: no connection.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::str;

use http::{Method, Uri};
use httparse::{Error, Header, Status};
use percent_encoding::{AsciiSet, percent_encode};

use super::body_tracker::BodyTracker;
use crate::http::dispatch::{ALL_METHODS, MAX_TARGET_BYTES, method_not_allowed};
use crate::http::problem::{Code, Detail, Problem};

/// Maximum number of headers in a request; the same as hyper's.
const MAX_HEADERS: usize = 100;

/// ASCII characters that RFC 3986 forbids anywhere in a target. Spaces and control characters are missing because they end a target or make
/// it invalid. `[` and `]` are permitted in a host.
const ALWAYS_ENCODED: &AsciiSet = &AsciiSet::EMPTY
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A complete and valid head.
#[derive(Debug)]
pub struct Head {
    /// Length in bytes, after rewriting.
    pub length: usize,
    /// The input with an encoded target, if the target had to be encoded.
    pub rewritten: Option<Vec<u8>>,
    /// The body that follows.
    pub body: BodyTracker,
}

/// Parses the head at the start of `bytes`, which must not begin with an empty line. Returns `None` if it is incomplete.
///
/// Some clients, such as curl, don't percent-encode all characters of a target. These characters are encoded here.
///
/// # Errors
/// The problem of an invalid head, as soon as it can be detected.
pub fn parse(bytes: &[u8]) -> Result<Option<Head>, Problem> {
    let Some(request_line) = bytes.iter().position(|byte| *byte == b'\n').map(|end| &bytes[..end]) else {
        return check_method_start(bytes).map(|()| None);
    };
    let rewritten = match encoded_target(request_line)? {
        Cow::Borrowed(_) => None,
        Cow::Owned(target) => {
            let start = request_line.iter().position(|byte| *byte == b' ').map_or(0, |index| index + 1);
            let end = request_line.iter().rposition(|byte| *byte == b' ').unwrap_or(request_line.len());
            Some([&bytes[..start], target.as_bytes(), &bytes[end..]].concat())
        }
    };
    let mut headers = [const { MaybeUninit::uninit() }; MAX_HEADERS];
    let mut head = httparse::Request::new(&mut []);
    let text = rewritten.as_deref().unwrap_or(bytes);
    let length = match head.parse_with_uninit_headers(text, &mut headers) {
        Ok(Status::Complete(length)) => length,
        Ok(Status::Partial) => return Ok(None),
        Err(error) => return Err(parse_error(error, &head, request_line)),
    };
    let body = validate(&head)?;
    Ok(Some(Head { length, rewritten, body }))
}

/// Returns the problem of a head longer than `limit` bytes.
pub fn head_too_long(bytes: &[u8], limit: usize) -> Problem {
    if bytes.contains(&b'\n') {
        Problem::new(Code::HeadTooLarge, format!("the head of the request is longer than {limit} bytes"))
    } else {
        target_too_long()
    }
}

/// Returns the problem of an invalid HTTP/1.1 request.
pub fn malformed(detail: impl Into<Detail>) -> Problem {
    Problem::new(Code::MalformedRequest, detail)
}

fn target_too_long() -> Problem {
    Problem::new(Code::UriTooLong, format!("the target is longer than {MAX_TARGET_BYTES} bytes"))
}

fn invalid_request_line() -> Problem {
    malformed("expected a request line \"<method> <target> HTTP/1.1\"")
}

/// Rejects bytes that can't become a request line: a client of another protocol may never send a line ending.
fn check_method_start(bytes: &[u8]) -> Result<(), Problem> {
    let mut head = httparse::Request::new(&mut []);
    match head.parse(bytes) {
        Err(_) if head.method.is_none() => Err(invalid_request_line()),
        _ => Ok(()),
    }
}

/// Returns the target of a request line, percent-encoded where necessary.
fn encoded_target(request_line: &[u8]) -> Result<Cow<'_, str>, Problem> {
    let first = request_line.iter().position(|byte| *byte == b' ').ok_or_else(invalid_request_line)?;
    let target = match request_line.iter().rposition(|byte| *byte == b' ') {
        Some(last) if last > first => &request_line[first + 1..last],
        _ => return Err(invalid_request_line()),
    };
    if target.contains(&b' ') {
        return Err(malformed("a space in the target must be written as %20"));
    }
    let target = Cow::from(percent_encode(target, ALWAYS_ENCODED));
    if target.len() > MAX_TARGET_BYTES { Err(target_too_long()) } else { Ok(target) }
}

/// Converts a parser error into a problem.
fn parse_error(error: Error, head: &httparse::Request<'_, '_>, request_line: &[u8]) -> Problem {
    match error {
        Error::Token if head.method.is_none() => invalid_request_line(),
        Error::Token => malformed("the target has a control character"),
        Error::Version => {
            let version = request_line.rsplit(|byte| *byte == b' ').next().unwrap_or_default().trim_ascii();
            if !version.starts_with(b"HTTP/") {
                return invalid_request_line();
            }
            // Not 505: an invalid request must not count as a server error.
            Problem::new(Code::UnsupportedVersion, "expected HTTP/1.1 or HTTP/1.0; use a proxy for other versions")
        }
        Error::TooManyHeaders => {
            Problem::new(Code::HeadTooLarge, format!("the request has more than {MAX_HEADERS} headers"))
        }
        Error::HeaderName => malformed("the name of a header has a character that is not permitted there"),
        Error::HeaderValue => malformed("the value of a header has a control character"),
        Error::NewLine | Error::Status => malformed("a line of the head must end with CR LF"),
    }
}

/// Checks the rules that the parser leaves to the server, and determines the body that follows.
fn validate(head: &httparse::Request<'_, '_>) -> Result<BodyTracker, Problem> {
    let is_http_11 = head.version == Some(1);
    let (method, target) = (head.method.unwrap_or_default(), head.path.unwrap_or_default());
    match target {
        _ if method == "CONNECT" => return Err(method_not_allowed(&Method::CONNECT, ALL_METHODS)),
        _ if target.starts_with('/') => {}
        "*" if method == "OPTIONS" => {}
        _ if is_absolute(target) => {}
        _ => return Err(malformed("expected a target that begins with / or is an http URI")),
    }
    match (header_values(head.headers, "host").count(), is_http_11) {
        (0, false) | (1, _) => {}
        (count, _) => return Err(malformed(format!("the request must have one Host header, not {count}"))),
    }
    body_tracker(head.headers, is_http_11)
}

fn is_absolute(target: &str) -> bool {
    target.parse::<Uri>().is_ok_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")))
}

/// Determines the body that follows. Ambiguous framing is rejected (RFC 9112, section 6.3): it enables request smuggling.
fn body_tracker(headers: &[Header<'_>], is_http_11: bool) -> Result<BodyTracker, Problem> {
    let mut lengths = header_values(headers, "content-length");
    let mut encodings = header_values(headers, "transfer-encoding");
    let Some(encoding) = encodings.next() else {
        let Some(length) = lengths.next() else { return Ok(BodyTracker::with_length(0)) };
        if lengths.any(|other| other != length) {
            return Err(malformed("the request has two Content-Length headers that differ"));
        }
        let length = plain_number(length)
            .ok_or_else(|| malformed("Content-Length must be a count of bytes in plain digits, at most 2^63 - 1"))?;
        return Ok(BodyTracker::with_length(length));
    };
    if lengths.next().is_some() {
        return Err(malformed("a request must not have both Content-Length and Transfer-Encoding"));
    }
    if !is_http_11 {
        return Err(malformed("Transfer-Encoding needs HTTP/1.1"));
    }
    if encodings.next().is_some() || !encoding.trim_ascii().eq_ignore_ascii_case(b"chunked") {
        return Err(malformed("the only supported Transfer-Encoding is chunked"));
    }
    Ok(BodyTracker::chunked())
}

fn header_values<'a>(headers: &'a [Header<'a>], name: &'static str) -> impl Iterator<Item = &'a [u8]> {
    headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
}

fn plain_number(text: &[u8]) -> Option<u64> {
    let digits = str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok().filter(|number| *number <= i64::MAX as u64)
}

#[cfg(test)]
mod tests {
    use http::Uri;

    use super::{Head, parse};

    fn parse_complete(bytes: &[u8]) -> Head {
        parse(bytes).expect("a valid head").expect("complete")
    }

    fn rejection(bytes: impl AsRef<[u8]>) -> (&'static str, String) {
        let problem = parse(bytes.as_ref()).expect_err("refused");
        (problem.code().as_str(), problem.to_document("").message.to_string())
    }

    #[test]
    fn encodes_target_only_if_necessary() {
        let plain = b"GET /a?b=%3E[1]&c='d' HTTP/1.1\r\nhost: h\r\n\r\nrest<>";
        let head = parse_complete(plain);
        assert!(head.rewritten.is_none());
        assert_eq!(head.length, plain.len() - "rest<>".len());

        let raw = b"GET /a/13:15:11;>?q=\"\xc3\xa4\xff\"|{}#^`\\ HTTP/1.1\r\nhost: <h>\r\n\r\nrest<>";
        let head = parse_complete(raw);
        let rewritten = head.rewritten.expect("rewritten");
        let expected =
            b"GET /a/13:15:11;%3E?q=%22%C3%A4%FF%22%7C%7B%7D%23%5E%60%5C HTTP/1.1\r\nhost: <h>\r\n\r\nrest<>";
        assert_eq!(rewritten.escape_ascii().to_string(), expected.escape_ascii().to_string());
        assert_eq!(head.length, expected.len() - "rest<>".len());
    }

    #[test]
    fn hyper_parses_every_accepted_target() {
        for byte in 0_u8..=255 {
            for prefix in ["/a", "/a?b="] {
                let bytes = [b"GET ", prefix.as_bytes(), &[byte], b" HTTP/1.1\r\nhost: h\r\n\r\n"].concat();
                let Ok(Some(head)) = parse(&bytes) else {
                    assert!(byte <= b' ' || byte == 0x7f, "{byte:#x} is rejected in {prefix}");
                    continue;
                };
                let bytes = head.rewritten.unwrap_or(bytes);
                let target = bytes.split(|byte| *byte == b' ').nth(1).expect("a target");
                assert!(Uri::try_from(target).is_ok(), "{byte:#x} in {prefix}");
            }
        }
    }

    #[test]
    fn head_ends_at_empty_line() {
        let head = b"\x47ET /> HTTP/1.1\r\nhost: h\r\n\r\n";
        for length in 1..head.len() {
            assert!(parse(&head[..length]).expect("no problem so far").is_none(), "after {length} bytes");
        }
        parse_complete(head);
    }

    #[test]
    fn rejects_other_protocols_early() {
        let request_line = ("malformed_request", "expected a request line \"<method> <target> HTTP/1.1\"".to_owned());
        assert_eq!(rejection(b"\x16\x03\x01\x02\x00\x01"), request_line);
        assert_eq!(rejection("GET /\r\n"), request_line);
        assert_eq!(rejection("GET\r\n"), request_line);
        assert_eq!(rejection("GET / FTP/1.1\r\n"), request_line);
        assert_eq!(rejection("GET /a b HTTP/1.1\r\n").1, "a space in the target must be written as %20");
        assert_eq!(rejection("GET /\x7f HTTP/1.1\r\n").1, "the target has a control character");
        assert_eq!(rejection("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").0, "unsupported_http_version");
        assert_eq!(rejection(format!("GET /{} HTTP/1.1\r\n", ">".repeat(6_000))).0, "uri_too_long");
    }

    #[test]
    fn rejects_ambiguous_heads() {
        let detail_with = |headers: &str| rejection(format!("PUT / HTTP/1.1\r\nhost: h\r\n{headers}\r\n\r\n")).1;
        assert_eq!(
            detail_with("content-length: 1\r\ncontent-length: 2"),
            "the request has two Content-Length headers that differ"
        );
        for length in ["-1", "+1", "1, 1", "", "9223372036854775808"] {
            assert!(
                detail_with(&format!("content-length: {length}")).starts_with("Content-Length must be"),
                "{length}"
            );
        }
        let both = "a request must not have both Content-Length and Transfer-Encoding";
        assert_eq!(detail_with("content-length: 1\r\ntransfer-encoding: chunked"), both);
        for encoding in ["gzip, chunked", "identity", "chunked\r\ntransfer-encoding: chunked"] {
            assert!(detail_with(&format!("transfer-encoding: {encoding}")).starts_with("the only"), "{encoding}");
        }
        assert_eq!(detail_with("host: i"), "the request must have one Host header, not 2");
        assert_eq!(rejection("GET / HTTP/1.1\r\n\r\n").1, "the request must have one Host header, not 0");
        assert_eq!(detail_with("a b: c"), "the name of a header has a character that is not permitted there");
        assert_eq!(detail_with("a: \x01"), "the value of a header has a control character");
        parse_complete(b"PUT / HTTP/1.1\r\nhost: h\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n");
        parse_complete(b"GET / HTTP/1.0\r\n\r\n");
        assert!(rejection("PUT / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n").1.contains("HTTP/1.1"));
    }

    #[test]
    fn accepts_only_server_target_forms() {
        for target in ["http://h/a", "HTTPS://h:1/?a", "//a", "/"] {
            parse_complete(format!("GET {target} HTTP/1.1\r\nhost: h\r\n\r\n").as_bytes());
        }
        parse_complete(b"OPTIONS * HTTP/1.1\r\nhost: h\r\n\r\n");
        for target in ["*", "h:80", "a", "ftp://h/", "http://<h>/", "refused://head/"] {
            assert_eq!(
                rejection(format!("GET {target} HTTP/1.1\r\nhost: h\r\n\r\n")).0,
                "malformed_request",
                "{target}"
            );
        }
        assert_eq!(rejection("CONNECT h:80 HTTP/1.1\r\nhost: h\r\n\r\n").0, "method_not_allowed");
    }
}
