//! Timed requests, from the first byte sent to the last byte received.

use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use tokio::time::sleep;

use crate::harness::Program;
use crate::torture::load::percentile;

/// Pause of a probe between a response and the next request.
const PAUSE: Duration = Duration::from_millis(20);
/// Time limit for a response. It is far above every bound, so that a trial reports the actual time.
const PATIENCE: Duration = Duration::from_secs(120);

/// Request that must be answered quickly.
pub struct Probe {
    pub name: &'static str,
    pub request: Request,
}

impl Probe {
    /// Repeats the request sequentially for `length`, and returns the 99th percentile of the response times.
    pub async fn p99(&self, length: Duration) -> Duration {
        let (begun, mut times) = (Instant::now(), Vec::new());
        while begun.elapsed() < length {
            let answer = self.request.clone().send().await;
            assert_eq!(answer.status, StatusCode::OK, "{}: {}", self.name, answer.text());
            times.push(answer.took);
            sleep(PAUSE).await;
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
pub struct Answer {
    pub status: StatusCode,
    pub body: Vec<u8>,
    pub took: Duration,
    headers: HeaderMap,
}

impl Request {
    /// Returns a request without credentials, with its own connections.
    pub fn new(method: Method, program: &Program, path: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().unwrap();
        Self { http, method, url: format!("{}{path}", program.base), headers: Vec::new(), body: String::new() }
    }

    /// Returns a request with an API key.
    pub fn with_key(method: Method, program: &Program, path: &str, key: &str) -> Self {
        Self::new(method, program, path).header("authorization", &format!("Bearer {key}"))
    }

    /// Returns this request with another method and path. It shares the connections.
    pub fn to(self, method: Method, program: &Program, path: &str) -> Self {
        Self { method, url: format!("{}{path}", program.base), ..self }
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
    pub async fn send(self) -> Answer {
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
        let begun = Instant::now();
        let answer = request.send().await.unwrap();
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.unwrap().to_vec();
        Answer { status, headers, body, took: begun.elapsed() }
    }
}

impl Answer {
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
