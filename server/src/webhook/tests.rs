//! Deliveries over real sockets, and names with changing addresses.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use leadscribe_engine::api::{CallbackMethod, Timestamp};
use leadscribe_engine::diagnostic::work;
use standardwebhooks::Webhook;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::resolver::{NameLookup, SystemLookup};
use super::{Client, Disposition, Request, SendOutcome, signature};
use crate::clock::{Clock, SystemClock};
use crate::config::{CallbacksConfig, Config};
use crate::http_client::scripted_server::{ScriptedResponse, ScriptedServer, response};

mod blocked_addresses;

/// Scripted name resolution: one list of addresses for each lookup; afterwards names are unknown.
#[derive(Debug)]
struct ScriptedLookup(Mutex<VecDeque<Vec<IpAddr>>>);

impl NameLookup for ScriptedLookup {
    fn lookup(&self, _name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let addresses = self.0.lock().expect("no test panics while it holds the lock").pop_front();
        Box::pin(async move { addresses.ok_or_else(|| io::Error::other("no such name")) })
    }
}

fn client(allowed_networks: &str, timeout_seconds: u64, lookup: Arc<dyn NameLookup>) -> Client {
    let mut config = CallbacksConfig { timeout_seconds, ..Config::default().callbacks };
    config.allowed_networks = allowed_networks.parse().expect("networks");
    // Without the machine's certificates, which a test machine may not have.
    Client::with_lookup(&config, lookup, |builder| builder.tls_certs_only([]))
}

fn local_client() -> Client {
    client("127.0.0.1", 15, Arc::new(SystemLookup))
}

fn client_with_addresses(allowed_networks: &str, lookups: &[&[&str]]) -> Client {
    let address = |text: &&str| text.parse().expect("an address");
    let lookups = lookups.iter().map(|addresses| addresses.iter().map(address).collect()).collect();
    client(allowed_networks, 15, Arc::new(ScriptedLookup(Mutex::new(lookups))))
}

async fn send(client: &Client, url: &str) -> SendOutcome {
    let at: Timestamp = "2026-05-01T09:30:00Z".parse().expect("a time");
    let secrets = [signature::generate_secret()];
    let method = CallbackMethod::Post;
    client
        .send(&Request {
            url,
            method,
            body: b"{}",
            media_type: "application/json",
            message_id: "msg_1",
            secrets: &secrets,
            at,
        })
        .await
}

fn error_and_disposition(outcome: &SendOutcome) -> (String, Disposition) {
    (outcome.error.as_ref().expect("an error").to_string(), outcome.disposition)
}

fn callback_url(address: SocketAddr) -> String {
    format!("http://{address}/calls?key=secret")
}

#[tokio::test]
async fn signs_with_every_secret() {
    let server = ScriptedServer::start([response(204, &[], "")]).await;
    let secrets = [signature::generate_secret(), signature::generate_secret()];
    let body = r#"{"text":"Grüße"}"#.as_bytes();
    let method = CallbackMethod::Put;
    let at = SystemClock.now();
    let (url, media_type, message_id) = (callback_url(server.address), "application/json", "msg_7_1");
    let request = Request { url: &url, method, body, media_type, message_id, secrets: &secrets, at };
    let outcome = local_client().send(&request).await;
    assert_eq!(
        outcome,
        SendOutcome { status: Some(204), error: None, retry_after: None, disposition: Disposition::Delivered }
    );
    let received = server.take_requests();
    let [received] = received.as_slice() else { panic!("expected one request, found {}", received.len()) };
    assert_eq!(received.line, "PUT /calls?key=secret");
    assert_eq!(received.headers["content-type"], "application/json");
    assert_eq!(received.headers["user-agent"], concat!("Leadscribe/", env!("CARGO_PKG_VERSION")));
    assert_eq!(received.headers["webhook-id"], "msg_7_1");
    assert_eq!(received.body, body);
    for secret in &secrets {
        let webhook = Webhook::new(secret).expect("a secret");
        webhook.verify(&received.body, &received.headers).expect("a signature of this secret");
    }
}

#[tokio::test]
async fn status_decides_the_disposition() {
    for (status, disposition) in [
        (200, Disposition::Delivered),
        (299, Disposition::Delivered),
        (400, Disposition::Retry),
        (404, Disposition::Retry),
        (408, Disposition::Retry),
        (410, Disposition::Gone),
        (425, Disposition::Retry),
        (429, Disposition::Retry),
        (500, Disposition::Retry),
        (599, Disposition::Retry),
    ] {
        let server = ScriptedServer::start([response(status, &[], "{}")]).await;
        let outcome = send(&local_client(), &callback_url(server.address)).await;
        let error = (disposition != Disposition::Delivered).then(|| work::response_status(u32::from(status)));
        assert_eq!(outcome, SendOutcome { status: Some(status), error, retry_after: None, disposition });
    }
}

#[tokio::test]
async fn returns_retry_after() {
    let retry_after = |text: &'static str| response(429, &[("retry-after", text)], "");
    let server =
        ScriptedServer::start([retry_after("90"), retry_after("Fri, 01 May 2026 09:31:00 GMT"), retry_after("soon")])
            .await;
    let client = local_client();
    for wait in [Some(90), Some(60), None] {
        let outcome = send(&client, &callback_url(server.address)).await;
        assert_eq!(outcome.retry_after, wait.map(Duration::from_secs));
        assert_eq!(error_and_disposition(&outcome), ("responded with status 429".to_owned(), Disposition::Retry));
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = ScriptedServer::start([response(200, &[], "")]).await;
    let location = callback_url(target.address);
    for status in [301, 302, 303, 307, 308] {
        let server = ScriptedServer::start([response(status, &[("location", &location)], "")]).await;
        let outcome = send(&local_client(), &callback_url(server.address)).await;
        assert_eq!(outcome.status, Some(status));
        assert_eq!(
            error_and_disposition(&outcome),
            (format!("responded with status {status}; redirects aren't followed"), Disposition::Retry)
        );
    }
    assert!(target.take_requests().is_empty());
}

#[tokio::test]
async fn silent_endpoint_times_out() {
    let server =
        ScriptedServer::start([ScriptedResponse::Stall(Vec::new()), ScriptedResponse::Stall(b"HTTP/1.1 200".to_vec())])
            .await;
    let client = client("127.0.0.1", 1, Arc::new(SystemLookup));
    for _ in 0..2 {
        let outcome = send(&client, &callback_url(server.address)).await;
        assert_eq!(error_and_disposition(&outcome), ("no response within 1 s".to_owned(), Disposition::Retry));
    }
}

#[tokio::test]
async fn endless_body_does_not_change_the_disposition() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n".to_vec();
    let server = ScriptedServer::start([ScriptedResponse::Endless(head.clone()), ScriptedResponse::Stall(head)]).await;
    let client = client("127.0.0.1", 1, Arc::new(SystemLookup));
    for _ in 0..2 {
        assert_eq!(send(&client, &callback_url(server.address)).await.disposition, Disposition::Delivered);
    }
}

#[tokio::test]
async fn connection_errors_hide_the_url() {
    let server = ScriptedServer::start([ScriptedResponse::Bytes(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec())]).await;
    let outcome = send(&local_client(), &callback_url(server.address)).await;
    assert_eq!(
        error_and_disposition(&outcome),
        ("connection error: invalid HTTP version parsed".to_owned(), Disposition::Retry)
    );

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let unused_address = listener.local_addr().expect("an address");
    drop(listener);
    assert_eq!(
        error_and_disposition(&send(&local_client(), &callback_url(unused_address)).await),
        ("connection refused".to_owned(), Disposition::Retry)
    );

    let outcome = send(&client_with_addresses("127.0.0.1", &[]), "http://nowhere.example/?key=secret").await;
    assert_eq!(
        error_and_disposition(&outcome),
        ("the name of the server can't be resolved".to_owned(), Disposition::Retry)
    );

    let server = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("https://{}/?key=secret", server.local_addr().expect("an address"));
    // A server that responds without TLS.
    let respond = async {
        let (mut stream, _) = server.accept().await.expect("a connection");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.expect("a client that listens");
        stream
    };
    let client = local_client();
    let (outcome, _open) = tokio::join!(send(&client, &url), respond);
    assert_eq!(
        error_and_disposition(&outcome),
        ("connection error: received corrupt message of type InvalidContentType".to_owned(), Disposition::Retry)
    );
}

#[tokio::test]
async fn checks_literal_address_at_every_attempt() {
    // Simulates a network that is no longer allowed.
    let server = ScriptedServer::start([response(200, &[], "")]).await;
    let client = client("none", 15, Arc::new(SystemLookup));
    let outcome = send(&client, &format!("https://0x7f.1:{}/", server.address.port())).await;
    assert_eq!(
        error_and_disposition(&outcome),
        ("127.0.0.1 is not a public address (loopback, RFC 1122)".to_owned(), Disposition::Retry)
    );
    let outcome = send(&client, &callback_url(server.address)).await;
    assert_eq!(outcome.disposition, Disposition::Retry);
    assert!(server.take_requests().is_empty());
}

#[tokio::test]
async fn rejects_name_with_any_forbidden_address() {
    for (allowed_networks, scheme, addresses, reason) in [
        ("none", "https", ["8.8.8.8", "127.0.0.1"], "its address is not public (loopback, RFC 1122)"),
        ("none", "https", ["10.0.0.1", "8.8.8.8"], "its address is not public (private, RFC 1918)"),
        ("none", "https", ["::ffff:127.0.0.1", "8.8.8.8"], "its address is not public (loopback, RFC 1122)"),
        ("127.0.0.1", "http", ["127.0.0.1", "10.0.0.1"], "its address is not public (private, RFC 1918)"),
        (
            "127.0.0.1",
            "http",
            ["127.0.0.1", "8.8.8.8"],
            "http is only accepted for networks that the operator has allowed",
        ),
    ] {
        let server = ScriptedServer::start([response(200, &[], "")]).await;
        let client = client_with_addresses(allowed_networks, &[&addresses]);
        let outcome = send(&client, &format!("{scheme}://mixed.example:{}/", server.address.port())).await;
        assert_eq!(
            error_and_disposition(&outcome),
            (format!("the endpoint may not be called: {reason}"), Disposition::Retry)
        );
        assert!(server.take_requests().is_empty());
    }
}

#[tokio::test]
async fn checks_addresses_of_name_at_every_attempt() {
    let server = ScriptedServer::start([response(500, &[], ""), response(200, &[], "")]).await;
    let client = client_with_addresses("127.0.0.1", &[&["127.0.0.1"], &["127.0.0.2"], &["127.0.0.1"]]);
    let url = format!("http://rebound.example:{}/", server.address.port());
    assert_eq!(send(&client, &url).await.disposition, Disposition::Retry);
    assert_eq!(send(&client, &url).await.disposition, Disposition::Retry);
    assert_eq!(send(&client, &url).await.disposition, Disposition::Delivered);
    assert_eq!(server.take_requests().len(), 2);
}

#[tokio::test]
async fn connections_are_not_reused() {
    let keep_open = || ScriptedResponse::Stall(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec());
    let server = ScriptedServer::start([keep_open(), keep_open()]).await;
    let client = client_with_addresses("127.0.0.1", &[&["127.0.0.1"], &["10.0.0.1"]]);
    let url = format!("http://rebound.example:{}/", server.address.port());
    assert_eq!(send(&client, &url).await.disposition, Disposition::Delivered);
    assert_eq!(send(&client, &url).await.disposition, Disposition::Retry);
}

#[tokio::test]
async fn ignores_proxy_environment_variables() {
    let proxy = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", proxy.local_addr().expect("an address"));
    // The environment of a process can't be changed safely, so run a test that calls its endpoint in a child process.
    let output = tokio::task::spawn_blocking(move || {
        let mut command = Command::new(std::env::current_exe().expect("the tests"));
        command.args(["--exact", "webhook::tests::signs_with_every_secret"]);
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
            command.env(name, &address);
        }
        command.env_remove("NO_PROXY").env_remove("no_proxy").output().expect("the tests start")
    });
    tokio::select! {
        output = output => {
            let output = output.expect("the tests end");
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}");
        }
        _ = proxy.accept() => panic!("the proxy was used"),
    }
}
