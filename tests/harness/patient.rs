//! Clients that retry after a 503, as documented, and record which requests succeeded.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Client, body, submission, verdict};

const LOOK_UP: &str = "/api/leads/extended-data";

/// Pause between two submissions of a client, long enough for a worker to keep up.
const PAUSE: Duration = Duration::from_millis(200);

/// Results that the clients observed.
#[derive(Default)]
pub struct Seen {
    /// Successful writes, by process.
    pub done: [AtomicU64; 2],
    /// Responses that report the store as unavailable.
    pub unavailable: AtomicU64,
    /// Set when the load ends.
    pub over: AtomicBool,
}

/// Client that retries after a 503, as documented.
#[derive(Clone)]
pub struct Patient {
    pub http: reqwest::Client,
    pub base: String,
    pub process: usize,
    pub key: String,
    pub seen: Arc<Seen>,
}

impl Patient {
    /// Retries a request until it succeeds. Returns `None` if the load ends first. Only submissions use
    /// `idempotency_key`.
    pub async fn send(&self, method: Method, path: &str, body: &str, idempotency_key: &str) -> Option<Value> {
        while !self.seen.over.load(Ordering::SeqCst) {
            let request = self.http.request(method.clone(), format!("{}{path}", self.base)).bearer_auth(&self.key);
            let request = request.header("idempotency-key", idempotency_key).header("content-type", "application/json");
            let answer = request.body(body.to_owned()).send().await;
            let answer = answer.expect("the process answers, whatever becomes of its database");
            let status = answer.status();
            let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
            let (retry_after, kind) = (header("retry-after"), header("content-type"));
            let answer: Value = answer.json().await.unwrap();
            if status.is_success() {
                if path != LOOK_UP {
                    self.seen.done[self.process].fetch_add(1, Ordering::SeqCst);
                }
                return Some(answer);
            }
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{method} {path}: {answer}");
            assert!(retry_after.is_some() && kind.as_deref() == Some("application/problem+json"), "{answer}");
            self.seen.unavailable.fetch_add(1, Ordering::SeqCst);
            // Shorter than `Retry-After`, to keep the test fast.
            sleep(Duration::from_millis(50)).await;
        }
        None
    }
}

/// Searches leads. Checks that each response is a consistent snapshot.
pub async fn look_up(client: Patient) {
    let newest = body(json!({ "id": { "gte": 1 }, "limit": "10;0" }));
    while let Some(answer) = client.send(Method::PUT, LOOK_UP, &newest, "look-up").await {
        let (leads, total) =
            (answer["leads"].as_array().unwrap().len() as u64, answer["total_leads"].as_u64().unwrap());
        assert_eq!(leads, total.min(10), "{answer}");
        sleep(PAUSE).await;
    }
}

/// Submits calls one by one; returns those that were accepted.
pub async fn send_calls(client: Patient, token: String, calls: RangeInclusive<u64>) -> Vec<u64> {
    let mut accepted = Vec::new();
    for call in calls {
        let (body, key) = (submission(&token, &[call]), format!("call-{call}"));
        let Some(answer) = client.send(Method::POST, "/api/speech-recognition", &body, &key).await else { break };
        // Also holds if the first attempt succeeded and its response was lost: the response is replayed under its key.
        assert_eq!(verdict(&answer, call), "accepted", "{answer}");
        accepted.push(call);
        sleep(PAUSE).await;
    }
    accepted
}

/// Expected state of a lead.
#[derive(Debug)]
pub struct Written {
    id: i64,
    identifier: String,
    /// Last value whose change was acknowledged.
    acknowledged: u64,
    /// Last value that was sent. It may be stored even if its response was lost.
    sent: u64,
}

impl Written {
    /// Checks that the lead has this state.
    pub async fn expect_kept(&self, client: &Client) {
        let lead = client.get(&format!("/api/leads/{}", self.id)).await.expect(200);
        assert_eq!(lead["original_identifier"], self.identifier);
        let kept: u64 = lead["zip"].as_str().unwrap().parse().unwrap();
        assert!((self.acknowledged..=self.sent).contains(&kept), "{kept} of {self:?}");
    }
}

/// Creates leads and changes each a few times.
pub async fn write_leads(client: Patient, number: u64) -> Vec<Written> {
    let mut all = Vec::new();
    for serial in 0.. {
        let identifier = format!("writer {number}, lead {serial}");
        let new = body(json!({ "original_identifier": identifier, "zip": "0" }));
        let Some(lead) = client.send(Method::POST, "/api/leads", &new, &identifier).await else { break };
        let mut written = Written { id: lead["id"].as_i64().unwrap(), identifier, acknowledged: 0, sent: 0 };
        let path = format!("/api/leads/{}", written.id);
        for zip in 1..=5 {
            written.sent = zip;
            let change = body(json!({ "zip": zip.to_string() }));
            if client.send(Method::PATCH, &path, &change, &path).await.is_some() {
                written.acknowledged = zip;
            }
        }
        all.push(written);
    }
    all
}
