//! Option value: a list of networks.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// Addresses and CIDR ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Networks(Vec<IpNet>);

impl Networks {
    /// Returns true if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if one of the networks contains the address.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

impl FromStr for Networks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self::default());
        }
        let parse_network = |part: &str| {
            let part = part.trim();
            let range = part.parse::<IpNet>().or_else(|_| part.parse::<IpAddr>().map(IpNet::from));
            range.map_err(|_| format!("expected an address or a CIDR range such as 10.0.0.0/8, found {part:?}"))
        };
        text.split(',').map(parse_network).collect::<Result<_, _>>().map(Self)
    }
}

impl From<Networks> for String {
    fn from(networks: Networks) -> Self {
        if networks.0.is_empty() {
            return "none".to_owned();
        }
        networks.0.iter().map(IpNet::to_string).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::Networks;

    #[test]
    fn accepts_addresses_and_ranges() {
        let networks: Networks = "127.0.0.1, 10.0.0.0/8,fd00::/8".parse().expect("a list");
        let contains = |address: &str| networks.contains(address.parse().expect("an address"));
        assert!(contains("127.0.0.1") && contains("10.9.8.7") && contains("fd12::1"));
        assert!(!contains("127.0.0.2") && !contains("11.0.0.1") && !contains("::1"));
        assert_eq!(String::from(networks), "127.0.0.1/32,10.0.0.0/8,fd00::/8");
        assert_eq!("none".parse::<Networks>(), Ok(Networks::default()));
        let error = "10.0.0.0/8,intranet".parse::<Networks>().expect_err("a name");
        assert_eq!(error, "expected an address or a CIDR range such as 10.0.0.0/8, found \"intranet\"");
    }
}
