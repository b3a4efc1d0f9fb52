//! An optional address.

use std::net::SocketAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A separate address for monitoring, if configured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MetricsAddress(pub Option<SocketAddr>);

impl FromStr for MetricsAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self(None)),
            text => text
                .parse()
                .map(|address| Self(Some(address)))
                .map_err(|_| format!("expected an address and port such as 10.0.0.5:9090, or none, found {text:?}")),
        }
    }
}

impl From<MetricsAddress> for String {
    fn from(MetricsAddress(address): MetricsAddress) -> Self {
        address.map_or_else(|| "none".to_owned(), |address| address.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::MetricsAddress;

    #[test]
    fn requires_a_port_or_none() {
        assert_eq!("none".parse::<MetricsAddress>(), Ok(MetricsAddress(None)));
        let address: MetricsAddress = "[::1]:9090".parse().expect("an address");
        assert_eq!(String::from(address), "[::1]:9090");
        let error = "10.0.0.5".parse::<MetricsAddress>().expect_err("no port");
        assert_eq!(error, "expected an address and port such as 10.0.0.5:9090, or none, found \"10.0.0.5\"");
    }
}
