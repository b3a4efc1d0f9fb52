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

use super::resolve::{Lookup, SystemLookup};
use super::{Client, Outcome, Request, Verdict, sign};
use crate::clock::{Clock, SystemClock};
use crate::config::{CallbacksConfig, Config};
use crate::outgoing::scripted::{Answer, ScriptedServer, answer};

mod not_one_connection;

/// Scripted name resolution: one list of addresses for each look-up; afterwards names are unknown.
#[derive(Debug)]
struct Names(Mutex<VecDeque<Vec<IpAddr>>>);

impl Lookup for Names {
    fn lookup(&self, _name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let found = self.0.lock().expect("no test panics while it holds the lock").pop_front();
        Box::pin(async move { found.ok_or_else(|| io::Error::other("no such name")) })
    }
}

fn client(allowed: &str, deadline_seconds: u64, lookup: Arc<dyn Lookup>) -> Client {
    let mut config = CallbacksConfig { deadline_seconds, ..Config::default().callbacks };
    config.allowed_networks = allowed.parse().expect("networks");
    // Without the machine's certificates, which a test machine may not have.
    Client::with(&config, lookup, |builder| builder.tls_certs_only([]))
}

fn local() -> Client {
    client("127.0.0.1", 15, Arc::new(SystemLookup))
}

fn names(allowed: &str, answers: &[&[&str]]) -> Client {
    let address = |text: &&str| text.parse().expect("an address");
    let answers = answers.iter().map(|addresses| addresses.iter().map(address).collect()).collect();
    client(allowed, 15, Arc::new(Names(Mutex::new(answers))))
}

async fn send(client: &Client, url: &str) -> Outcome {
    let at: Timestamp = "2026-05-01T09:30:00Z".parse().expect("a time");
    let secrets = [sign::fresh_secret()];
    let method = CallbackMethod::Post;
    client.send(&Request { url, method, body: b"{}", message_id: "msg_1", secrets: &secrets, at }).await
}

fn error(outcome: &Outcome) -> (String, Verdict) {
    (outcome.error.as_ref().expect("an error").to_string(), outcome.verdict)
}

fn url(address: SocketAddr) -> String {
    format!("http://{address}/calls?key=secret")
}

#[tokio::test]
async fn a_delivery_arrives_and_verifies_with_every_secret() {
    let server = ScriptedServer::start([answer(204, &[], "")]).await;
    let secrets = [sign::fresh_secret(), sign::fresh_secret()];
    let body = r#"{"text":"Grüße"}"#.as_bytes();
    let method = CallbackMethod::Put;
    let at = SystemClock.now();
    let request = Request { url: &url(server.address), method, body, message_id: "msg_7_1", secrets: &secrets, at };
    let outcome = local().send(&request).await;
    assert_eq!(outcome, Outcome { status: Some(204), error: None, retry_after: None, verdict: Verdict::Delivered });
    let received = server.received();
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
async fn status_decides_the_verdict() {
    for (status, verdict) in [
        (200, Verdict::Delivered),
        (299, Verdict::Delivered),
        (400, Verdict::Retry),
        (404, Verdict::Retry),
        (408, Verdict::Retry),
        (410, Verdict::Gone),
        (425, Verdict::Retry),
        (429, Verdict::Retry),
        (500, Verdict::Retry),
        (599, Verdict::Retry),
    ] {
        let server = ScriptedServer::start([answer(status, &[], "{}")]).await;
        let outcome = send(&local(), &url(server.address)).await;
        let error = (verdict != Verdict::Delivered).then(|| work::answered(u32::from(status)));
        assert_eq!(outcome, Outcome { status: Some(status), error, retry_after: None, verdict });
    }
}

#[tokio::test]
async fn returns_requested_wait() {
    let later = |text: &'static str| answer(429, &[("retry-after", text)], "");
    let server = ScriptedServer::start([later("90"), later("Fri, 01 May 2026 09:31:00 GMT"), later("soon")]).await;
    let client = local();
    for wait in [Some(90), Some(60), None] {
        let outcome = send(&client, &url(server.address)).await;
        assert_eq!(outcome.retry_after, wait.map(Duration::from_secs));
        assert_eq!(error(&outcome), ("answered 429".to_owned(), Verdict::Retry));
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let inside = ScriptedServer::start([answer(200, &[], "")]).await;
    let location = url(inside.address);
    for status in [301, 302, 303, 307, 308] {
        let server = ScriptedServer::start([answer(status, &[("location", &location)], "")]).await;
        let outcome = send(&local(), &url(server.address)).await;
        assert_eq!(outcome.status, Some(status));
        assert_eq!(error(&outcome), (format!("answered {status}; redirects aren't followed"), Verdict::Retry));
    }
    assert!(inside.received().is_empty());
}

#[tokio::test]
async fn silent_endpoint_times_out() {
    let server = ScriptedServer::start([Answer::Stall(Vec::new()), Answer::Stall(b"HTTP/1.1 200".to_vec())]).await;
    let client = client("127.0.0.1", 1, Arc::new(SystemLookup));
    for _ in 0..2 {
        let outcome = send(&client, &url(server.address)).await;
        assert_eq!(error(&outcome), ("no answer within 1 s".to_owned(), Verdict::Retry));
    }
}

#[tokio::test]
async fn endless_body_does_not_change_the_verdict() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n".to_vec();
    let server = ScriptedServer::start([Answer::Endless(head.clone()), Answer::Stall(head)]).await;
    let client = client("127.0.0.1", 1, Arc::new(SystemLookup));
    for _ in 0..2 {
        assert_eq!(send(&client, &url(server.address)).await.verdict, Verdict::Delivered);
    }
}

#[tokio::test]
async fn connection_errors_hide_the_url() {
    let server = ScriptedServer::start([Answer::Bytes(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec())]).await;
    let outcome = send(&local(), &url(server.address)).await;
    assert_eq!(error(&outcome), ("invalid HTTP version parsed".to_owned(), Verdict::Retry));

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let closed = listener.local_addr().expect("an address");
    drop(listener);
    assert_eq!(error(&send(&local(), &url(closed)).await), ("connection refused".to_owned(), Verdict::Retry));

    let outcome = send(&names("127.0.0.1", &[]), "http://nowhere.example/?key=secret").await;
    assert_eq!(error(&outcome), ("the name of the server can't be resolved".to_owned(), Verdict::Retry));

    let server = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("https://{}/?key=secret", server.local_addr().expect("an address"));
    // A server that responds without TLS.
    let answered = async {
        let (mut stream, _) = server.accept().await.expect("a connection");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.expect("a client that listens");
        stream
    };
    let client = local();
    let (outcome, _open) = tokio::join!(send(&client, &url), answered);
    assert_eq!(error(&outcome), ("received corrupt message of type InvalidContentType".to_owned(), Verdict::Retry));
}

#[tokio::test]
async fn checks_literal_address_at_every_attempt() {
    // Simulates a network that is no longer allowed.
    let server = ScriptedServer::start([answer(200, &[], "")]).await;
    let closed = client("none", 15, Arc::new(SystemLookup));
    let outcome = send(&closed, &format!("https://0x7f.1:{}/", server.address.port())).await;
    assert_eq!(
        error(&outcome),
        ("expected a public address, found 127.0.0.1 (loopback, RFC 1122)".to_owned(), Verdict::Retry)
    );
    let outcome = send(&closed, &url(server.address)).await;
    assert_eq!(outcome.verdict, Verdict::Retry);
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn rejects_name_with_any_forbidden_address() {
    for (allowed, url, addresses, refusal) in [
        ("none", "https", ["8.8.8.8", "127.0.0.1"], "its address is not public (loopback, RFC 1122)"),
        ("none", "https", ["10.0.0.1", "8.8.8.8"], "its address is not public (private, RFC 1918)"),
        ("none", "https", ["::ffff:127.0.0.1", "8.8.8.8"], "its address is not public (loopback, RFC 1122)"),
        ("127.0.0.1", "http", ["127.0.0.1", "10.0.0.1"], "its address is not public (private, RFC 1918)"),
        (
            "127.0.0.1",
            "http",
            ["127.0.0.1", "8.8.8.8"],
            "http is taken only for networks that the operator has allowed",
        ),
    ] {
        let server = ScriptedServer::start([answer(200, &[], "")]).await;
        let client = names(allowed, &[&addresses]);
        let outcome = send(&client, &format!("{url}://mixed.example:{}/", server.address.port())).await;
        assert_eq!(error(&outcome), (format!("the endpoint may not be called: {refusal}"), Verdict::Retry));
        assert!(server.received().is_empty());
    }
}

#[tokio::test]
async fn checks_addresses_of_name_at_every_attempt() {
    let server = ScriptedServer::start([answer(500, &[], ""), answer(200, &[], "")]).await;
    let client = names("127.0.0.1", &[&["127.0.0.1"], &["127.0.0.2"], &["127.0.0.1"]]);
    let url = format!("http://rebound.example:{}/", server.address.port());
    assert_eq!(send(&client, &url).await.verdict, Verdict::Retry);
    assert_eq!(send(&client, &url).await.verdict, Verdict::Retry);
    assert_eq!(send(&client, &url).await.verdict, Verdict::Delivered);
    assert_eq!(server.received().len(), 2);
}

#[tokio::test]
async fn connections_are_not_reused() {
    let open = || Answer::Stall(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_vec());
    let server = ScriptedServer::start([open(), open()]).await;
    let client = names("127.0.0.1", &[&["127.0.0.1"], &["10.0.0.1"]]);
    let url = format!("http://rebound.example:{}/", server.address.port());
    assert_eq!(send(&client, &url).await.verdict, Verdict::Delivered);
    assert_eq!(send(&client, &url).await.verdict, Verdict::Retry);
}

#[tokio::test]
async fn ignores_proxies_of_the_environment() {
    let proxy = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", proxy.local_addr().expect("an address"));
    // The environment of a process can't be changed safely, so run a test that calls its endpoint in a child process.
    let child = tokio::task::spawn_blocking(move || {
        let mut child = Command::new(std::env::current_exe().expect("the tests"));
        child.args(["--exact", "webhook::tests::a_delivery_arrives_and_verifies_with_every_secret"]);
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
            child.env(name, &address);
        }
        child.env_remove("NO_PROXY").env_remove("no_proxy").output().expect("the tests start")
    });
    tokio::select! {
        output = child => {
            let output = output.expect("the tests end");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.contains("1 passed"), "{said}");
        }
        _ = proxy.accept() => panic!("the proxy was asked"),
    }
}
