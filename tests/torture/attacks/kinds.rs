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

use super::site::{AttackedServer, lead_rows};
use super::{Attack, MAX_ADDED_DISK_BYTES, MAX_ADDED_DISK_BYTES_WHEN_STORING};
use crate::harness::PASSWORD;
use crate::torture::timed_requests::Request;

/// Clients per attack with one credential.
const CLIENT_COUNT: usize = 32;
/// Clients that log in and disconnect immediately.
const ABANDONING_CLIENTS: usize = 100;
/// Pause before reconnecting, so that opening connections doesn't use up the machine.
const RECONNECT_DELAY: Duration = Duration::from_millis(50);
/// Orders deliveries.
const SEARCHES_PATH: &str = "/api/speech-recognition/searches";
/// Length of a delivery template in characters.
const TEMPLATE_LENGTH: usize = 12_000;
/// Number of calls per submission.
const CALLS_PER_SUBMISSION: u64 = 1_000;

pub const ATTACKS: [Attack; 20] = [
    Attack {
        name: "logins of clients that disconnect immediately",
        start: abandoned_logins,
        max_added_disk_bytes: MAX_ADDED_DISK_BYTES,
    },
    Attack { name: "12 long new passwords at once", start: long_passwords, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "endless deliveries", start: deliveries, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack {
        name: "deliveries of clients that disconnect immediately",
        start: abandoned_deliveries,
        max_added_disk_bytes: MAX_ADDED_DISK_BYTES,
    },
    Attack { name: "skipped calls under new keys", start: skipped_calls, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack {
        name: "skipped calls of clients that disconnect immediately",
        start: abandoned_skipped_calls,
        max_added_disk_bytes: MAX_ADDED_DISK_BYTES,
    },
    Attack { name: "ten filters of 190 contains", start: costly_filters, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "values of a field", start: values, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "searches through 100,000 calls", start: searches, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack {
        name: "searches of clients that disconnect immediately",
        start: abandoned_searches,
        max_added_disk_bytes: MAX_ADDED_DISK_BYTES,
    },
    Attack {
        name: "overviews of clients that disconnect immediately",
        start: overviews,
        max_added_disk_bytes: MAX_ADDED_DISK_BYTES,
    },
    Attack { name: "campaign previews", start: previews, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "waveforms of recordings", start: waveforms, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "exports that are read slowly", start: exports, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "slow uploads", start: trickled_uploads, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "event streams", start: event_streams, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "changes that are read slowly", start: changes, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "dry runs on 10,000 leads", start: dry_runs, max_added_disk_bytes: MAX_ADDED_DISK_BYTES },
    Attack { name: "actions on 10,000 leads", start: actions, max_added_disk_bytes: MAX_ADDED_DISK_BYTES_WHEN_STORING },
    Attack { name: "imports of 20,000 leads", start: imports, max_added_disk_bytes: MAX_ADDED_DISK_BYTES_WHEN_STORING },
];

/// Starts clients that repeat a request. Rejections must have a `Retry-After`, which the attackers ignore.
fn spawn_repeating(clients: usize, request: impl Fn(usize) -> Request + Clone + Send + 'static) -> JoinSet<()> {
    let serial = Arc::new(AtomicUsize::new(0));
    let run_client = |_| {
        let (request, serial) = (request.clone(), serial.clone());
        async move {
            loop {
                let response = request(serial.fetch_add(1, Ordering::SeqCst)).send().await;
                match response.status {
                    StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                        assert!(response.retry_after().is_some(), "{}", response.text());
                        sleep(RECONNECT_DELAY).await;
                    }
                    status => assert!(status.as_u16() < 500, "{}", response.text()),
                }
            }
        }
    };
    (0..clients).map(run_client).collect()
}

/// Starts clients that send bytes over a new connection, wait briefly and close it.
fn spawn_abandoning(
    server: &AttackedServer,
    clients: usize,
    request: impl Fn() -> String + Clone + Send + 'static,
) -> JoinSet<()> {
    let address = server.process.address().to_owned();
    let run_client = |_| {
        let (address, request) = (address.clone(), request.clone());
        async move {
            loop {
                if let Ok(mut stream) = TcpStream::connect(&address).await {
                    let _ = stream.write_all(request().as_bytes()).await;
                    // Time for the server to read it.
                    sleep(Duration::from_millis(5)).await;
                }
                sleep(RECONNECT_DELAY).await;
            }
        }
    };
    (0..clients).map(run_client).collect()
}

/// Returns a request as bytes.
fn raw_request(server: &AttackedServer, head: &str, body: &str) -> String {
    let (address, length) = (server.process.address(), body.len());
    format!("{head}\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
}

fn abandoned_logins(server: &AttackedServer) -> JoinSet<()> {
    let body = json!({ "email": "nobody@example.com", "password": PASSWORD }).to_string();
    let request = raw_request(server, "POST /api/session HTTP/1.1", &body);
    spawn_abandoning(server, ABANDONING_CLIENTS, move || request.clone())
}

fn long_passwords(server: &AttackedServer) -> JoinSet<()> {
    // Each character replaces several letters, so that the strength check tries many words.
    let password: String = "4@8({[<6+9!|1$5%7".chars().cycle().take(256).collect();
    let body = json!({ "current_password": "not the password", "password": password }).to_string();
    let request = server.attacker_request_with_session(Method::PUT, "/api/session/password").body(&body);
    spawn_repeating(12, move |_| request.clone())
}

fn deliveries(server: &AttackedServer) -> JoinSet<()> {
    let request = server.attacker_request_with_token(Method::POST, SEARCHES_PATH).body(&delivery_order(server));
    spawn_repeating(CLIENT_COUNT, move |_| request.clone())
}

fn abandoned_deliveries(server: &AttackedServer) -> JoinSet<()> {
    let head = format!("POST {SEARCHES_PATH} HTTP/1.1\r\nx-speech-token: {}", server.token);
    let request = raw_request(server, &head, &delivery_order(server));
    spawn_abandoning(server, CLIENT_COUNT, move || request.clone())
}

/// Returns a search whose results are delivered with a large template.
fn delivery_order(server: &AttackedServer) -> String {
    let template = json!({ "call": "{call_id}", "about": "x".repeat(TEMPLATE_LENGTH) }).to_string();
    json!({ "callback_url": server.endpoint.url, "callback_data": template }).to_string()
}

fn skipped_calls(server: &AttackedServer) -> JoinSet<()> {
    let body = missing_calls(server);
    let request = Request::new(Method::POST, &server.process, "/api/speech-recognition").body(&body);
    spawn_repeating(CLIENT_COUNT, move |_| {
        request.clone().header("idempotency-key", &rand::random::<u64>().to_string())
    })
}

fn abandoned_skipped_calls(server: &AttackedServer) -> JoinSet<()> {
    let request_tail = raw_request(server, "", &missing_calls(server));
    spawn_abandoning(server, CLIENT_COUNT, move || {
        let key = rand::random::<u64>();
        format!("POST /api/speech-recognition HTTP/1.1\r\nidempotency-key: {key}{request_tail}")
    })
}

/// Returns a submission of calls that don't exist.
fn missing_calls(server: &AttackedServer) -> String {
    let calls: Vec<u64> = (1..=CALLS_PER_SUBMISSION).map(|call| call + 1_000_000_000).collect();
    crate::harness::submission_body(&server.token, &calls)
}

fn costly_filters(server: &AttackedServer) -> JoinSet<()> {
    let conditions: Vec<_> =
        (0..190).map(|number| json!({ "last_name": { "contains": format!("x{number}") } })).collect();
    let body = json!({ "_or": conditions, "limit": "10;0" }).to_string();
    let request = server.attacker_request_with_key(Method::PUT, "/api/leads/extended-data").body(&body);
    spawn_repeating(10, move |_| request.clone())
}

fn values(server: &AttackedServer) -> JoinSet<()> {
    let request = server.attacker_request_with_key(Method::GET, "/api/leads/values?field=last_name");
    spawn_repeating(CLIENT_COUNT, move |_| request.clone())
}

fn searches(server: &AttackedServer) -> JoinSet<()> {
    let request = server.attacker_request_with_key(Method::GET, "/api/calls?search=nobody");
    spawn_repeating(200, move |_| request.clone())
}

fn abandoned_searches(server: &AttackedServer) -> JoinSet<()> {
    spawn_abandoning_gets(server, "/api/calls?search=nobody")
}

fn overviews(server: &AttackedServer) -> JoinSet<()> {
    spawn_abandoning_gets(server, "/api/overview/callable")
}

/// Starts clients that send a request with the API key and close their connections.
fn spawn_abandoning_gets(server: &AttackedServer, path: &str) -> JoinSet<()> {
    let request = raw_request(server, &format!("GET {path} HTTP/1.1\r\nauthorization: Bearer {}", server.key), "");
    spawn_abandoning(server, CLIENT_COUNT, move || request.clone())
}

fn previews(server: &AttackedServer) -> JoinSet<()> {
    let request =
        server.attacker_request_with_key(Method::POST, "/api/campaigns/1/preview").body(r#"{"max_attempts":8}"#);
    spawn_repeating(CLIENT_COUNT, move |_| request.clone())
}

fn waveforms(server: &AttackedServer) -> JoinSet<()> {
    let request = server.attacker_request_with_key(Method::GET, &format!("/api/calls/{}/recording/peaks", server.call));
    spawn_repeating(CLIENT_COUNT, move |_| request.clone())
}

/// Starts clients that send bytes over a new connection, use it slowly until it closes, and start again.
fn spawn_lingering<F>(
    server: &AttackedServer,
    clients: usize,
    request: &str,
    use_slowly: fn(TcpStream) -> F,
) -> JoinSet<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let run_client = |_| {
        let (address, request) = (server.process.address().to_owned(), request.to_owned());
        async move {
            loop {
                let mut stream = TcpStream::connect(&address).await.unwrap();
                stream.write_all(request.as_bytes()).await.unwrap();
                use_slowly(stream).await;
            }
        }
    };
    (0..clients).map(run_client).collect()
}

fn exports(server: &AttackedServer) -> JoinSet<()> {
    spawn_slow_readers(server, "GET /api/leads/export?format=csv HTTP/1.1")
}

fn changes(server: &AttackedServer) -> JoinSet<()> {
    spawn_slow_readers(server, "GET /api/changes?limit=1000 HTTP/1.1\r\naccept: text/event-stream")
}

/// Starts clients with the API key that read 80 kB a second each.
fn spawn_slow_readers(server: &AttackedServer, head: &str) -> JoinSet<()> {
    let head = format!("{head}\r\nauthorization: Bearer {}", server.key);
    spawn_lingering(server, CLIENT_COUNT, &raw_request(server, &head, ""), |mut stream| async move {
        let mut buffer = [0; 16_384];
        while stream.read(&mut buffer).await.is_ok_and(|length| length > 0) {
            sleep(Duration::from_millis(200)).await;
        }
    })
}

/// Each client uploads a kilobyte a second of a recording that it declares to be long.
fn trickled_uploads(server: &AttackedServer) -> JoinSet<()> {
    let (address, call, key) = (server.process.address(), server.call, &server.key);
    let head = format!(
        "PUT /api/calls/{call}/recording HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\
         content-type: audio/wav\r\ncontent-length: 100000000\r\n\r\n"
    );
    spawn_lingering(server, 300, &head, |mut stream| async move {
        while stream.write_all(&[0; 1_024]).await.is_ok() {
            sleep(Duration::from_secs(1)).await;
        }
    })
}

fn event_streams(server: &AttackedServer) -> JoinSet<()> {
    let request =
        server.attacker_request_with_session(Method::GET, "/api/events").header("accept", "text/event-stream");
    spawn_repeating(300, move |_| request.clone())
}

fn dry_runs(server: &AttackedServer) -> JoinSet<()> {
    repeat_action(server, "/api/leads/actions?dry_run=true")
}

fn actions(server: &AttackedServer) -> JoinSet<()> {
    repeat_action(server, "/api/leads/actions")
}

/// Starts clients that repeat an action on 10,000 leads.
fn repeat_action(server: &AttackedServer, path: &str) -> JoinSet<()> {
    let request = server.attacker_request_with_key(Method::POST, path);
    spawn_repeating(CLIENT_COUNT, move |serial| {
        let first = 1 + serial % 10 * 10_000;
        let filter = json!({ "id": { "gte": first, "lt": first + 10_000 } });
        let action = json!({ "filter": filter, "set": { "do_not_call": serial / 10 % 2 == 0 } });
        request.clone().body(&action.to_string())
    })
}

fn imports(server: &AttackedServer) -> JoinSet<()> {
    let request =
        server.attacker_request_with_key(Method::POST, "/api/imports/leads").header("content-type", "text/csv");
    spawn_repeating(CLIENT_COUNT, move |serial| {
        request.clone().body(&lead_rows(&format!("I{serial}-"), "Potsdam", 20_000))
    })
}
