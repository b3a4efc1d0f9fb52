//! Timed requests, from the first byte sent to the last byte received.

use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use tokio::time::sleep;

use crate::harness::ServerProcess;
use crate::torture::load::percentile;

/// Pause of a probe between a response and the next request.
const PROBE_INTERVAL: Duration = Duration::from_millis(20);
/// Time limit for a response. It is far above every bound, so that a trial reports the actual time.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(120);

/// Request that must be answered quickly.
pub struct Probe {
    pub name: &'static str,
    pub request: Request,
}

impl Probe {
    /// Repeats the request sequentially for `duration`, and returns the 99th percentile of the response times.
    pub async fn p99(&self, duration: Duration) -> Duration {
        let (started, mut times) = (Instant::now(), Vec::new());
        while started.elapsed() < duration {
            let response = self.request.clone().send().await;
            assert_eq!(response.status, StatusCode::OK, "{}: {}", self.name, response.text());
            times.push(response.elapsed);
            sleep(PROBE_INTERVAL).await;
        }
        percentile(&mut times, 0.99)
    }
}

/// Repeatable request.
#[derive(Clone)]
pub struct Request {
    http: reqwest::Client,
    method: Method,
    url: String,
    headers: Vec<(&'static str, String)>,
    body: String,
}

/// Complete response.
pub struct TimedResponse {
    pub status: StatusCode,
    pub body: Vec<u8>,
    pub elapsed: Duration,
    headers: HeaderMap,
}

impl Request {
    /// Returns a request without credentials, with its own connections.
    pub fn new(method: Method, program: &ServerProcess, path: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().timeout(RESPONSE_TIMEOUT).build().unwrap();
        Self { http, method, url: format!("{}{path}", program.base_url), headers: Vec::new(), body: String::new() }
    }

    /// Returns a request with an API key.
    pub fn with_key(method: Method, program: &ServerProcess, path: &str, key: &str) -> Self {
        Self::new(method, program, path).header("authorization", &format!("Bearer {key}"))
    }

    /// Returns this request with another method and path. It shares the connections.
    pub fn with_target(self, method: Method, program: &ServerProcess, path: &str) -> Self {
        Self { method, url: format!("{}{path}", program.base_url), ..self }
    }

    /// Adds a header.
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Sets the JSON body.
    pub fn body(mut self, body: &str) -> Self {
        body.clone_into(&mut self.body);
        self
    }

    /// Sends the request and reads the complete response.
    pub async fn send(self) -> TimedResponse {
        let mut request = self.http.request(self.method, &self.url);
        if !self.body.is_empty() && !self.headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        if !self.body.is_empty() {
            request = request.body(self.body);
        }
        let started = Instant::now();
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.bytes().await.unwrap().to_vec();
        TimedResponse { status, headers, body, elapsed: started.elapsed() }
    }
}

impl TimedResponse {
    /// Returns the value of `Retry-After`, if present.
    pub fn retry_after(&self) -> Option<Duration> {
        let seconds = self.headers.get("retry-after")?.to_str().unwrap().parse().unwrap();
        Some(Duration::from_secs(seconds))
    }

    /// Returns the value of `Retry-After`; panics unless the response is a 503 with that header.
    #[track_caller]
    pub fn expect_retry_after(&self) -> Duration {
        assert_eq!(self.status, StatusCode::SERVICE_UNAVAILABLE, "{}", self.text());
        self.retry_after().expect("Retry-After")
    }

    /// Returns the body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}
