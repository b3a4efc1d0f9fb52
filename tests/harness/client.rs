//! HTTP client that checks that every error response is a complete problem document.

use std::fmt::Display;
use std::time::Duration;

use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::EventStream;

/// HTTP client for one server, with one identity.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    headers: HeaderMap,
}

/// Response of the server.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Returns a value as a JSON request body.
pub fn body(value: impl Into<Value>) -> String {
    value.into().to_string()
}

impl Client {
    /// Returns a client without credentials for the server at `base`.
    pub fn anonymous(base: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { http, base: base.to_owned(), headers: HeaderMap::new() }
    }

    /// Returns a client without credentials for a server that speaks TLS. It trusts only certificates signed by
    /// `authority` (PEM). Each request opens its own connection.
    pub fn anonymous_over_tls(base: &str, authority: &str) -> Self {
        let authority = reqwest::Certificate::from_pem(authority.as_bytes()).unwrap();
        let http = reqwest::Client::builder().no_proxy().tls_certs_only([authority]).pool_max_idle_per_host(0);
        Self { http: http.build().unwrap(), base: base.to_owned(), headers: HeaderMap::new() }
    }

    /// Returns the `Authorization` header that carries the key.
    pub fn authorization(&self) -> &str {
        self.headers["authorization"].to_str().unwrap()
    }

    /// Returns the status of a GET response without checking it.
    pub async fn status(&self, path: &str) -> u16 {
        let request = self.http.get(format!("{}{path}", self.base)).headers(self.headers.clone());
        request.send().await.unwrap().status().as_u16()
    }

    /// True if the server answers with a success status.
    pub async fn is_reachable(&self, path: &str) -> bool {
        self.http.get(format!("{}{path}", self.base)).send().await.is_ok_and(|response| response.status().is_success())
    }

    /// Returns a copy of this client that sends an API key.
    pub fn with_key(&self, key: &str) -> Self {
        self.with_header("authorization", &format!("Bearer {key}"))
    }

    /// Returns a copy of this client that sends a header with every request.
    pub fn with_header(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        let name: HeaderName = name.parse().unwrap();
        client.headers.insert(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        client
    }

    /// Creates a resource and returns its id.
    pub async fn create(&self, path: &str, request: Value) -> i64 {
        self.post(path, body(request)).await.expect(201)["id"].as_i64().unwrap()
    }

    /// Creates an inbound call and returns its id.
    pub async fn create_call(&self) -> i64 {
        self.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await
    }

    /// Creates an inbound call with a recording and returns its id.
    pub async fn create_recorded_call(&self, recording: impl Into<Vec<u8>>) -> i64 {
        let call = self.create_call().await;
        self.upload_recording(call, recording).await;
        call
    }

    pub async fn upload_recording(&self, call: impl Display, recording: impl Into<Vec<u8>>) {
        let audio = self.with_header("content-type", "audio/wav");
        audio.put(&format!("/api/calls/{call}/recording"), recording).await.expect(200);
    }

    /// Returns the page of leads that match a filter.
    pub async fn search_leads(&self, filter: Value) -> Value {
        self.put("/api/leads/extended-data", body(filter)).await.expect(200)
    }

    /// Returns the ids of the leads on the page that matches a filter.
    pub async fn matching_ids(&self, filter: Value) -> Vec<i64> {
        let page = self.search_leads(filter).await;
        page["leads"].as_array().unwrap().iter().map(|lead| lead["id"].as_i64().unwrap()).collect()
    }

    /// Returns the number of leads that match a filter.
    pub async fn count_leads(&self, filter: Value) -> u64 {
        self.search_leads(filter).await["total_leads"].as_u64().unwrap()
    }

    /// Imports a CSV file of leads and returns the import after its end.
    pub async fn import_leads(&self, file_name: &str, rows: impl Into<Vec<u8>>) -> Value {
        let csv = self.with_header("content-type", "text/csv");
        let started_import = csv.post(&format!("/api/imports/leads?file_name={file_name}"), rows).await.expect(202);
        let path = format!("/api/imports/{}", started_import["id"]);
        loop {
            let import = self.get(&path).await.expect(200);
            if import["state"] != "running" {
                return import;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Opens an event stream.
    pub async fn events(&self, path: &str) -> EventStream {
        let request = self.http.get(format!("{}{path}", self.base)).headers(self.headers.clone());
        EventStream::from_response(request.send().await.unwrap())
    }

    pub async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, "").await
    }

    pub async fn put(&self, path: &str, body: impl Into<Vec<u8>>) -> Response {
        self.send(Method::PUT, path, body).await
    }

    pub async fn post(&self, path: &str, body: impl Into<Vec<u8>>) -> Response {
        self.send(Method::POST, path, body).await
    }

    pub async fn patch(&self, path: &str, body: impl Into<Vec<u8>>) -> Response {
        self.send(Method::PATCH, path, body).await
    }

    pub async fn delete(&self, path: &str) -> Response {
        self.send(Method::DELETE, path, "").await
    }

    /// Sends a request. The body is JSON unless the client sets another `Content-Type`.
    pub async fn send(&self, method: Method, path: &str, body: impl Into<Vec<u8>>) -> Response {
        let body = body.into();
        let mut headers = self.headers.clone();
        if !body.is_empty() {
            headers.entry("content-type").or_insert(HeaderValue::from_static("application/json"));
        }
        let description = format!("{method} {path} {:.1000}", String::from_utf8_lossy(&body));
        self.execute(method, path, headers, body.into(), &description).await
    }

    /// Sends a request with a chunked body, without `Content-Length`.
    pub async fn send_chunked(&self, method: Method, path: &str, body: Vec<u8>) -> Response {
        let chunks: Vec<_> = body.chunks(4_096).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect();
        let description = format!("{method} {path}, {} bytes in chunks", body.len());
        let body = reqwest::Body::wrap_stream(futures::stream::iter(chunks));
        self.execute(method, path, self.headers.clone(), body, &description).await
    }

    async fn execute(
        &self,
        method: Method,
        path: &str,
        headers: HeaderMap,
        body: reqwest::Body,
        description: &str,
    ) -> Response {
        let request = self.http.request(method.clone(), format!("{}{path}", self.base)).headers(headers).body(body);
        let response = request.send().await.unwrap_or_else(|error| panic!("{error:?} for {description}"));
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        // An event stream does not end, so its body is not read here.
        let is_event_stream = headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
        let body = if is_event_stream { Vec::new() } else { response.bytes().await.unwrap().to_vec() };
        let result = Response { status, headers, body };
        if result.status >= 400 && method != Method::HEAD {
            result.assert_is_problem(description);
        }
        result
    }
}

impl Response {
    /// Returns the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {:?}", self.text()))
    }

    /// Returns the body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Returns the JSON body; panics unless the response has this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        if self.body.is_empty() { Value::Null } else { self.json() }
    }

    /// Returns the diagnostics of an error response with this status and code, each as `"location" code span: detail`.
    #[track_caller]
    pub fn expect_problem(&self, status: u16, code: &str) -> Vec<String> {
        let problem = self.expect(status);
        assert_eq!(problem["code"], code, "{problem}");
        problem["errors"].as_array().into_iter().flatten().map(format_diagnostic).collect()
    }

    /// Checks that an error response is a problem document with all its members, and that no request causes a 5xx.
    fn assert_is_problem(&self, description: &str) {
        let text = self.text();
        assert!(self.status < 500, "a request caused status {}: {text}\n{description}", self.status);
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{text}");
        let problem = self.json();
        let member = |name: &str| problem[name].as_str().filter(|value| !value.is_empty());
        let code = member("code").unwrap_or_else(|| panic!("no code in {text}"));
        assert_eq!(member("type"), Some(format!("urn:leadscribe:problem:{code}").as_str()), "{text}");
        assert_eq!(problem["status"], self.status, "{text}");
        assert!(member("title").is_some() && member("detail").is_some(), "{text}");
        // A request id would make responses about hidden and missing calls differ.
        let is_anonymized =
            self.status == 404 && description.contains(" /api/speech-recognition/") && member("request_id").is_none();
        assert!(is_anonymized || member("request_id") == self.header("x-request-id"), "{text}");
        for diagnostic in problem["errors"].as_array().into_iter().flatten() {
            let location_count =
                ["pointer", "parameter", "column"].iter().filter(|location| diagnostic[**location].is_string()).count();
            assert_eq!(location_count, 1, "diagnostic must have one location: {diagnostic}");
            assert!(diagnostic["code"].is_string() && diagnostic["detail"].is_string(), "{diagnostic}");
            assert!(!diagnostic["detail"].as_str().unwrap().contains('\n'), "detail must be one line: {diagnostic}");
            let suggestion = &diagnostic["suggestion"];
            assert!(diagnostic["message"]["id"].is_string(), "message must have an id: {diagnostic}");
            assert!(
                suggestion.is_null() || suggestion["message"]["id"].is_string(),
                "suggestion must have a message id: {diagnostic}"
            );
        }
    }
}

fn format_diagnostic(diagnostic: &Value) -> String {
    let location =
        ["pointer", "parameter", "column"].iter().find_map(|location| diagnostic[*location].as_str()).unwrap_or("");
    let span = match &diagnostic["span"] {
        Value::Null => String::new(),
        span => format!(" {}..{}", span["start"], span["end"]),
    };
    format!(
        "{location:?} {}{span}: {}",
        diagnostic["code"].as_str().unwrap_or(""),
        diagnostic["detail"].as_str().unwrap_or("")
    )
}
