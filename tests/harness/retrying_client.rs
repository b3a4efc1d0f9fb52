//! Clients that retry after a 503, as documented, and record which requests succeeded.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Client, body, submission_body, submission_outcome};

const SEARCH_PATH: &str = "/api/leads/extended-data";

/// Pause of a client between two submissions or searches, long enough for a worker to keep up.
const REQUEST_INTERVAL: Duration = Duration::from_millis(200);

/// Results that the clients observed.
#[derive(Default)]
pub struct LoadStats {
    /// Successful writes, by process.
    pub successful_writes: [AtomicU64; 2],
    /// Responses that report the store as unavailable.
    pub unavailable_responses: AtomicU64,
    /// Set when the load ends.
    pub is_finished: AtomicBool,
}

/// Client that retries after a 503, as documented.
#[derive(Clone)]
pub struct RetryingClient {
    pub http: reqwest::Client,
    pub base: String,
    pub process_index: usize,
    pub key: String,
    pub stats: Arc<LoadStats>,
}

impl RetryingClient {
    /// Retries a request until it succeeds. Returns `None` if the load ends first. Only creations use
    /// `idempotency_key`.
    pub async fn send(&self, method: Method, path: &str, body: &str, idempotency_key: &str) -> Option<Value> {
        while !self.stats.is_finished.load(Ordering::SeqCst) {
            let request = self.http.request(method.clone(), format!("{}{path}", self.base)).bearer_auth(&self.key);
            let request = request.header("idempotency-key", idempotency_key).header("content-type", "application/json");
            let response = request.body(body.to_owned()).send().await;
            let response = response.expect("the process responds even if its database is down");
            let status = response.status();
            let header_value =
                |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
            let (retry_after, content_type) = (header_value("retry-after"), header_value("content-type"));
            let response: Value = response.json().await.unwrap();
            if status.is_success() {
                if path != SEARCH_PATH {
                    self.stats.successful_writes[self.process_index].fetch_add(1, Ordering::SeqCst);
                }
                return Some(response);
            }
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{method} {path}: {response}");
            assert!(retry_after.is_some() && content_type.as_deref() == Some("application/problem+json"), "{response}");
            self.stats.unavailable_responses.fetch_add(1, Ordering::SeqCst);
            // Shorter than `Retry-After`, to keep the test fast.
            sleep(Duration::from_millis(50)).await;
        }
        None
    }
}

/// Searches leads. Checks that each response is a consistent snapshot.
pub async fn search_leads(client: RetryingClient) {
    let query = body(json!({ "id": { "gte": 1 }, "limit": "10;0" }));
    while let Some(response) = client.send(Method::PUT, SEARCH_PATH, &query, "lookup").await {
        let (leads, total) =
            (response["leads"].as_array().unwrap().len() as u64, response["total_leads"].as_u64().unwrap());
        assert_eq!(leads, total.min(10), "{response}");
        sleep(REQUEST_INTERVAL).await;
    }
}

/// Submits calls one by one; returns those that were accepted.
pub async fn submit_calls(client: RetryingClient, token: String, calls: RangeInclusive<u64>) -> Vec<u64> {
    let mut accepted = Vec::new();
    for call in calls {
        let (body, key) = (submission_body(&token, &[call]), format!("call-{call}"));
        let Some(answer) = client.send(Method::POST, "/api/speech-recognition", &body, &key).await else { break };
        // Also holds if the first attempt succeeded and its response was lost: the response is replayed under its key.
        assert_eq!(submission_outcome(&answer, call), "accepted", "{answer}");
        accepted.push(call);
        sleep(REQUEST_INTERVAL).await;
    }
    accepted
}

/// Expected state of a lead.
#[derive(Debug)]
pub struct ExpectedLead {
    id: i64,
    identifier: String,
    /// Last value whose change was acknowledged.
    acknowledged_zip: u64,
    /// Last value that was sent. It may be stored even if its response was lost.
    sent_zip: u64,
}

impl ExpectedLead {
    /// Checks that the lead has this state.
    pub async fn assert_stored(&self, client: &Client) {
        let lead = client.get(&format!("/api/leads/{}", self.id)).await.expect(200);
        assert_eq!(lead["original_identifier"], self.identifier);
        let stored: u64 = lead["zip"].as_str().unwrap().parse().unwrap();
        assert!((self.acknowledged_zip..=self.sent_zip).contains(&stored), "{stored} of {self:?}");
    }
}

/// Creates leads and changes each a few times.
pub async fn write_leads(client: RetryingClient, writer_number: u64) -> Vec<ExpectedLead> {
    let mut leads = Vec::new();
    for serial in 0.. {
        let identifier = format!("writer-{writer_number}-lead-{serial}");
        let new_lead = body(json!({ "original_identifier": identifier, "zip": "0" }));
        let Some(lead) = client.send(Method::POST, "/api/leads", &new_lead, &identifier).await else { break };
        let mut expected =
            ExpectedLead { id: lead["id"].as_i64().unwrap(), identifier, acknowledged_zip: 0, sent_zip: 0 };
        let path = format!("/api/leads/{}", expected.id);
        for zip in 1..=5 {
            expected.sent_zip = zip;
            let change = body(json!({ "zip": zip.to_string() }));
            if client.send(Method::PATCH, &path, &change, &path).await.is_some() {
                expected.acknowledged_zip = zip;
            }
        }
        leads.push(expected);
    }
    leads
}
