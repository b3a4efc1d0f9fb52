//! Clients that use the server as usual while others attack it. Each request must succeed, with the correct response.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::site::{LEADS, Site};
use crate::torture::load::percentile;
use crate::torture::probe::{Answer, Request};

/// Duration of a measurement.
const LENGTH: Duration = Duration::from_secs(15);
/// Pause of each client between a response and the next request.
const PAUSE: Duration = Duration::from_millis(20);
/// The same for the client that writes.
const WRITE_PAUSE: Duration = Duration::from_millis(100);

/// Kinds of requests, with the bound of the 99th percentile of their response times.
pub const KINDS: [(&str, Duration); 5] = [
    ("log-ins", Duration::from_secs(1)),
    ("look-ups", Duration::from_millis(250)),
    ("writes", Duration::from_secs(2)),
    ("look-ups after writes", Duration::from_millis(500)),
    ("health checks", Duration::from_millis(500)),
];

/// Responses to all clients.
#[derive(Debug)]
pub struct Measurement {
    /// 99th percentiles of the response times, in the order of [`KINDS`].
    pub p99: [Duration; KINDS.len()],
    /// Requests that were rejected or answered incorrectly.
    pub failures: Vec<String>,
}

impl Measurement {
    /// True if each kind of request stays within its bound.
    pub fn is_quick(&self) -> bool {
        KINDS.iter().zip(self.p99).all(|((_, bound), p99)| p99 <= *bound)
    }
}

/// Measures all clients at the same time.
pub async fn measure(site: &Site) -> Measurement {
    let (log_ins, look_ups, (writes, look_ups_after_writes), health_checks) =
        tokio::join!(log_in(site), look_up(site), write(site), check_health(site));
    let mut all = [log_ins, look_ups, writes, look_ups_after_writes, health_checks];
    let failures = KINDS
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
        let answer: Answer = request.send().await;
        self.times.push(answer.took);
        if answer.status != expected {
            self.failures.push(format!("{}: {}", answer.status, answer.text()));
            return None;
        }
        Some(serde_json::from_slice(&answer.body).unwrap_or_default())
    }

    /// Returns the 99th percentile of the response times; the length of the measurement if no request was made.
    fn p99(&mut self) -> Duration {
        if self.times.is_empty() { LENGTH } else { percentile(&mut self.times, 0.99) }
    }

    /// Searches leads. The response must contain `total` leads in all and these ones first.
    async fn look_up(&mut self, request: Request, ids: &[i64], total: u32) {
        let Some(page) = self.send(request, StatusCode::OK).await else { return };
        let found: Vec<_> = page["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        if found != ids || page["total_leads"] != total {
            self.failures
                .push(format!("expected leads {ids:?} of {total}, found {found:?} of {}", page["total_leads"]));
        }
    }
}

async fn log_in(site: &Site) -> Responses {
    let (begun, request, mut responses) = (Instant::now(), site.log_in(), Responses::default());
    while begun.elapsed() < LENGTH {
        responses.send(request.clone(), StatusCode::OK).await;
        sleep(PAUSE).await;
    }
    responses
}

async fn look_up(site: &Site) -> Responses {
    let (begun, mut responses) = (Instant::now(), Responses::default());
    let request = site.look_up(&json!({ "city": "Berlin", "limit": "10;0" }));
    let first: Vec<_> = (1..=10).collect();
    while begun.elapsed() < LENGTH {
        responses.look_up(request.clone(), &first, LEADS).await;
        sleep(PAUSE).await;
    }
    responses
}

async fn check_health(site: &Site) -> Responses {
    let (begun, request, mut responses) = (Instant::now(), site.health(), Responses::default());
    while begun.elapsed() < LENGTH {
        responses.send(request.clone(), StatusCode::OK).await;
        sleep(PAUSE).await;
    }
    responses
}

/// Creates leads and changes each of them once. The next search must find the lead with its new city alone. Returns the
/// responses to the writes and to the searches.
async fn write(site: &Site) -> (Responses, Responses) {
    let (begun, mut writes, mut look_ups) = (Instant::now(), Responses::default(), Responses::default());
    while begun.elapsed() < LENGTH {
        let [old, new] = [(); 2].map(|()| format!("city {}", rand::random::<u64>()));
        let [in_old, in_new] = [&old, &new].map(|city| site.look_up(&json!({ "city": city })));
        let lead = writes.send(site.create(&old), StatusCode::CREATED).await;
        if let Some(id) = lead.and_then(|lead| lead["id"].as_i64()) {
            look_ups.look_up(in_old.clone(), &[id], 1).await;
            sleep(WRITE_PAUSE).await;
            if writes.send(site.change(id, &new), StatusCode::OK).await.is_some() {
                look_ups.look_up(in_new, &[id], 1).await;
                look_ups.look_up(in_old, &[], 0).await;
            }
        }
        sleep(WRITE_PAUSE).await;
    }
    (writes, look_ups)
}
