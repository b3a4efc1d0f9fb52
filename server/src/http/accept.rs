//! Content negotiation with the `Accept` header (RFC 9110, section 12.5.1).

use http::{HeaderMap, header};

use super::problem::{Code, Problem};
use super::request::unsupported_header_value;

/// A media range of an `Accept` header.
struct MediaRange<'a> {
    main_type: &'a str,
    subtype: &'a str,
    /// Quality value from 0 (not acceptable) to 1.
    quality: f32,
}

impl<'a> MediaRange<'a> {
    /// Parses `text/*;q=0.5`. Returns `None` for anything that isn't a media range. Parameters other than `q` are ignored.
    fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let (main_type, subtype) = parts.next()?.split_once('/')?;
        let quality = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
        });
        let quality = quality.map_or(Some(1.0), |quality| quality.parse().ok())?;
        (0.0..=1.0).contains(&quality).then_some(Self { main_type, subtype, quality })
    }

    /// Returns how specifically the range matches a media type, or `None` if it doesn't match.
    fn specificity(&self, media_type: &str) -> Option<u8> {
        let (main_type, subtype) = media_type.split_once('/')?;
        match (self.main_type, self.subtype) {
            ("*", "*") => Some(0),
            (range_type, "*") if range_type.eq_ignore_ascii_case(main_type) => Some(1),
            (range_type, range_subtype)
                if range_type.eq_ignore_ascii_case(main_type) && range_subtype.eq_ignore_ascii_case(subtype) =>
            {
                Some(2)
            }
            _ => None,
        }
    }
}

/// Picks one of the `offered` media types, which are listed in the server's order of preference.
///
/// The highest quality wins, then the most specific range, then the range that comes first in the header. Without an `Accept` header, the
/// first offered type is used.
///
/// # Errors
/// 406, listing the offered types.
pub fn negotiate<'o>(headers: &HeaderMap, offered: &[&'o str]) -> Result<&'o str, Problem> {
    let accept: Vec<_> = headers.get_all(header::ACCEPT).iter().map(|value| value.to_str().unwrap_or("")).collect();
    let accept = accept.join(",");
    if accept.split(',').all(|part| part.trim().is_empty()) {
        return offered.first().copied().ok_or_else(|| not_acceptable(&accept, offered));
    }
    let ranges: Vec<_> = accept.split(',').filter_map(MediaRange::parse).collect();
    let mut best = None;
    for media_type in offered {
        // The most specific range decides: `text/plain;q=0, */*` accepts everything except plain text.
        let matches = ranges.iter().enumerate().filter_map(|(position, range)| {
            range.specificity(media_type).map(|specificity| (specificity, std::cmp::Reverse(position), range.quality))
        });
        let Some((specificity, position, quality)) =
            matches.max_by_key(|(specificity, position, _)| (*specificity, *position))
        else {
            continue;
        };
        let rank = (quality, specificity, position);
        if quality > 0.0 && best.is_none_or(|(best_rank, _)| rank > best_rank) {
            best = Some((rank, *media_type));
        }
    }
    best.map(|(_, media_type)| media_type).ok_or_else(|| not_acceptable(&accept, offered))
}

fn not_acceptable(accept: &str, offered: &[&str]) -> Problem {
    let diagnostic = unsupported_header_value("Accept", "not_acceptable", accept, offered);
    Problem::from_diagnostic(Code::NotAcceptable, diagnostic)
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};

    use super::negotiate;

    const OFFERED: [&str; 3] = ["application/json", "text/plain", "text/vtt"];

    fn pick(accept: &str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_str(accept).expect("a value"));
        negotiate(&headers, &OFFERED).ok()
    }

    #[test]
    fn client_preference_wins_over_server_order() {
        assert_eq!(negotiate(&HeaderMap::new(), &OFFERED).expect("the preferred type"), "application/json");
        for (accept, expected) in [
            ("", "application/json"),
            ("*/*", "application/json"),
            ("text/vtt", "text/vtt"),
            ("TEXT/VTT; charset=utf-8", "text/vtt"),
            ("text/*", "text/plain"),
            ("text/vtt, */*", "text/vtt"),
            ("*/*, text/vtt", "text/vtt"),
            ("text/vtt, application/json", "text/vtt"),
            ("application/json;q=0.5, text/vtt;q=0.8", "text/vtt"),
            ("application/json;q=0, */*", "text/plain"),
            ("text/html, */*;q=0.1", "application/json"),
            ("nonsense, text/plain;q=1.000", "text/plain"),
        ] {
            assert_eq!(pick(accept), Some(expected), "{accept}");
        }
    }

    #[test]
    fn rejects_unavailable_types_and_lists_offered() {
        for accept in ["application/pdf", "text/plain;q=0", "*", "text/vtt;q=2", "text/vtt;q=NaN", "*/json"] {
            assert_eq!(pick(accept), None, "{accept}");
        }
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/pdf"));
        let problem = negotiate(&headers, &OFFERED).expect_err("not offered").to_document("r1");
        assert_eq!((problem.status, problem.code.as_str()), (406, "not_acceptable"));
        assert_eq!(problem.message, "expected application/json, text/plain or text/vtt, found \"application/pdf\"");
        assert_eq!(problem.errors[0].permitted, OFFERED);
    }
}
