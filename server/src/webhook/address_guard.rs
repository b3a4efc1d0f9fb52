//! Address guard: decides which addresses may receive callbacks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use ipnet::IpNet;
use leadscribe_engine::diagnostic::{Message, work};

use crate::config::Networks;

/// Returns the name of a network's purpose.
type Purpose = fn() -> Message;

/// Special-purpose networks, with the purpose and the number of the RFC: the IANA IPv4 and IPv6 Special-Purpose Address Registries,
/// multicast, and withdrawn networks. Also includes networks that IANA calls globally reachable, because they are services of the network
/// itself and don't receive callbacks. The first matching row names the purpose.
const SPECIAL_NETWORKS: &[(&str, Purpose, u32)] = &[
    ("0.0.0.0/32", work::unspecified, 1122),
    ("0.0.0.0/8", work::this_network, 791),
    ("10.0.0.0/8", work::private, 1918),
    ("100.64.0.0/10", work::shared, 6598),
    ("127.0.0.0/8", work::loopback, 1122),
    ("169.254.0.0/16", work::link_local, 3927),
    ("172.16.0.0/12", work::private, 1918),
    ("192.0.0.0/24", work::protocol_assignments, 6890),
    ("192.0.2.0/24", work::documentation, 5737),
    ("192.31.196.0/24", work::as112, 7535),
    ("192.52.193.0/24", work::multicast_tunnels, 7450),
    ("192.88.99.0/24", work::relays, 7526),
    ("192.168.0.0/16", work::private, 1918),
    ("192.175.48.0/24", work::as112, 7534),
    ("198.18.0.0/15", work::benchmarks, 2544),
    ("198.51.100.0/24", work::documentation, 5737),
    ("203.0.113.0/24", work::documentation, 5737),
    ("224.0.0.0/4", work::multicast, 5771),
    ("255.255.255.255/32", work::broadcast, 8190),
    ("240.0.0.0/4", work::reserved, 1112),
    ("::/128", work::unspecified, 4291),
    ("::1/128", work::loopback, 4291),
    ("::/96", work::ipv4_compatible, 4291),
    ("64:ff9b:1::/48", work::local_translation, 8215),
    ("100::/64", work::discarded, 6666),
    ("100:0:0:1::/64", work::dummy, 9780),
    ("2001::/32", work::teredo, 4380),
    ("2001:2::/48", work::benchmarks, 5180),
    ("2001:3::/32", work::multicast_tunnels, 7450),
    ("2001:4:112::/48", work::as112, 7535),
    ("2001:10::/28", work::orchid, 4843),
    ("2001:20::/28", work::orchid_v2, 7343),
    ("2001:30::/28", work::drones, 9374),
    ("2001::/23", work::protocol_assignments, 2928),
    ("2001:db8::/32", work::documentation, 3849),
    ("2002::/16", work::six_to_four, 3056),
    ("2620:4f:8000::/48", work::as112, 7534),
    ("3fff::/20", work::documentation, 9637),
    ("5f00::/16", work::segment_routing, 9602),
    ("fc00::/7", work::unique_local, 4193),
    ("fe80::/10", work::link_local, 4291),
    ("fec0::/10", work::site_local, 3879),
    ("ff00::/8", work::multicast, 4291),
];

/// Network that IANA assigns for public unicast. All other IPv6 addresses are reserved.
const GLOBAL_UNICAST: &str = "2000::/3";

/// Addresses that a translator (NAT64) maps to the IPv4 address in their last four bytes (RFC 6052). On an IPv6-only host
/// with DNS64, public servers without IPv6 have such addresses.
const NAT64_PREFIX: &str = "64:ff9b::/96";

struct NetworkTable {
    special: Vec<(IpNet, Purpose, u32)>,
    global_unicast: IpNet,
    nat64: IpNet,
}

static TABLE: LazyLock<NetworkTable> = LazyLock::new(|| {
    let network = |text: &str| text.parse().expect("a valid network");
    NetworkTable {
        special: SPECIAL_NETWORKS.iter().map(|(text, purpose, rfc)| (network(text), *purpose, *rfc)).collect(),
        global_unicast: network(GLOBAL_UNICAST),
        nat64: network(NAT64_PREFIX),
    }
});

/// Transport to an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// TLS: any public address, and those that the operator has allowed.
    Tls,
    /// Plain HTTP: only addresses that the operator has allowed.
    Plain,
}

/// Reason why an address may not be called. Doesn't contain the address, because a name may resolve to an internal one.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("{}", self.message())]
pub enum AddressRefusal {
    /// The address isn't public: its purpose, and the number of the RFC that defines it.
    NotPublic(Purpose, u32),
    /// The address may only be called over TLS, because the operator hasn't allowed plain HTTP.
    NotSecure,
}

impl AddressRefusal {
    /// Returns the reason.
    pub fn message(&self) -> Message {
        match self {
            Self::NotPublic(purpose, rfc) => work::not_public(purpose(), *rfc),
            Self::NotSecure => work::not_secure(),
        }
    }
}

/// Checks whether an address may be called.
///
/// # Errors
/// The reason why it may not.
pub fn check_address(address: IpAddr, transport: Transport, allowed_networks: &Networks) -> Result<(), AddressRefusal> {
    // The system connects to a mapped address (::ffff:127.0.0.1) as to the IPv4 address in it.
    let canonical_address = address.to_canonical();
    if allowed_networks.contains(canonical_address) || allowed_networks.contains(address) {
        return Ok(());
    }
    match (special_purpose(canonical_address), transport) {
        (Some((purpose, rfc)), _) => Err(AddressRefusal::NotPublic(purpose, rfc)),
        (None, Transport::Plain) => Err(AddressRefusal::NotSecure),
        (None, Transport::Tls) => Ok(()),
    }
}

/// Returns the special purpose of an address; `None` for an ordinary public address.
fn special_purpose(address: IpAddr) -> Option<(Purpose, u32)> {
    let row = TABLE.special.iter().find(|(network, ..)| network.contains(&address));
    if let Some((_, purpose, rfc)) = row {
        return Some((*purpose, *rfc));
    }
    match address {
        IpAddr::V4(_) => None,
        IpAddr::V6(v6) if TABLE.nat64.contains(&address) => special_purpose(IpAddr::V4(embedded_ipv4(v6))),
        IpAddr::V6(_) if TABLE.global_unicast.contains(&address) => None,
        IpAddr::V6(_) => Some((work::reserved, 4291)),
    }
}

fn embedded_ipv4(address: Ipv6Addr) -> Ipv4Addr {
    let [.., a, b, c, d] = address.octets();
    Ipv4Addr::new(a, b, c, d)
}

#[cfg(test)]
mod tests {
    use super::{AddressRefusal, SPECIAL_NETWORKS, Transport, check_address};
    use crate::config::Networks;

    fn error_for(address: &str, allowed_networks: &str) -> Option<String> {
        let allowed_networks: Networks = allowed_networks.parse().expect("networks");
        check_address(address.parse().expect("an address"), Transport::Tls, &allowed_networks)
            .err()
            .map(|error| error.to_string())
    }

    fn not_public(purpose: &str) -> String {
        format!("its address is not public ({purpose})")
    }

    #[test]
    fn accepts_public_addresses() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2001:200::1",
            "2606:4700::1111",
            "2a00:1450::1",
            "3ffe:ffff::1",
        ] {
            assert_eq!(error_for(address, "none"), None, "{address}");
        }
    }

    #[test]
    fn rejects_first_and_last_address_of_special_networks() {
        for (text, purpose, _) in SPECIAL_NETWORKS {
            let network: ipnet::IpNet = text.parse().expect("a network");
            for address in [network.network(), network.broadcast()] {
                let result = check_address(address, Transport::Tls, &Networks::default());
                assert!(matches!(result, Err(AddressRefusal::NotPublic(..))), "{address} of {text}, {}", purpose());
            }
        }
    }

    #[test]
    fn error_names_purpose_of_address() {
        for (address, purpose) in [
            ("0.0.0.0", "unspecified, RFC 1122"),
            ("127.255.0.1", "loopback, RFC 1122"),
            ("169.254.169.254", "link-local, RFC 3927"),
            ("255.255.255.255", "broadcast, RFC 8190"),
            ("::", "unspecified, RFC 4291"),
            ("::1", "loopback, RFC 4291"),
            ("::10.0.0.1", "IPv4-compatible, RFC 4291"),
            ("::ffff:10.0.0.1", "private, RFC 1918"),
            ("::ffff:169.254.169.254", "link-local, RFC 3927"),
            ("64:ff9b::7f00:1", "loopback, RFC 1122"),
            ("64:ff9b:1::8.8.8.8", "local translation, RFC 8215"),
            ("2002:7f00:1::", "6to4, RFC 3056"),
            ("2001:0:808:808::1", "Teredo, RFC 4380"),
            ("fd00:ec2::254", "unique local, RFC 4193"),
            ("fe80::1", "link-local, RFC 4291"),
            ("4000::1", "reserved, RFC 4291"),
            ("::ffff:0:127.0.0.1", "reserved, RFC 4291"),
        ] {
            assert_eq!(error_for(address, "none"), Some(not_public(purpose)), "{address}");
        }
    }

    #[test]
    fn allowed_networks_are_permitted() {
        assert_eq!(error_for("127.0.0.1", "127.0.0.0/8"), None);
        assert_eq!(error_for("::ffff:127.0.0.1", "127.0.0.0/8"), None);
        assert_eq!(error_for("fd00::1", "fd00::/8"), None);
        assert_eq!(error_for("::1", "127.0.0.0/8"), Some(not_public("loopback, RFC 4291")));
        assert_eq!(error_for("64:ff9b::127.0.0.1", "127.0.0.0/8"), Some(not_public("loopback, RFC 1122")));
    }

    #[test]
    fn plain_http_requires_an_allowed_network() {
        let allowed_networks: Networks = "10.1.0.0/16".parse().expect("networks");
        let plain =
            |address: &str| check_address(address.parse().expect("an address"), Transport::Plain, &allowed_networks);
        assert!(plain("10.1.2.3").is_ok());
        assert_eq!(plain("10.2.2.3").unwrap_err().to_string(), not_public("private, RFC 1918"));
        assert!(matches!(plain("1.1.1.1"), Err(AddressRefusal::NotSecure)));
    }
}
