//! Content negotiation with the `Accept` header (RFC 9110, section 12.5.1).

use http::{HeaderMap, header};
use leadscribe_engine::diagnostic::{Diagnostic, Place};

use super::problem::{Code, Refusal};

/// A media range of an `Accept` header.
struct Range<'a> {
    kind: &'a str,
    subtype: &'a str,
    /// Quality value from 0 (not acceptable) to 1.
    quality: f32,
}

impl<'a> Range<'a> {
    /// Parses `text/*;q=0.5`. Returns `None` for anything that isn't a media range. Parameters other than `q` are ignored.
    fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let (kind, subtype) = parts.next()?.split_once('/')?;
        let quality = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
        });
        let quality = quality.map_or(Some(1.0), |quality| quality.parse().ok())?;
        (0.0..=1.0).contains(&quality).then_some(Self { kind, subtype, quality })
    }

    /// Returns how specifically the range matches a media type, or `None` if it doesn't match.
    fn closeness(&self, media_type: &str) -> Option<u8> {
        let (kind, subtype) = media_type.split_once('/')?;
        match (self.kind, self.subtype) {
            ("*", "*") => Some(0),
            (own, "*") if own.eq_ignore_ascii_case(kind) => Some(1),
            (own, sub) if own.eq_ignore_ascii_case(kind) && sub.eq_ignore_ascii_case(subtype) => Some(2),
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
pub fn negotiate<'o>(headers: &HeaderMap, offered: &[&'o str]) -> Result<&'o str, Refusal> {
    let given: Vec<_> = headers.get_all(header::ACCEPT).iter().map(|value| value.to_str().unwrap_or("")).collect();
    let given = given.join(",");
    if given.split(',').all(|part| part.trim().is_empty()) {
        return offered.first().copied().ok_or_else(|| not_acceptable(&given, offered));
    }
    let ranges: Vec<_> = given.split(',').filter_map(Range::parse).collect();
    let mut best = None;
    for media_type in offered {
        // The most specific range decides: `text/plain;q=0, */*` accepts everything except plain text.
        let ranked = ranges.iter().enumerate().filter_map(|(place, range)| {
            range.closeness(media_type).map(|closeness| (closeness, std::cmp::Reverse(place), range.quality))
        });
        let Some((closeness, place, quality)) = ranked.max_by_key(|(closeness, place, _)| (*closeness, *place)) else {
            continue;
        };
        let rank = (quality, closeness, place);
        if quality > 0.0 && best.is_none_or(|(other, _)| rank > other) {
            best = Some((rank, *media_type));
        }
    }
    best.map(|(_, media_type)| media_type).ok_or_else(|| not_acceptable(&given, offered))
}

fn not_acceptable(given: &str, offered: &[&str]) -> Refusal {
    let detail = format!("expected one of {}, found {given:?}", offered.join(", "));
    let fault = Diagnostic::new(Place::Parameter("Accept".to_owned()), "not_acceptable", detail);
    Refusal::fault(Code::NotAcceptable, fault.permitted(offered.iter().copied()))
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
        assert_eq!(negotiate(&HeaderMap::new(), &OFFERED).expect("the favourite"), "application/json");
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
        let problem = negotiate(&headers, &OFFERED).expect_err("not offered").problem("r1");
        assert_eq!((problem.status, problem.code.as_str()), (406, "not_acceptable"));
        assert_eq!(
            problem.message,
            "expected one of application/json, text/plain, text/vtt, found \"application/pdf\""
        );
        assert_eq!(problem.errors[0].permitted, OFFERED);
    }
}
