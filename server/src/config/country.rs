//! A country, or none.

use std::str::FromStr;

use rlibphonenumber::{PHONE_NUMBER_UTIL, Region};
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
        let code = text.to_ascii_uppercase();
        // The library takes any two letters for a region; those of a country have a calling code.
        let known =
            code.parse::<Region>().ok().and_then(|region| PHONE_NUMBER_UTIL.get_country_code_for_region(region));
        match known {
            Some(_) => Ok(Self(Some(code))),
            None => Err(format!("expected an ISO 3166-1 alpha-2 code or none, found {text:?}")),
        }
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
    use super::Country;

    #[test]
    fn a_country_is_known_by_its_code() {
        assert_eq!("de".parse::<Country>().expect("a code").code(), Some("DE"));
        assert_eq!("none".parse::<Country>().expect("none").code(), None);
        for unknown in ["Germany", "XX", "001", ""] {
            assert!(unknown.parse::<Country>().is_err(), "{unknown:?}");
        }
    }
}
