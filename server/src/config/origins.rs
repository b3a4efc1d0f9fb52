//! Option value: a list of web origins.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use url::Url;

/// Origins of web pages, such as `https://app.example.com`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Origins(Vec<String>);

impl Origins {
    /// True if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if the list contains the origin, as browsers send it.
    pub fn contains(&self, origin: &str) -> bool {
        self.0.iter().any(|permitted| permitted == origin)
    }
}

impl FromStr for Origins {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self::default());
        }
        text.split(',').map(|part| parse_origin(part.trim())).collect::<Result<_, _>>().map(Self)
    }
}

/// Returns the origin in the form in which browsers send it.
fn parse_origin(text: &str) -> Result<String, String> {
    let is_origin = |url: &Url| matches!(url.scheme(), "http" | "https") && !text.contains('*');
    let url = Url::parse(text).ok().filter(is_origin);
    let origin = url.map(|url| url.origin().ascii_serialization());
    // Browsers send origins without a path, in lower case, and without the default port.
    origin.filter(|origin| origin.eq_ignore_ascii_case(text)).ok_or_else(|| {
        format!("expected an origin such as https://app.example.com, without a path and a default port, found {text:?}")
    })
}

impl TryFrom<String> for Origins {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Origins> for String {
    fn from(origins: Origins) -> Self {
        if origins.0.is_empty() { "none".to_owned() } else { origins.0.join(",") }
    }
}

#[cfg(test)]
mod tests {
    use super::Origins;

    #[test]
    fn accepts_exact_origins_only() {
        let origins: Origins = "https://App.example.com, http://localhost:5173".parse().expect("a list");
        assert!(origins.contains("https://app.example.com") && origins.contains("http://localhost:5173"));
        for other in ["http://app.example.com", "https://example.com", "https://app.example.com:8443", "null", "none"] {
            assert!(!origins.contains(other), "{other}");
        }
        assert_eq!(String::from(origins), "https://app.example.com,http://localhost:5173");
        assert_eq!("none".parse::<Origins>(), Ok(Origins::default()));
        for invalid in [
            "*",
            "https://*.example.com",
            "",
            "app.example.com",
            "https://a.example/",
            "https://a.example:443",
            "ftp://a.example",
            "null",
        ] {
            let error = invalid.parse::<Origins>().expect_err(invalid);
            assert!(error.starts_with("expected an origin such as https://app.example.com"), "{error}");
        }
    }
}
