//! Requests through routing, authorization and handlers, with a real store and no socket.

use std::io::Read;
use std::time::Duration;

use bytes::Bytes;
use futures::{future, stream};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body_util::BodyExt;
use leadscribe_engine::api::{NewApiKeyRequest, NewUserRequest, Role, Scope};
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::body::{Body, MinBodyRate};
use super::dispatch::{Dispatcher, IncomingRequest};
use super::reply;
use super::route_table::RouteTable;
use super::routes::{self, Route};
use crate::service::auth::{credentials, staff};
use crate::storage::StoreError;
use crate::telemetry::testing::LogCapture;
use crate::worker::testing::{TestInstallation, audit_context};

const PASSWORD: &str = "correct horse battery";

struct TestServer {
    dispatcher: Dispatcher,
    _installation: TestInstallation,
}

#[derive(Debug)]
struct TestResponse {
    status: u16,
    headers: HeaderMap,
    body: Bytes,
}

impl TestResponse {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    fn code(&self) -> String {
        assert_eq!(self.headers["content-type"], "application/problem+json");
        self.json()["code"].as_str().expect("a code").to_owned()
    }
}

impl TestServer {
    fn new() -> Self {
        Self::with_routes(routes::all())
    }

    fn with_routes(routes: Vec<Route>) -> Self {
        let (installation, app) = TestInstallation::with_app(|config| {
            config.http.max_requests = 2;
            config.http.max_pending_response_bytes = 256 * 1024;
        });
        Self { dispatcher: Dispatcher::new(app, RouteTable::new(routes)), _installation: installation }
    }

    async fn create_api_key(&self, scopes: &[Scope]) -> String {
        let request = NewApiKeyRequest { name: "test".to_owned(), scopes: scopes.to_vec(), expires_at: None };
        let created =
            credentials::create_api_key(self.dispatcher.app(), request, &audit_context(self.dispatcher.app())).await;
        format!("Bearer {}", created.expect("a key").secret)
    }

    async fn create_user(&self, email: &str, role: Role) {
        let request = NewUserRequest { email: email.to_owned(), password: PASSWORD.to_owned(), role };
        staff::create(self.dispatcher.app(), request, &audit_context(self.dispatcher.app())).await.expect("a user");
    }

    async fn send(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> TestResponse {
        let (parts, body) = self.send_unread(method, target, headers, body).await.into_parts();
        // A copy, because the chunks themselves hold the memory of the response.
        let body = Bytes::copy_from_slice(&body.collect().await.expect("a body").to_bytes());
        TestResponse { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// Returns a response whose body has not been read.
    async fn send_unread(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> reply::Response {
        let min_rate = MinBodyRate { timeout: Duration::from_secs(5), min_bytes: 1 };
        let chunks = stream::iter([Ok(Bytes::copy_from_slice(body.as_bytes()))]);
        self.send_unread_with(method, target, headers, Body::new(chunks, Some(body.len() as u64), min_rate)).await
    }

    async fn send_unread_with(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: Body,
    ) -> reply::Response {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers = headers.iter().map(|(name, value)| {
            let name: HeaderName = name.parse().expect("a name");
            (name, HeaderValue::try_from(*value).expect("a value"))
        });
        let incoming = IncomingRequest {
            method: Method::from_bytes(method.as_bytes()).expect("a method"),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: headers.collect(),
            address: "192.0.2.1".parse().ok(),
            body,
            disconnect_token: CancellationToken::new(),
        };
        self.dispatcher.respond(incoming).await
    }

    async fn log_in(&self, email: &str) -> (String, String) {
        let body = json!({ "email": email, "password": PASSWORD }).to_string();
        let response = self.send("POST", "/api/session", &[("content-type", "application/json")], &body).await;
        assert_eq!(response.status, 200);
        let cookie = response.headers["set-cookie"].to_str().expect("ASCII");
        let cookie = cookie.split(';').next().expect("a first part").to_owned();
        (cookie, response.json()["csrf_token"].as_str().expect("a token").to_owned())
    }
}

#[tokio::test]
async fn unknown_paths_and_methods_get_different_errors() {
    let server = TestServer::new();
    let unknown = server.send("GET", "/api/nothing", &[], "").await;
    assert_eq!((unknown.status, unknown.code().as_str()), (404, "not_found"));
    let wrong_method = server.send("PUT", "/api/users", &[], "").await;
    assert_eq!((wrong_method.status, wrong_method.code().as_str()), (405, "method_not_allowed"));
    assert_eq!(wrong_method.headers["allow"], "GET, HEAD, POST, OPTIONS");
    let options = server.send("OPTIONS", "/api/users/1", &[], "").await;
    assert_eq!((options.status, options.headers["allow"].as_bytes()), (204, &b"PATCH, DELETE, OPTIONS"[..]));
    let head = server.send("HEAD", "/healthz", &[], "").await;
    assert_eq!((head.status, head.body.len(), head.headers["content-length"].as_bytes()), (200, 0, &b"3"[..]));
}

#[tokio::test]
async fn responses_have_request_id_and_are_not_cached() {
    let server = TestServer::new();
    for id in ["0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f", "0190F3A27D4E7C3B9F605A1C2B3D4E5F", "56c7c36fa09ddaef1979ac27"] {
        let response = server.send("GET", "/api/users", &[("x-request-id", id)], "").await;
        assert_eq!(response.headers["x-request-id"], id);
        assert_eq!(response.json()["request_id"], id);
    }
    let response = server.send("GET", "/api/users", &[], "").await;
    assert_eq!(response.headers["cache-control"], "no-store");
    assert_eq!(response.headers["x-content-type-options"], "nosniff");
    let too_long = "a-".repeat(5_000);
    for invalid_id in ["no id\"", "", "order-17", "+4915112345678", "4111111111111111", "ls_key_c2VjcmV0", &too_long] {
        let response = server.send("GET", "/healthz", &[("x-request-id", invalid_id)], "").await;
        assert_eq!(response.headers["x-request-id"].len(), 24, "{invalid_id}");
    }
}

#[tokio::test]
async fn rejects_invalid_targets() {
    let server = TestServer::new();
    let admin = server.create_api_key(&[Scope::Admin]).await;
    let get = async |target: &str| server.send("GET", target, &[("authorization", &admin)], "").await;
    let unknown = get("/api/audit-log?limt=3").await;
    assert_eq!((unknown.status, unknown.code().as_str()), (400, "unknown_parameter"));
    assert_eq!(unknown.json()["errors"][0]["suggestion"]["detail"], "did you mean `limit`?");
    assert_eq!(get("/api/audit-log?limit=1001").await.code(), "invalid_parameter");
    assert_eq!(get("/api/audit-log?limit=5%3B1").await.status, 200);
    assert_eq!(get("/api/audit-log?limit=%zz").await.json()["errors"][0]["code"], "invalid_encoding");
    let patch = server.send("PATCH", "/api/users/0", &[("authorization", &admin)], "{}").await;
    assert_eq!(patch.json()["errors"][0]["parameter"], "user_id");
    assert_eq!(get(&format!("/api/audit-log?limit={}", "1".repeat(20_000))).await.code(), "uri_too_long");
}

#[tokio::test]
async fn compresses_lists_exports_and_errors() {
    let server = TestServer::new();
    let admin = server.create_api_key(&[Scope::Admin]).await;
    let headers = [("authorization", admin.as_str()), ("content-type", "application/json")];
    for _ in 0..100 {
        assert_eq!(server.send("POST", "/api/leads", &headers, r#"{"first_name":"Ada"}"#).await.status, 201);
    }
    let unknown_members = format!("{{{}}}", (0..50).map(|n| format!("\"m{n}\":1")).collect::<Vec<_>>().join(","));
    for (method, target, body) in [
        ("GET", "/api/leads", ""),
        ("GET", "/api/leads/export?format=csv&filter=%7B%22limit%22:%22200;0%22%7D", ""),
        ("GET", "/api/leads/export?format=jsonl&filter=%7B%22limit%22:%22200;0%22%7D", ""),
        ("GET", "/api/audit-log/export?format=csv", ""),
        ("GET", "/api/openapi.json", ""),
        ("POST", "/api/leads", &unknown_members),
    ] {
        let request_id = ("x-request-id", "0190f3a27d4e7c3b9f605a1c2b3d4e5f");
        let get = async |accept_encoding| {
            let headers = [headers[0], headers[1], request_id, ("accept-encoding", accept_encoding)];
            server.send(method, target, &headers, body).await
        };
        let (plain, gzip) = (get("identity").await, get("gzip").await);
        assert_eq!(plain.headers.get("content-encoding"), None, "{target}");
        assert_eq!(
            gzip.headers.get("content-encoding").map(HeaderValue::as_bytes),
            Some(&b"gzip"[..]),
            "{target}: {plain:?}"
        );
        assert!([&plain, &gzip].iter().all(|response| response.headers["vary"] == "Accept-Encoding"), "{target}");
        let mut decoded = Vec::new();
        flate2::read::GzDecoder::new(&gzip.body[..]).read_to_end(&mut decoded).expect("gzip");
        // Each export is recorded in the audit log, so the second has one entry more.
        assert!(decoded == plain.body || target.starts_with("/api/audit-log"), "{target}");
    }
    let small = server.send("GET", "/api/campaigns", &[headers[0], ("accept-encoding", "gzip")], "").await;
    assert_eq!((small.status, small.headers.get("content-encoding"), small.headers.get("vary")), (200, None, None));
}

#[tokio::test]
async fn responses_with_secrets_are_not_compressed() {
    let mut routes = routes::all();
    for route in &mut routes {
        route.access = super::auth::Access::Public;
        route.handler = |_, _| Box::pin(async { Ok(reply::bytes("application/json", vec![b' '; 10_000])) });
    }
    let with_secret: Vec<_> = routes
        .iter()
        .filter(|route| route.returns_secret)
        .map(|route| (route.method.clone(), route.path.clone()))
        .collect();
    let server = TestServer::with_routes(routes);
    let encoding = async |method: &str, path: &str| {
        let response = server.send(method, path, &[("accept-encoding", "gzip")], "").await;
        assert_eq!((response.status, response.body.is_empty()), (200, false), "{method} {path}");
        response.headers.get("content-encoding").cloned()
    };
    for (method, path) in with_secret {
        assert_eq!(encoding(method.as_str(), &path.replace("{token_id}", "7")).await, None, "{method} {path}");
    }
    assert_eq!(encoding("GET", "/api/calls").await, Some(HeaderValue::from_static("gzip")));
}

#[tokio::test]
async fn count_zero_with_cursor_returns_only_total() {
    let server = TestServer::new();
    let admin = server.create_api_key(&[Scope::Admin]).await;
    let headers = [("authorization", admin.as_str()), ("content-type", "application/json")];
    for _ in 0..2 {
        assert_eq!(server.send("POST", "/api/leads", &headers, r#"{"first_name":"Ada"}"#).await.status, 201);
    }
    let response = server.send("GET", "/api/leads?_cursor=&limit=0;0", &[("authorization", &admin)], "").await;
    assert_eq!(response.json(), json!({ "leads": [], "total_leads": 2 }));
}

#[tokio::test]
async fn trailing_slash_is_redirected() {
    let server = TestServer::new();
    let admin = server.create_api_key(&[Scope::Admin]).await;
    for (target, location) in [
        ("/api/leads/", "/api/leads"),
        ("/api/leads//?limit=5&city=New%20York", "/api/leads?limit=5&city=New%20York"),
        ("/api/leads/7/", "/api/leads/7"),
        ("/healthz/", "/healthz"),
    ] {
        for method in ["GET", "HEAD", "POST", "PATCH", "DELETE"] {
            let response = server.send(method, target, &[("authorization", &admin)], "").await;
            assert_eq!(
                (response.status, response.headers["location"].as_bytes()),
                (308, location.as_bytes()),
                "{target}"
            );
            assert!(response.body.is_empty());
        }
    }
    for target in ["/api/", "/api/nothing/", "/", "//", "//example.com/api/leads/"] {
        let response = server.send("POST", target, &[], "").await;
        assert!(response.status == 404 || response.status == 405, "{target}: {}", response.status);
    }
}

#[tokio::test]
async fn plus_in_query_gets_hint() {
    let server = TestServer::new();
    let admin = server.create_api_key(&[Scope::Admin]).await;
    let get = async |target: &str| server.send("GET", target, &[("authorization", &admin)], "").await;
    let hint = "`+` means a space in a query; write `%2B` for a plus";
    for query in [
        "/api/leads?phone_normalized=+493023125123",
        "/api/leads?phone_normalized2=+493023125123",
        "/api/leads?phone_normalized[starts_with]=+49",
        "/api/leads?phone_normalized[not]=+493023125123",
        "/api/leads?phone_normalized=%2B493023125123&phone_normalized=+493023125124",
        "/api/leads?phone=+493023125123",
        "/api/leads?email=ada+news@example.com",
        "/api/leads?timezone=Etc/GMT+5",
        "/api/leads?updated_at=2026-05-01T09:30:00+02:00;%3E",
        "/api/leads?campaign_updated_at[gt]=2026-05-01T09:30:00+02:00",
        "/api/leads/values?field=email&prefix=ada+news",
        "/api/leads/values?field=phone&prefix=+49",
        "/api/leads/values?field=phone_normalized&prefix=+49",
        "/api/leads/export?format=jsonl&filter=%7B%22email%22:%22ada+news@example.com%22%7D",
        "/api/calls?from=2026-05-01T09:30:00+02:00",
        "/api/audit-log?till=2026-05-01T09:30:00+02:00",
        "/api/calls?lead_id=+5",
    ] {
        let response = get(query).await;
        assert_eq!(
            (response.status, &response.json()["errors"][0]["suggestion"]["detail"]),
            (400, &json!(hint)),
            "{query}"
        );
    }
    for query in [
        "/api/leads?phone_normalized=%2B493023125123",
        "/api/leads/phone_normalized/+493023125123",
        "/api/leads?email=ada%2Bnews@example.com",
        "/api/leads?city=New+York",
        "/api/leads?updated_at=2026-05-01T09:30:00%2B02:00;%3E",
        "/api/leads?updated_at=2026-05-01+09:30:00;%3E",
        "/api/calls?search=+4930",
    ] {
        assert_eq!(get(query).await.status, 200, "{query}");
    }
    for query in ["/api/leads?updated_at=2026-05-01T09:30:00;%3E", "/api/calls?from=2026-05-01T09:30:00"] {
        let response = get(query).await;
        let hint = "in a query, write the offset as `%2B02:00`";
        assert_eq!(
            (response.status, &response.json()["errors"][0]["suggestion"]["detail"]),
            (400, &json!(hint)),
            "{query}"
        );
    }
    let encoded = get("/api/leads?phone_normalized=%20493023125123").await;
    assert_eq!((encoded.status, &encoded.json()["errors"][0]["suggestion"]["detail"]), (400, &Value::Null));
    let several_errors = get("/api/leads?limit=5;0;+0&_order=ctiy").await.json();
    let diagnostics = several_errors["errors"].as_array().expect("errors").iter();
    let hints: Vec<_> =
        diagnostics.map(|diagnostic| diagnostic["suggestion"]["detail"].as_str().expect("a hint")).collect();
    assert!(hints[0].ends_with(&format!("; {hint}")), "{hints:?}");
    assert_eq!(hints[1..], ["did you mean `city`?"]);
}

#[tokio::test]
async fn rejects_invalid_bodies() {
    let server = TestServer::new();
    let admin = server.create_api_key(&[Scope::Admin]).await;
    let post = async |media_type: &str, body: &str| {
        let headers = [("authorization", admin.as_str()), ("content-type", media_type)];
        server.send("POST", "/api/users", &headers, body).await
    };
    let form = post("application/x-www-form-urlencoded", "{}").await;
    assert_eq!(form.code(), "unsupported_media_type");
    assert_eq!(form.json()["errors"][0]["suggestion"]["detail"], "send the header `Content-Type: application/json`");
    assert_eq!(post("application/json", "{").await.json()["errors"][0]["code"], "invalid_json");
    let large = format!("{{\"email\":\"{}\"}}", "a".repeat(1 << 20));
    assert_eq!(post("application/json; charset=utf-8", &large).await.code(), "body_too_large");
    let two_errors = post("application/json", r#"{"email":"nobody","password":"short","role":"admin"}"#).await;
    assert_eq!((two_errors.status, two_errors.json()["errors"].as_array().map(Vec::len)), (400, Some(2)));
}

#[tokio::test]
async fn panic_returns_error_and_server_keeps_running() {
    let mut routes = routes::all();
    let route = routes.iter_mut().find(|route| route.path == "/healthz").expect("a route");
    route.handler = |_, _| Box::pin(async { panic!("the text of a panic") });
    let server = TestServer::with_routes(routes);
    let response = server.send("GET", "/healthz", &[], "").await;
    assert_eq!((response.status, response.code().as_str()), (500, "internal"));
    assert!(!String::from_utf8_lossy(&response.body).contains("the text"));
    assert_eq!(server.send("GET", "/readyz", &[], "").await.status, 200);
}

#[tokio::test]
async fn does_not_log_unknown_methods() {
    let server = TestServer::new();
    let logs = LogCapture::default();
    let subscriber = logs.capture();
    // A client may send a secret as method by mistake, or a method as long as a head may be.
    let long_method = format!("ls_key_{}", "CANARY".repeat(1_000));
    assert_eq!(server.send(&long_method, "/api/leads", &[], "").await.status, 405);
    assert_eq!(server.send("PATCH", "/api/leads", &[], "").await.status, 405);
    drop(subscriber);
    let lines = logs.lines();
    assert_eq!(lines.iter().map(|line| &line["span"]["method"]).collect::<Vec<_>>(), ["other", "PATCH"]);
    assert!(lines.iter().all(|line| !line.to_string().contains("CANARY")));
}

#[tokio::test]
async fn logs_outage_once_for_many_requests() {
    let mut routes = routes::all();
    let route = routes.iter_mut().find(|route| route.path == "/healthz").expect("a route");
    route.handler = |_, _| {
        Box::pin(async {
            Err(StoreError::Unavailable(std::io::Error::other("the disk is disconnected").into()).into())
        })
    };
    let server = TestServer::with_routes(routes);
    let logs = LogCapture::default();
    let subscriber = logs.capture();
    for _ in 0..5 {
        let response = server.send("GET", "/healthz", &[], "").await;
        assert_eq!((response.status, response.code().as_str()), (503, "unavailable"));
    }
    drop(subscriber);
    let lines = logs.lines();
    let errors: Vec<_> = lines.iter().filter(|line| line["level"] == "ERROR").map(|line| &line["cause"]).collect();
    assert_eq!(errors, ["storage is unavailable: the disk is disconnected"]);
    let unavailable_lines = lines.iter().filter(|line| line["message"] == "request served" && line["status"] == 503);
    assert_eq!(unavailable_lines.count(), 5);
}

#[tokio::test]
async fn rejects_requests_above_limit() {
    let mut routes = routes::all();
    let slow_route = routes.iter_mut().find(|route| route.path == "/api/session").expect("a route");
    slow_route.handler = |_, _| {
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Ok(reply::no_content())
        })
    };
    let server = TestServer::with_routes(routes);
    let post = || server.send("POST", "/api/session", &[], "");
    let (first, second, third, health) = tokio::join!(post(), post(), post(), server.send("GET", "/readyz", &[], ""));
    assert_eq!((first.status, second.status, health.status), (204, 204, 200));
    assert_eq!((third.status, third.code().as_str()), (503, "overloaded"));
    assert_eq!(third.headers["retry-after"], "2");
}

#[tokio::test(start_paused = true)]
async fn slow_bodies_do_not_block_other_requests() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _recorder_guard = metrics::set_default_local_recorder(&recorder);
    let server = TestServer::new();
    let stalled_body = || {
        let min_rate = MinBodyRate { timeout: Duration::from_secs(5), min_bytes: 1 };
        Body::new(stream::pending(), Some(10), min_rate)
    };
    let slow = future::join_all((0..50).map(|_| server.send_unread_with("POST", "/api/session", &[], stalled_body())));
    let (slow, other) = tokio::join!(slow, async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        server.send("POST", "/api/session", &[], "{}").await
    });
    assert_eq!(other.status, 400, "served while 50 requests wait for their bodies, with two slots");
    assert!(slow.iter().all(|response| response.status() == 408));
    // Waiting for a client must not count as request time. Otherwise any client could trigger an alert for a slow
    // server.
    let rendered = recorder.handle().render();
    let seconds = rendered.lines().find_map(|line| line.strip_prefix("leadscribe_http_request_duration_seconds_sum"));
    let seconds: f64 = seconds.and_then(|seconds| seconds.rsplit(' ').next()?.parse().ok()).expect("a histogram");
    assert!(seconds < 1.0, "{rendered}");
}

#[tokio::test(start_paused = true)]
async fn slow_uploads_block_only_other_uploads() {
    let server = TestServer::new();
    let key = server.create_api_key(&[Scope::LeadsWrite]).await;
    let headers = [("authorization", key.as_str())];
    let upload = async |delay_seconds| {
        tokio::time::sleep(Duration::from_secs(delay_seconds)).await;
        let min_rate = MinBodyRate { timeout: Duration::from_secs(5), min_bytes: 1 };
        let body = Body::new(stream::pending(), Some(10), min_rate);
        server.send_unread_with("POST", "/api/imports/leads", &headers, body).await
    };
    let read_session = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        server.send("GET", "/api/session", &headers, "").await
    };
    let (first, second, read, third) = tokio::join!(upload(0), upload(0), read_session, upload(1));
    assert_eq!(read.status, 204, "served while two uploads wait for their clients, with two slots");
    assert_eq!((third.status().as_u16(), third.headers()["retry-after"].as_bytes()), (503, &b"2"[..]));
    assert_eq!((first.status(), second.status()), (StatusCode::REQUEST_TIMEOUT, StatusCode::REQUEST_TIMEOUT));
}

#[tokio::test(start_paused = true)]
async fn unread_responses_are_limited_but_small_ones_pass() {
    let mut routes = routes::all();
    let large_route =
        routes.iter_mut().find(|route| route.path == "/api/session" && route.method == "GET").expect("a route");
    large_route.handler = |_, _| Box::pin(async { Ok(reply::bytes("text/plain", vec![b'x'; 200 * 1024])) });
    let server = TestServer::with_routes(routes);
    let send = || server.send_unread("GET", "/api/session", &[], "");
    let unread = send().await;
    assert_eq!(unread.headers()["content-length"], "204800");
    let (first, second, small) = tokio::join!(send(), send(), async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        server.send("GET", "/api/users", &[], "").await
    });
    for response in [first, second] {
        assert_eq!((response.status().as_u16(), response.headers()["retry-after"].as_bytes()), (503, &b"2"[..]));
    }
    assert_eq!(small.status, 401, "served while one of two slots waits for memory");
    assert_eq!(server.send_unread("HEAD", "/api/session", &[], "").await.status(), 503);
    drop(unread);
    let response = server.send("GET", "/api/session", &[], "").await;
    assert_eq!((response.status, response.body.len()), (200, 204_800));
    let head = server.send("HEAD", "/api/session", &[], "").await;
    assert_eq!((head.body.len(), head.headers["content-length"].as_bytes()), (0, &b"204800"[..]));
}

#[tokio::test(start_paused = true)]
async fn large_error_responses_are_limited() {
    let server = TestServer::new();
    // Each of its errors has a pointer of about 3,000 characters.
    let key = format!("{{\"{}\":", "k".repeat(200));
    let body = format!("{}[{}1]{}", key.repeat(14), "x,".repeat(200), "}".repeat(14));
    let send = || server.send_unread("POST", "/api/speech-recognition", &[("content-type", "application/json")], &body);
    let unread = send().await;
    assert_eq!(unread.status(), 400);
    assert_eq!(send().await.status(), 503);
    drop(unread);
    assert_eq!(send().await.status(), 400);
}

#[tokio::test]
async fn event_streams_are_limited_and_take_no_request_slot() {
    let server = TestServer::new();
    server.create_user("viewer@example.com", Role::Viewer).await;
    let (cookie, _) = server.log_in("viewer@example.com").await;
    let open = async || server.send_unread("GET", "/api/events", &[("cookie", &cookie)], "").await;
    let mut streams = Vec::new();
    // Many more than the two concurrent requests that the slots allow.
    for _ in 0..32 {
        streams.push(open().await);
    }
    assert!(streams.iter().all(|stream| stream.status() == 200));
    let extra = open().await;
    assert_eq!((extra.status().as_u16(), extra.headers()["retry-after"].as_bytes()), (503, &b"2"[..]));
    assert_eq!(server.send("GET", "/api/session", &[("cookie", &cookie)], "").await.status, 200);
    server.create_user("other@example.com", Role::Viewer).await;
    let (other, _) = server.log_in("other@example.com").await;
    let other_stream = server.send_unread("GET", "/api/events", &[("cookie", &other)], "").await;
    assert_eq!(other_stream.status(), 200, "one user can't take all event streams");
    streams.pop();
    assert_eq!(open().await.status(), 200);
}
