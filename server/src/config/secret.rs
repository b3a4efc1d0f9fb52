//! A secret option.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A secret, or none. `Debug` doesn't print it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Returns the secret. It may be sent, but never displayed.
    pub fn reveal(&self) -> Option<&str> {
        (self.0 != "none").then_some(self.0.as_str())
    }
}

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.reveal().is_some() { "set" } else { "none" })
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn debug_hides_the_secret() {
        let secret: Secret = "sk-1234".parse().unwrap_or_else(|never| match never {});
        assert_eq!((format!("{secret:?}").as_str(), secret.reveal()), ("set", Some("sk-1234")));
        assert_eq!("none".parse::<Secret>().ok().and_then(|none| none.reveal().map(str::to_owned)), None);
    }
}
