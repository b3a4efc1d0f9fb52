//! Attacks. Each client sends its next request directly after the response, or closes its connection immediately.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::site::{Site, lead_rows};
use super::{Attack, MAX_DISK, MAX_STORED};
use crate::harness::PASSWORD;
use crate::torture::probe::Request;

/// Clients per attack with one credential.
const CLIENTS: usize = 32;
/// Clients that log in and disconnect immediately.
const ABANDONED: usize = 100;
/// Pause before reconnecting, so that opening connections doesn't use up the machine.
const RECONNECT: Duration = Duration::from_millis(50);
/// Length of a delivery template in characters, the most that fits in a URL, and number of calls per submission.
const TEMPLATE: usize = 12_000;
const CALLS: u64 = 1_000;

pub const ALL: [Attack; 18] = [
    Attack { name: "log-ins of clients that close at once", start: abandoned_log_ins, max_disk: MAX_DISK },
    Attack { name: "12 long new passwords at once", start: long_passwords, max_disk: MAX_DISK },
    Attack { name: "deliveries without end", start: deliveries, max_disk: MAX_DISK },
    Attack { name: "deliveries of clients that close at once", start: abandoned_deliveries, max_disk: MAX_DISK },
    Attack { name: "skipped calls under new keys", start: skipped_calls, max_disk: MAX_DISK },
    Attack { name: "skipped calls of clients that close at once", start: abandoned_skipped_calls, max_disk: MAX_DISK },
    Attack { name: "ten filters of 190 contains", start: costly_filters, max_disk: MAX_DISK },
    Attack { name: "values of a field", start: values, max_disk: MAX_DISK },
    Attack { name: "searches through 100,000 calls", start: searches, max_disk: MAX_DISK },
    Attack { name: "searches of clients that close at once", start: abandoned_searches, max_disk: MAX_DISK },
    Attack { name: "overviews of clients that close at once", start: overviews, max_disk: MAX_DISK },
    Attack { name: "campaign previews", start: previews, max_disk: MAX_DISK },
    Attack { name: "outlines of recordings", start: outlines, max_disk: MAX_DISK },
    Attack { name: "exports that are read slowly", start: exports, max_disk: MAX_DISK },
    Attack { name: "uploads that trickle", start: trickled_uploads, max_disk: MAX_DISK },
    Attack { name: "event streams", start: event_streams, max_disk: MAX_DISK },
    Attack { name: "actions on 10,000 leads", start: actions, max_disk: MAX_STORED },
    Attack { name: "imports of 20,000 leads", start: imports, max_disk: MAX_STORED },
];

/// Starts clients that repeat a request. Rejections must have a `Retry-After`, which the attackers ignore.
fn repeat(clients: usize, request: impl Fn(usize) -> Request + Clone + Send + 'static) -> JoinSet<()> {
    let serial = Arc::new(AtomicUsize::new(0));
    let client = |_| {
        let (request, serial) = (request.clone(), serial.clone());
        async move {
            loop {
                let answer = request(serial.fetch_add(1, Ordering::SeqCst)).send().await;
                match answer.status {
                    StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                        assert!(answer.retry_after().is_some(), "{}", answer.text());
                        sleep(RECONNECT).await;
                    }
                    status => assert!(status.as_u16() < 500, "{}", answer.text()),
                }
            }
        }
    };
    (0..clients).map(client).collect()
}

/// Starts clients that send bytes over a new connection, wait a moment and close it.
fn abandon(site: &Site, clients: usize, request: impl Fn() -> String + Clone + Send + 'static) -> JoinSet<()> {
    let address = site.program.address().to_owned();
    let client = |_| {
        let (address, request) = (address.clone(), request.clone());
        async move {
            loop {
                if let Ok(mut stream) = TcpStream::connect(&address).await {
                    let _ = stream.write_all(request().as_bytes()).await;
                    // Time for the server to read it.
                    sleep(Duration::from_millis(5)).await;
                }
                sleep(RECONNECT).await;
            }
        }
    };
    (0..clients).map(client).collect()
}

/// Returns a request as bytes.
fn bytes(site: &Site, head: &str, body: &str) -> String {
    let (address, length) = (site.program.address(), body.len());
    format!("{head}\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
}

fn abandoned_log_ins(site: &Site) -> JoinSet<()> {
    let body = json!({ "email": "nobody@example.com", "password": PASSWORD }).to_string();
    let request = bytes(site, "POST /api/session HTTP/1.1", &body);
    abandon(site, ABANDONED, move || request.clone())
}

fn long_passwords(site: &Site) -> JoinSet<()> {
    // Each character replaces several letters, so that the strength check tries many words.
    let password: String = "4@8({[<6+9!|1$5%7".chars().cycle().take(256).collect();
    let body = json!({ "current_password": "not the password", "password": password }).to_string();
    let request = site.by_session(Method::PUT, "/api/session/password").body(&body);
    repeat(12, move |_| request.clone())
}

fn deliveries(site: &Site) -> JoinSet<()> {
    let request = site.by_token(Method::GET, &delivery_path(site));
    repeat(CLIENTS, move |_| request.clone())
}

fn abandoned_deliveries(site: &Site) -> JoinSet<()> {
    let head = format!("GET {} HTTP/1.1\r\nx-speech-token: {}", delivery_path(site), site.token);
    let request = bytes(site, &head, "");
    abandon(site, CLIENTS, move || request.clone())
}

/// Returns the path and query that request a delivery with a large template.
fn delivery_path(site: &Site) -> String {
    let template = json!({ "call": "{call_id}", "about": "x".repeat(TEMPLATE) }).to_string();
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("callback_url", &site.endpoint.url).append_pair("callback_data", &template);
    format!("/api/speech-recognition?{}", query.finish())
}

fn skipped_calls(site: &Site) -> JoinSet<()> {
    let body = missing_calls(site);
    let request = Request::new(Method::POST, &site.program, "/api/speech-recognition").body(&body);
    repeat(CLIENTS, move |_| request.clone().header("idempotency-key", &rand::random::<u64>().to_string()))
}

fn abandoned_skipped_calls(site: &Site) -> JoinSet<()> {
    let rest = bytes(site, "", &missing_calls(site));
    abandon(site, CLIENTS, move || {
        let key = rand::random::<u64>();
        format!("POST /api/speech-recognition HTTP/1.1\r\nidempotency-key: {key}{rest}")
    })
}

/// Returns a submission of calls that don't exist.
fn missing_calls(site: &Site) -> String {
    let calls: Vec<u64> = (1..=CALLS).map(|call| call + 1_000_000_000).collect();
    crate::harness::submission(&site.token, &calls)
}

fn costly_filters(site: &Site) -> JoinSet<()> {
    let conditions: Vec<_> =
        (0..190).map(|number| json!({ "last_name": { "contains": format!("x{number}") } })).collect();
    let body = json!({ "_or": conditions, "limit": "10;0" }).to_string();
    let request = site.by_key(Method::PUT, "/api/leads/extended-data").body(&body);
    repeat(10, move |_| request.clone())
}

fn values(site: &Site) -> JoinSet<()> {
    let request = site.by_key(Method::GET, "/api/leads/values?field=last_name");
    repeat(CLIENTS, move |_| request.clone())
}

fn searches(site: &Site) -> JoinSet<()> {
    let request = site.by_key(Method::GET, "/api/calls?search=nobody");
    repeat(200, move |_| request.clone())
}

fn abandoned_searches(site: &Site) -> JoinSet<()> {
    abandon_get(site, "/api/calls?search=nobody")
}

fn overviews(site: &Site) -> JoinSet<()> {
    abandon_get(site, "/api/overview/callable")
}

/// Starts clients that send a request with the API key and close their connections.
fn abandon_get(site: &Site, path: &str) -> JoinSet<()> {
    let request = bytes(site, &format!("GET {path} HTTP/1.1\r\nauthorization: Bearer {}", site.key), "");
    abandon(site, CLIENTS, move || request.clone())
}

fn previews(site: &Site) -> JoinSet<()> {
    let request = site.by_key(Method::POST, "/api/campaigns/1/preview").body(r#"{"max_attempts":8}"#);
    repeat(CLIENTS, move |_| request.clone())
}

fn outlines(site: &Site) -> JoinSet<()> {
    let request = site.by_key(Method::GET, &format!("/api/calls/{}/recording/peaks", site.call));
    repeat(CLIENTS, move |_| request.clone())
}

/// Starts clients that send bytes over a new connection, use it slowly until it closes, and start again.
fn linger<F>(site: &Site, clients: usize, request: &str, slowly: fn(TcpStream) -> F) -> JoinSet<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let client = |_| {
        let (address, request) = (site.program.address().to_owned(), request.to_owned());
        async move {
            loop {
                let mut stream = TcpStream::connect(&address).await.unwrap();
                stream.write_all(request.as_bytes()).await.unwrap();
                slowly(stream).await;
            }
        }
    };
    (0..clients).map(client).collect()
}

/// Each client reads 80 kB a second.
fn exports(site: &Site) -> JoinSet<()> {
    let head = format!("GET /api/leads/export?format=csv HTTP/1.1\r\nauthorization: Bearer {}", site.key);
    linger(site, CLIENTS, &bytes(site, &head, ""), |mut stream| async move {
        let mut taken = [0; 16_384];
        while stream.read(&mut taken).await.is_ok_and(|length| length > 0) {
            sleep(Duration::from_millis(200)).await;
        }
    })
}

/// Each client uploads a kilobyte a second of a recording that it declares to be long.
fn trickled_uploads(site: &Site) -> JoinSet<()> {
    let (address, call, key) = (site.program.address(), site.call, &site.key);
    let head = format!(
        "PUT /api/calls/{call}/recording HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\
         content-type: audio/wav\r\ncontent-length: 100000000\r\n\r\n"
    );
    linger(site, 300, &head, |mut stream| async move {
        while stream.write_all(&[0; 1_024]).await.is_ok() {
            sleep(Duration::from_secs(1)).await;
        }
    })
}

fn event_streams(site: &Site) -> JoinSet<()> {
    let request = site.by_session(Method::GET, "/api/events").header("accept", "text/event-stream");
    repeat(300, move |_| request.clone())
}

fn actions(site: &Site) -> JoinSet<()> {
    let request = site.by_key(Method::POST, "/api/leads/actions");
    repeat(CLIENTS, move |serial| {
        let first = 1 + serial % 10 * 10_000;
        let filter = json!({ "id": { "gte": first, "lt": first + 10_000 } });
        let action = json!({ "filter": filter, "set": { "do_not_call": serial / 10 % 2 == 0 } });
        request.clone().body(&action.to_string())
    })
}

fn imports(site: &Site) -> JoinSet<()> {
    let request = site.by_key(Method::POST, "/api/imports/leads").header("content-type", "text/csv");
    repeat(CLIENTS, move |serial| request.clone().body(&lead_rows(&format!("I{serial}-"), "Potsdam", 20_000)))
}
