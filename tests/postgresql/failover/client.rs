//! Client for a process whose database may be down.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::harness::ServerProcess;

/// Total and ids of a search.
pub type SearchResult = (u64, Vec<i64>);

/// Client with an admin key. Returns `None` for a 503; the caller retries.
#[derive(Clone)]
pub struct FailoverClient {
    http: reqwest::Client,
    base_url: String,
    key: String,
}

impl FailoverClient {
    pub fn new(process: &ServerProcess, key: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { http, base_url: process.base_url.clone(), key: key.to_owned() }
    }

    /// Returns status and body of the response, or `None` for a 503. Each 5xx must be a 503 with `Retry-After`.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Option<(u16, Value)> {
        self.send_request(path, self.request(method, path, body)).await
    }

    /// Like `send`, for a creation that may be repeated with the same key.
    pub async fn post_with_key(&self, path: &str, body: &Value, idempotency_key: &str) -> Option<(u16, Value)> {
        let request = self.request(Method::POST, path, body).header("idempotency-key", idempotency_key);
        self.send_request(path, request).await
    }

    fn request(&self, method: Method, path: &str, body: &Value) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base_url)).bearer_auth(&self.key).json(body)
    }

    async fn send_request(&self, path: &str, request: RequestBuilder) -> Option<(u16, Value)> {
        let response = request.send().await.expect("the process responds even if its database is down");
        let (status, retry_after) = (response.status().as_u16(), response.headers().contains_key("retry-after"));
        let body: Value = response.json().await.unwrap();
        assert!(status < 500 || status == 503 && retry_after, "{path}: {status} {body}");
        (status != 503).then_some((status, body))
    }

    /// Creates a lead in `city` and returns its id, or `None` if it may not have been created.
    pub async fn create_lead(&self, city: &str) -> Option<i64> {
        let (status, lead) = self.send(Method::POST, "/api/leads", &json!({ "city": city })).await?;
        assert_eq!(status, 201, "{lead}");
        lead["id"].as_i64()
    }

    /// Returns the result of a search, or `None` if it can't be answered now.
    pub async fn search(&self, filter: &Value) -> Option<SearchResult> {
        let (status, response) = self.send(Method::PUT, "/api/leads/extended-data", filter).await?;
        assert_eq!(status, 200, "{response}");
        let ids = response["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect();
        Some((response["total_leads"].as_u64().unwrap(), ids))
    }
}
