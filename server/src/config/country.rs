//! A country, or none.

use std::str::FromStr;

use leadscribe_engine::country;
use serde::{Deserialize, Serialize};

/// An ISO 3166-1 alpha-2 code, or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Country(Option<String>);

impl Country {
    /// Its code, in upper case.
    pub fn code(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl FromStr for Country {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(None));
        }
        let code = country::known(text);
        let unknown = || format!("expected an ISO 3166-1 alpha-2 code or none, found {text:?}");
        code.map(|code| Self(Some(code))).ok_or_else(unknown)
    }
}

impl TryFrom<String> for Country {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Country> for String {
    fn from(country: Country) -> Self {
        country.0.unwrap_or_else(|| "none".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::country;
    use rlibphonenumber::{PHONE_NUMBER_UTIL, Region};

    use super::Country;

    #[test]
    fn a_country_is_known_by_its_code() {
        assert_eq!("de".parse::<Country>().expect("a code").code(), Some("DE"));
        assert_eq!("none".parse::<Country>().expect("none").code(), None);
        for unknown in ["Germany", "XX", "001", ""] {
            assert!(unknown.parse::<Country>().is_err(), "{unknown:?}");
        }
    }

    #[test]
    fn countries_are_those_that_phone_numbers_know() {
        let pairs = ('A'..='Z').flat_map(|first| ('A'..='Z').map(move |second| format!("{first}{second}")));
        // The library takes any two letters for a region; those of a country have a calling code.
        let is_known = |code: &String| {
            code.parse::<Region>().is_ok_and(|region| PHONE_NUMBER_UTIL.get_country_code_for_region(region).is_some())
        };
        let known: Vec<_> = pairs.filter(is_known).collect();
        assert_eq!(known, country::codes().collect::<Vec<_>>());
    }
}
