//! An optional country.

use std::str::FromStr;

use leadscribe_engine::country;
use serde::{Deserialize, Serialize};

/// ISO 3166-1 alpha-2 code of a country, or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Country(Option<String>);

impl Country {
    /// Returns the code in upper case.
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
        let result = country::parse(text).map(|code| Self(Some(code)));
        result.map_err(|error| format!("{}; `none` for no country", error.summary()))
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
    fn accepts_country_codes_and_names() {
        for text in ["de", "DEU", "Germany", "Deutschland"] {
            assert_eq!(text.parse::<Country>().expect(text).code(), Some("DE"));
        }
        assert_eq!("none".parse::<Country>().expect("none").code(), None);
        for unknown in ["Congo", "XX", "001", ""] {
            assert!(unknown.parse::<Country>().is_err(), "{unknown:?}");
        }
        let unknown = "Germny".parse::<Country>().expect_err("no country");
        let expected = "expected a country: its name or its ISO 3166-1 code such as `DE`, found \"Germny\" (did you mean `DE` (Germany)?); `none` for no country";
        assert_eq!(unknown, expected);
    }

    #[test]
    fn knows_every_country_with_a_calling_code() {
        let pairs = ('A'..='Z').flat_map(|first| ('A'..='Z').map(move |second| format!("{first}{second}")));
        // The library accepts any two letters as a region. Those of countries have a calling code.
        let has_calling_code = |code: &String| {
            code.parse::<Region>().is_ok_and(|region| PHONE_NUMBER_UTIL.get_country_code_for_region(region).is_some())
        };
        let without_calling_code = ["AQ", "BV", "GS", "HM", "PN", "TF", "UM"];
        let with_calling_code: Vec<_> = country::codes().filter(|code| !without_calling_code.contains(code)).collect();
        assert_eq!(pairs.filter(has_calling_code).collect::<Vec<_>>(), with_calling_code);
    }
}
