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
/// Length of a delivery template in characters, the most that fits in a URL, and number of calls per submission.
const TEMPLATE_LENGTH: usize = 12_000;
const CALLS_PER_SUBMISSION: u64 = 1_000;

pub const ATTACKS: [Attack; 18] = [
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
    site: &AttackedServer,
    clients: usize,
    request: impl Fn() -> String + Clone + Send + 'static,
) -> JoinSet<()> {
    let address = site.process.address().to_owned();
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
fn raw_request(site: &AttackedServer, head: &str, body: &str) -> String {
    let (address, length) = (site.process.address(), body.len());
    format!("{head}\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
}

fn abandoned_logins(site: &AttackedServer) -> JoinSet<()> {
    let body = json!({ "email": "nobody@example.com", "password": PASSWORD }).to_string();
    let request = raw_request(site, "POST /api/session HTTP/1.1", &body);
    spawn_abandoning(site, ABANDONING_CLIENTS, move || request.clone())
}

fn long_passwords(site: &AttackedServer) -> JoinSet<()> {
    // Each character replaces several letters, so that the strength check tries many words.
    let password: String = "4@8({[<6+9!|1$5%7".chars().cycle().take(256).collect();
    let body = json!({ "current_password": "not the password", "password": password }).to_string();
    let request = site.attacker_request_with_session(Method::PUT, "/api/session/password").body(&body);
    spawn_repeating(12, move |_| request.clone())
}

fn deliveries(site: &AttackedServer) -> JoinSet<()> {
    let request = site.attacker_request_with_token(Method::GET, &delivery_path(site));
    spawn_repeating(CLIENT_COUNT, move |_| request.clone())
}

fn abandoned_deliveries(site: &AttackedServer) -> JoinSet<()> {
    let head = format!("GET {} HTTP/1.1\r\nx-speech-token: {}", delivery_path(site), site.token);
    let request = raw_request(site, &head, "");
    spawn_abandoning(site, CLIENT_COUNT, move || request.clone())
}

/// Returns the path and query that request a delivery with a large template.
fn delivery_path(site: &AttackedServer) -> String {
    let template = json!({ "call": "{call_id}", "about": "x".repeat(TEMPLATE_LENGTH) }).to_string();
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("callback_url", &site.endpoint.url).append_pair("callback_data", &template);
    format!("/api/speech-recognition?{}", query.finish())
}

fn skipped_calls(site: &AttackedServer) -> JoinSet<()> {
    let body = missing_calls(site);
    let request = Request::new(Method::POST, &site.process, "/api/speech-recognition").body(&body);
    spawn_repeating(CLIENT_COUNT, move |_| {
        request.clone().header("idempotency-key", &rand::random::<u64>().to_string())
    })
}

fn abandoned_skipped_calls(site: &AttackedServer) -> JoinSet<()> {
    let request_tail = raw_request(site, "", &missing_calls(site));
    spawn_abandoning(site, CLIENT_COUNT, move || {
        let key = rand::random::<u64>();
        format!("POST /api/speech-recognition HTTP/1.1\r\nidempotency-key: {key}{request_tail}")
    })
}

/// Returns a submission of calls that don't exist.
fn missing_calls(site: &AttackedServer) -> String {
    let calls: Vec<u64> = (1..=CALLS_PER_SUBMISSION).map(|call| call + 1_000_000_000).collect();
    crate::harness::submission_body(&site.token, &calls)
}

fn costly_filters(site: &AttackedServer) -> JoinSet<()> {
    let conditions: Vec<_> =
        (0..190).map(|number| json!({ "last_name": { "contains": format!("x{number}") } })).collect();
    let body = json!({ "_or": conditions, "limit": "10;0" }).to_string();
    let request = site.attacker_request_with_key(Method::PUT, "/api/leads/extended-data").body(&body);
    spawn_repeating(10, move |_| request.clone())
}

fn values(site: &AttackedServer) -> JoinSet<()> {
    let request = site.attacker_request_with_key(Method::GET, "/api/leads/values?field=last_name");
    spawn_repeating(CLIENT_COUNT, move |_| request.clone())
}

fn searches(site: &AttackedServer) -> JoinSet<()> {
    let request = site.attacker_request_with_key(Method::GET, "/api/calls?search=nobody");
    spawn_repeating(200, move |_| request.clone())
}

fn abandoned_searches(site: &AttackedServer) -> JoinSet<()> {
    spawn_abandoning_gets(site, "/api/calls?search=nobody")
}

fn overviews(site: &AttackedServer) -> JoinSet<()> {
    spawn_abandoning_gets(site, "/api/overview/callable")
}

/// Starts clients that send a request with the API key and close their connections.
fn spawn_abandoning_gets(site: &AttackedServer, path: &str) -> JoinSet<()> {
    let request = raw_request(site, &format!("GET {path} HTTP/1.1\r\nauthorization: Bearer {}", site.key), "");
    spawn_abandoning(site, CLIENT_COUNT, move || request.clone())
}

fn previews(site: &AttackedServer) -> JoinSet<()> {
    let request =
        site.attacker_request_with_key(Method::POST, "/api/campaigns/1/preview").body(r#"{"max_attempts":8}"#);
    spawn_repeating(CLIENT_COUNT, move |_| request.clone())
}

fn waveforms(site: &AttackedServer) -> JoinSet<()> {
    let request = site.attacker_request_with_key(Method::GET, &format!("/api/calls/{}/recording/peaks", site.call));
    spawn_repeating(CLIENT_COUNT, move |_| request.clone())
}

/// Starts clients that send bytes over a new connection, use it slowly until it closes, and start again.
fn spawn_lingering<F>(
    site: &AttackedServer,
    clients: usize,
    request: &str,
    use_slowly: fn(TcpStream) -> F,
) -> JoinSet<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let run_client = |_| {
        let (address, request) = (site.process.address().to_owned(), request.to_owned());
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

/// Each client reads 80 kB a second.
fn exports(site: &AttackedServer) -> JoinSet<()> {
    let head = format!("GET /api/leads/export?format=csv HTTP/1.1\r\nauthorization: Bearer {}", site.key);
    spawn_lingering(site, CLIENT_COUNT, &raw_request(site, &head, ""), |mut stream| async move {
        let mut buffer = [0; 16_384];
        while stream.read(&mut buffer).await.is_ok_and(|length| length > 0) {
            sleep(Duration::from_millis(200)).await;
        }
    })
}

/// Each client uploads a kilobyte a second of a recording that it declares to be long.
fn trickled_uploads(site: &AttackedServer) -> JoinSet<()> {
    let (address, call, key) = (site.process.address(), site.call, &site.key);
    let head = format!(
        "PUT /api/calls/{call}/recording HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\
         content-type: audio/wav\r\ncontent-length: 100000000\r\n\r\n"
    );
    spawn_lingering(site, 300, &head, |mut stream| async move {
        while stream.write_all(&[0; 1_024]).await.is_ok() {
            sleep(Duration::from_secs(1)).await;
        }
    })
}

fn event_streams(site: &AttackedServer) -> JoinSet<()> {
    let request = site.attacker_request_with_session(Method::GET, "/api/events").header("accept", "text/event-stream");
    spawn_repeating(300, move |_| request.clone())
}

fn actions(site: &AttackedServer) -> JoinSet<()> {
    let request = site.attacker_request_with_key(Method::POST, "/api/leads/actions");
    spawn_repeating(CLIENT_COUNT, move |serial| {
        let first = 1 + serial % 10 * 10_000;
        let filter = json!({ "id": { "gte": first, "lt": first + 10_000 } });
        let action = json!({ "filter": filter, "set": { "do_not_call": serial / 10 % 2 == 0 } });
        request.clone().body(&action.to_string())
    })
}

fn imports(site: &AttackedServer) -> JoinSet<()> {
    let request = site.attacker_request_with_key(Method::POST, "/api/imports/leads").header("content-type", "text/csv");
    spawn_repeating(CLIENT_COUNT, move |serial| {
        request.clone().body(&lead_rows(&format!("I{serial}-"), "Potsdam", 20_000))
    })
}
