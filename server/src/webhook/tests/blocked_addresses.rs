//! Tests that no connection is made to a non-public address, however the URL spells or names it.
//!
//! A listener on all addresses of this machine counts connections. Connections to other machines can't be counted; there,
//! the delivery must fail with the error of the guard, which runs before any connection.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::*;

/// Counts connections to one port on all addresses of this machine.
struct ConnectionCounter {
    port: u16,
    connection_count: Arc<AtomicUsize>,
    tasks: Vec<JoinHandle<()>>,
}

impl ConnectionCounter {
    async fn start() -> Self {
        let listener = TcpListener::bind("0.0.0.0:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let connection_count = Arc::<AtomicUsize>::default();
        let mut tasks = vec![count_connections(listener, &connection_count)];
        // A machine without IPv6 has no such address.
        if let Ok(listener) = TcpListener::bind(("::1", port)).await {
            tasks.push(count_connections(listener, &connection_count));
        }
        Self { port, connection_count, tasks }
    }

    /// Returns the number of connections since the last call.
    async fn take_count(&self) -> usize {
        let probes = &["127.0.0.1", "::1"][..self.tasks.len()];
        for address in probes {
            // Earlier connections are counted once the probe is accepted.
            let mut probe = TcpStream::connect((*address, self.port)).await.expect("a listener");
            let _ = probe.read(&mut [0]).await;
        }
        self.connection_count.swap(0, Ordering::SeqCst) - probes.len()
    }
}

fn count_connections(listener: TcpListener, connection_count: &Arc<AtomicUsize>) -> JoinHandle<()> {
    let connection_count = Arc::clone(connection_count);
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            connection_count.fetch_add(1, Ordering::SeqCst);
        }
    })
}

impl Drop for ConnectionCounter {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

/// Asserts that an attempt was refused before any connection, because of the URL or the addresses of its host.
#[track_caller]
fn assert_refused(outcome: &SendOutcome, url: &str) {
    let (error, disposition) = error_and_disposition(outcome);
    let is_guard_error = error.starts_with("expected ")
        || error.contains(" is not a public address (")
        || error.starts_with("the endpoint may not be called: ");
    // Some machines can't resolve every spelling of a name.
    let is_guard_error = is_guard_error || error == "the name of the server can't be resolved";
    assert!(is_guard_error && disposition == Disposition::Retry && outcome.status.is_none(), "{url:?}: {error}");
}

/// Spellings of this machine, and misleading parts of a URL next to the host name.
const LOCAL_HOST_SPELLINGS: &[&str] = &[
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "0177.0.0.1",
    "0177.0.01",
    "0x7f.0.0.1",
    "0X7F.1",
    "0x7f000001",
    "0x00000000007f000001",
    "2130706433",
    "017700000001",
    "00000000000017700000001",
    "0x7f.0x0.0x0.0x1",
    "127.0x1",
    "127.00000001",
    "%31%32%37.0.0.1",
    "127%2E0%2E0%2E1",
    "127.0.0.1%2e",
    "１２７.0.0.1",
    "127。0。0。1",
    "127．0．0．1",
    "127｡0｡0｡1",
    "①②⑦.⓪.⓪.①",
    "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
    "127.0.0.\u{ad}1",
    "127.0.0\t.1",
    "127.0.\n0.1",
    "0",
    "0.0.0.0",
    "0x0",
    "00.00",
    "0.1",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[::0.0.0.1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::FFFF:7F00:1]",
    "[0:0:0:0:0:ffff:7f00:0001]",
    "[::ffff:0.0.0.0]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::127.0.0.1]",
    "[2002:7f00:1::1]",
    "[2001:0:7f00:1::1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "ｌocalhost",
    "%6c%6fcalhost",
    "user@127.0.0.1",
    "user:secret@127.1",
    "example.com@127.0.0.1",
    "example.com:443@127.0.0.1",
    "@127.0.0.1",
];

#[tokio::test]
async fn no_spelling_reaches_this_machine() {
    let counter = ConnectionCounter::start().await;
    let port = counter.port;
    let client = client("none", 5, Arc::new(SystemLookup));
    for host in LOCAL_HOST_SPELLINGS {
        for scheme in ["https://", "http://", "HTTPS:\\\\", "https:", " https:///"] {
            let url = format!("{scheme}{host}:{port}/");
            assert_refused(&send(&client, &url).await, &url);
        }
    }
    for url in [
        format!("https://127.0.0.1:{port}#@example.com/"),
        format!("https://127.0.0.1:{port}?@example.com/"),
        format!("https://127.0.0.1:{port}\\@example.com/"),
        format!("https://example.com:{port}@127.0.0.1:{port}/"),
        format!("https://127.0.0.1:0{port}/"),
        format!("https://127.0.0.1:{port}:{port}/"),
        format!("https://[::1%25lo]:{port}/"),
        format!("https://[::1]{port}/"),
        format!("ftp://127.0.0.1:{port}/"),
        format!("ws://127.0.0.1:{port}/"),
        format!("//127.0.0.1:{port}/"),
        format!("127.0.0.1:{port}/"),
        "file:///etc/passwd".to_owned(),
        "unix:/run/docker.sock".to_owned(),
    ] {
        assert_refused(&send(&client, &url).await, &url);
    }
    assert_eq!(counter.take_count().await, 0);
    // The counter works: a permitted connection is counted.
    send(&local_client(), &format!("https://0x7f.1:{port}/")).await;
    assert_eq!(counter.take_count().await, 1);
}

/// Addresses of every non-public kind, listed independently of the guard's table.
const NON_PUBLIC_ADDRESSES: &[&str] = &[
    "0.0.0.0",
    "0.0.0.1",
    "0.255.255.255",
    "10.0.0.0",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.0",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "169.254.255.255",
    "172.16.0.0",
    "172.17.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.170",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.255.255",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.255",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.254",
    "255.255.255.255",
    "::",
    "::1",
    "::2",
    "::a00:1",
    "::ffff:10.0.0.1",
    "::ffff:100.64.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:192.168.1.1",
    "::ffff:0:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b::192.168.0.1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:a00:1::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:a00:1::1",
    "2002:a9fe:a9fe::1",
    "2002:c0a8:1::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd12:3456:789a::1",
    "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
];

#[tokio::test]
async fn non_public_addresses_are_unreachable_by_address_and_name() {
    let counter = ConnectionCounter::start().await;
    let port = counter.port;
    for address in NON_PUBLIC_ADDRESSES {
        let host = if address.contains(':') { format!("[{address}]") } else { (*address).to_owned() };
        for scheme in ["https", "http"] {
            let url = format!("{scheme}://{host}:{port}/");
            assert_refused(&send(&client_with_addresses("none", &[]), &url).await, &url);
            // Alone, before a public address, and after two public addresses.
            let url = format!("{scheme}://inside.example:{port}/");
            for addresses in [vec![*address], vec![*address, "8.8.8.8"], vec!["8.8.8.8", "9.9.9.9", *address]] {
                assert_refused(
                    &send(&client_with_addresses("none", &[&addresses]), &url).await,
                    &format!("{url} at {addresses:?}"),
                );
            }
        }
    }
    assert_eq!(counter.take_count().await, 0);
}

#[tokio::test]
async fn dns_rebinding_does_not_reach_internal_addresses() {
    for address in
        NON_PUBLIC_ADDRESSES.iter().filter(|address| **address != "127.0.0.1" && **address != "::ffff:127.0.0.1")
    {
        // A local address stands in for the permitted one, because tests must not call other machines.
        let counter = ConnectionCounter::start().await;
        let client = client_with_addresses("127.0.0.1", &[&["127.0.0.1"], &[address], &["127.0.0.1", address]]);
        let url = format!("https://rebound.example:{}/", counter.port);
        send(&client, &url).await;
        assert_eq!(counter.take_count().await, 1, "the first attempt is made");
        for _ in 0..2 {
            assert_refused(&send(&client, &url).await, &format!("{url} at {address}"));
        }
        assert_eq!(counter.take_count().await, 0, "{address}");
    }
}

#[tokio::test]
async fn redirects_do_not_reach_internal_addresses() {
    let counter = ConnectionCounter::start().await;
    for host in ["127.0.0.1", "localhost", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433"] {
        for status in [301, 302, 303, 307, 308] {
            let location = format!("https://{host}:{}/", counter.port);
            let plain = location.replace("https", "http");
            for target in [location, plain] {
                let server = ScriptedServer::start([response(status, &[("location", &target)], "")]).await;
                let outcome = send(&local_client(), &callback_url(server.address)).await;
                assert_eq!(outcome.status, Some(status), "{target}");
            }
        }
    }
    assert_eq!(counter.take_count().await, 0);
}
