//! URLs of callbacks.

use std::net::IpAddr;

use leadscribe_engine::diagnostic::{Diagnostic, Location, Message, work};
use url::{Host, Url};

use super::address_guard::{self, AddressRefusal, Transport};
use crate::config::Networks;

/// Maximum length of a URL in characters, both as given and as normalized. Browsers and servers commonly accept this length.
const MAX_URL_LENGTH: usize = 2_000;

/// A permitted callback URL, as far as that can be decided without resolving its name.
///
/// The URL is parsed, stored and called in its WHATWG normal form: `https://0x7f.1/` is `https://127.0.0.1/` for both the
/// guard and the client.
#[derive(Clone, Debug, PartialEq)]
pub struct CallbackUrl {
    url: Url,
    transport: Transport,
}

impl CallbackUrl {
    /// Parses a URL. `location` is its location in the request.
    ///
    /// # Errors
    /// The URL is invalid. All errors are reported.
    pub fn parse(text: &str, allowed_networks: &Networks, location: &Location) -> Result<Self, Vec<Diagnostic>> {
        let diagnostic = |code, message: Message| Diagnostic::new(location.clone(), code, message);
        let too_long = |length: usize| diagnostic("too_long", work::url_length("2,000", length));
        let length = text.chars().count();
        if length > MAX_URL_LENGTH {
            return Err(vec![too_long(length)]);
        }
        let url =
            Url::parse(text).map_err(|error| vec![diagnostic("invalid_url", work::url_form(error.to_string()))])?;
        let normalized_length = url.as_str().len();
        if normalized_length > MAX_URL_LENGTH {
            return Err(vec![too_long(normalized_length).suggest(work::percent_encoded_letters())]);
        }
        let transport = match url.scheme() {
            "https" => Transport::Tls,
            "http" => Transport::Plain,
            other => {
                let diagnostic = diagnostic("not_permitted", work::https_url(other));
                return Err(vec![diagnostic.permitted(["https"])]);
            }
        };
        let mut diagnostics = Vec::new();
        match (
            literal_address(&url)
                .map(|address| (address, address_guard::check_address(address, transport, allowed_networks))),
            transport,
        ) {
            (Some((address, Err(AddressRefusal::NotPublic(purpose, rfc)))), _) => {
                let message = work::private_address(address.to_string(), purpose(), rfc);
                diagnostics.push(diagnostic("callback_not_public", message).suggest(work::allow_network()));
            }
            (Some((_, Err(AddressRefusal::NotSecure))), _) => diagnostics.push(not_secure_diagnostic(location)),
            (None, Transport::Plain) if allowed_networks.is_empty() => {
                diagnostics.push(not_secure_diagnostic(location))
            }
            (Some((_, Ok(()))) | None, _) => {}
        }
        if !url.username().is_empty() || url.password().is_some() {
            let diagnostic = diagnostic("not_permitted", work::url_without_login());
            diagnostics.push(diagnostic.suggest(work::check_signature()));
        }
        if url.fragment().is_some() {
            let diagnostic = diagnostic("not_permitted", work::url_without_fragment());
            diagnostics.push(diagnostic.suggest(work::remove_fragment()));
        }
        if url.port() == Some(0) {
            diagnostics.push(diagnostic("out_of_range", work::port(0_u32)));
        }
        if diagnostics.is_empty() { Ok(Self { url, transport }) } else { Err(diagnostics) }
    }

    pub fn url(&self) -> &Url {
        &self.url
    }

    pub fn transport(&self) -> Transport {
        self.transport
    }
}

/// Returns the address if the host is an IP address.
fn literal_address(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
    }
}

fn not_secure_diagnostic(location: &Location) -> Diagnostic {
    let diagnostic = Diagnostic::new(location.clone(), "callback_not_secure", work::https_url("http"));
    diagnostic.suggest(work::not_secure()).permitted(["https"])
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::{Diagnostic, Location};

    use super::CallbackUrl;

    fn parse(text: &str, allowed_networks: &str) -> Result<String, Vec<Diagnostic>> {
        let location = Location::Pointer("/callback_url".to_owned());
        let allowed_networks = allowed_networks.parse().expect("networks");
        CallbackUrl::parse(text, &allowed_networks, &location).map(|url| url.url().to_string())
    }

    fn details(text: &str, allowed_networks: &str) -> Vec<String> {
        let diagnostics = parse(text, allowed_networks).expect_err(text);
        assert!(
            diagnostics.iter().all(|diagnostic| diagnostic.location == Location::Pointer("/callback_url".to_owned()))
        );
        diagnostics.into_iter().map(|diagnostic| diagnostic.message.to_string()).collect()
    }

    #[test]
    fn normalizes_urls() {
        for (text, normalized) in [
            ("https://example.com", "https://example.com/"),
            ("HTTPS://Example.COM:443/a b?key=1", "https://example.com/a%20b?key=1"),
            ("https://bücher.example:8443/", "https://xn--bcher-kva.example:8443/"),
            ("https://134744072/", "https://8.8.8.8/"),
            ("https://[2606:4700:0:0::1111]/", "https://[2606:4700::1111]/"),
            ("https://localhost/", "https://localhost/"),
        ] {
            assert_eq!(parse(text, "none").as_deref(), Ok(normalized), "{text}");
        }
    }

    #[test]
    fn rejects_every_spelling_of_non_public_addresses() {
        for host in [
            "127.0.0.1",
            "127.1",
            "127.0.1",
            "0x7f.1",
            "0x7f000001",
            "2130706433",
            "017700000001",
            "0177.0.0.1",
            "127.0.0.1.",
            "%31%32%37.0.0.1",
            "１２７.0.0.1",
            "127。0。0。1",
            "①②⑦.0.0.1",
        ] {
            let expected = "127.0.0.1 is not a public address (loopback, RFC 1122)";
            assert_eq!(details(&format!("https://{host}/"), "none"), [expected], "{host}");
        }
        for (host, found) in [
            ("0", "0.0.0.0 (unspecified, RFC 1122)"),
            ("0xa9fea9fe", "169.254.169.254 (link-local, RFC 3927)"),
            ("10.256", "10.0.1.0 (private, RFC 1918)"),
            ("[::1]", "::1 (loopback, RFC 4291)"),
            ("[0:0:0:0:0:0:0:1]", "::1 (loopback, RFC 4291)"),
            ("[::]", ":: (unspecified, RFC 4291)"),
            ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1 (loopback, RFC 1122)"),
            ("[::ffff:7f00:1]", "::ffff:127.0.0.1 (loopback, RFC 1122)"),
            ("[::127.0.0.1]", "::7f00:1 (IPv4-compatible, RFC 4291)"),
            ("[64:ff9b::10.0.0.1]", "64:ff9b::a00:1 (private, RFC 1918)"),
            ("[2002:a00:1::]", "2002:a00:1:: (6to4, RFC 3056)"),
            ("[fd00:ec2::254]", "fd00:ec2::254 (unique local, RFC 4193)"),
            ("[fe80::1]", "fe80::1 (link-local, RFC 4291)"),
        ] {
            let (address, purpose) = found.split_once(" (").unwrap();
            let expected = format!("{address} is not a public address ({purpose}");
            assert_eq!(details(&format!("https://{host}/"), "none"), [expected], "{host}");
        }
    }

    #[test]
    fn rejects_invalid_callback_urls() {
        let example = "expected a URL such as https://example.com/calls";
        assert_eq!(details("example.com/calls", "none"), [format!("{example}: relative URL without a base")]);
        assert_eq!(details("https://", "none"), [format!("{example}: empty host")]);
        assert_eq!(details("https://1.2.3.256/", "none"), [format!("{example}: invalid IPv4 address")]);
        assert_eq!(details("https://[fe80::1%25eth0]/", "none"), [format!("{example}: invalid IPv6 address")]);
        assert_eq!(details("https://example.com:65536/", "none"), [format!("{example}: invalid port number")]);
        assert_eq!(details("file:///etc/passwd", "none"), ["expected an https URL, found file"]);
        assert_eq!(details("gopher://example.com/", "127.0.0.0/8"), ["expected an https URL, found gopher"]);
        let long = format!("https://example.com/{}", "a".repeat(1_981));
        assert_eq!(details(&long, "none"), ["expected up to 2,000 characters, found 2001"]);
        assert!(parse(&long[..2_000], "none").is_ok());
        // The URL is stored and parsed again in its WHATWG form.
        let cyrillic = |letters: usize| format!("https://example.com/{}", "ж".repeat(letters));
        assert_eq!(details(&cyrillic(331), "none"), ["expected up to 2,000 characters, found 2006"]);
        let normalized = parse(&cyrillic(330), "none").expect("2,000 characters");
        assert_eq!((normalized.len(), parse(&normalized, "none")), (2_000, Ok(normalized.clone())));
        for url in ["https://user@example.com/", "https://:secret@example.com/"] {
            assert_eq!(details(url, "none"), ["expected a URL without user name and password"], "{url}");
        }
        assert_eq!(
            details("https://user:secret@10.0.0.1:0/#part", "none"),
            [
                "10.0.0.1 is not a public address (private, RFC 1918)",
                "expected a URL without user name and password",
                "expected a URL without a fragment",
                "expected a port of 1 to 65535, found 0",
            ]
        );
    }

    #[test]
    fn accepts_http_in_allowed_networks() {
        let not_secure = ["expected an https URL, found http"];
        assert_eq!(details("http://example.com/", "none"), not_secure);
        assert_eq!(details("http://8.8.8.8/", "10.0.0.0/8"), not_secure);
        assert_eq!(parse("http://10.1.1.1:8080/", "10.0.0.0/8").as_deref(), Ok("http://10.1.1.1:8080/"));
        // The addresses of a name are checked when it is called.
        assert_eq!(parse("http://intranet/", "10.0.0.0/8").as_deref(), Ok("http://intranet/"));
        let not_public = details("http://127.1/", "10.0.0.0/8");
        assert_eq!(not_public, ["127.0.0.1 is not a public address (loopback, RFC 1122)"]);
    }
}
