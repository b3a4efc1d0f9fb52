//! Clients that use the server as usual while others attack it. Each request must succeed, with the correct response.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::site::{AttackedServer, LEAD_COUNT};
use crate::torture::load::percentile;
use crate::torture::timed_requests::{Request, TimedResponse};

const MEASUREMENT_DURATION: Duration = Duration::from_secs(15);
/// Pause of each client between a response and the next request.
const REQUEST_PAUSE: Duration = Duration::from_millis(20);
/// The same for the client that writes.
const WRITE_PAUSE: Duration = Duration::from_millis(100);

/// Kinds of requests, with the bound of the 99th percentile of their response times.
pub const REQUEST_KINDS: [(&str, Duration); 6] = [
    ("logins", Duration::from_secs(1)),
    ("lookups", Duration::from_millis(250)),
    ("writes", Duration::from_secs(2)),
    ("lookups after writes", Duration::from_millis(500)),
    ("single leads", Duration::from_millis(500)),
    ("health checks", Duration::from_millis(500)),
];

/// Responses to all clients.
#[derive(Debug)]
pub struct Measurement {
    /// 99th percentiles of the response times, in the order of [`REQUEST_KINDS`].
    pub p99: [Duration; REQUEST_KINDS.len()],
    /// Requests that were rejected or answered incorrectly.
    pub failures: Vec<String>,
}

impl Measurement {
    /// True if each kind of request stays within its bound.
    pub fn is_within_bounds(&self) -> bool {
        REQUEST_KINDS.iter().zip(self.p99).all(|((_, bound), p99)| p99 <= *bound)
    }
}

/// Measures all clients at the same time.
pub async fn measure(site: &AttackedServer) -> Measurement {
    let (logins, searches, (writes, searches_after_writes), single_leads, health_checks) = tokio::join!(
        repeat(site.bystander_login()),
        search_leads(site),
        write_leads(site),
        repeat(site.single_lead()),
        repeat(site.health_check())
    );
    let mut all = [logins, searches, writes, searches_after_writes, single_leads, health_checks];
    let failures = REQUEST_KINDS
        .iter()
        .zip(&all)
        .flat_map(|((kind, _), responses)| responses.failures.iter().map(move |failure| format!("{kind}: {failure}")));
    let failures = failures.collect();
    Measurement { failures, p99: all.each_mut().map(Responses::p99) }
}

/// Responses to one kind of request.
#[derive(Default)]
struct Responses {
    times: Vec<Duration>,
    failures: Vec<String>,
}

impl Responses {
    /// Sends a request. Returns the response's body; any other status than `expected` is a failure.
    async fn send(&mut self, request: Request, expected: StatusCode) -> Option<Value> {
        let response: TimedResponse = request.send().await;
        self.times.push(response.elapsed);
        if response.status != expected {
            self.failures.push(format!("{}: {}", response.status, response.text()));
            return None;
        }
        Some(serde_json::from_slice(&response.body).unwrap_or_default())
    }

    /// Returns the 99th percentile of the response times; the length of the measurement if no request was made.
    fn p99(&mut self) -> Duration {
        if self.times.is_empty() { MEASUREMENT_DURATION } else { percentile(&mut self.times, 0.99) }
    }

    /// Searches leads. The response must begin with these leads and report `total` matches.
    async fn search(&mut self, request: Request, ids: &[i64], total: u32) {
        let Some(page) = self.send(request, StatusCode::OK).await else { return };
        let found_ids: Vec<_> =
            page["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        if found_ids != ids || page["total_leads"] != total {
            self.failures
                .push(format!("expected leads {ids:?} of {total}, found {found_ids:?} of {}", page["total_leads"]));
        }
    }
}

async fn repeat(request: Request) -> Responses {
    let (started, mut responses) = (Instant::now(), Responses::default());
    while started.elapsed() < MEASUREMENT_DURATION {
        responses.send(request.clone(), StatusCode::OK).await;
        sleep(REQUEST_PAUSE).await;
    }
    responses
}

async fn search_leads(site: &AttackedServer) -> Responses {
    let (started, mut responses) = (Instant::now(), Responses::default());
    let request = site.bystander_search(&json!({ "city": "Berlin", "limit": "10;0" }));
    let first_ids: Vec<_> = (1..=10).collect();
    while started.elapsed() < MEASUREMENT_DURATION {
        responses.search(request.clone(), &first_ids, LEAD_COUNT).await;
        sleep(REQUEST_PAUSE).await;
    }
    responses
}

/// Creates leads and changes each of them once. A search for the new city must then find only this lead. Returns the
/// responses to the writes and to the searches.
async fn write_leads(site: &AttackedServer) -> (Responses, Responses) {
    let (started, mut writes, mut searches) = (Instant::now(), Responses::default(), Responses::default());
    while started.elapsed() < MEASUREMENT_DURATION {
        let [old, new] = [(); 2].map(|()| format!("city {}", rand::random::<u64>()));
        let [in_old, in_new] = [&old, &new].map(|city| site.bystander_search(&json!({ "city": city })));
        let lead = writes.send(site.create_lead(&old), StatusCode::CREATED).await;
        if let Some(id) = lead.and_then(|lead| lead["id"].as_i64()) {
            searches.search(in_old.clone(), &[id], 1).await;
            sleep(WRITE_PAUSE).await;
            if writes.send(site.change_lead(id, &new), StatusCode::OK).await.is_some() {
                searches.search(in_new, &[id], 1).await;
                searches.search(in_old, &[], 0).await;
            }
        }
        sleep(WRITE_PAUSE).await;
    }
    (writes, searches)
}
