//! Security and CORS headers.

use reqwest::Method;

use crate::harness::Server;

#[tokio::test]
async fn every_response_has_a_strict_content_security_policy() {
    let server = Server::start_configured(|config| config.http.behind_tls = true).await;
    let (anonymous, admin) = (server.anonymous(), server.admin());
    let responses = [
        ("the panel", anonymous.get("/").await),
        ("a page of the panel", anonymous.with_header("accept", "text/html").get("/leads").await),
        ("a missing asset", anonymous.get("/assets/none.js").await),
        ("health", anonymous.get("/healthz").await),
        ("data", admin.get("/api/leads").await),
        ("CSV", admin.get("/api/leads/export?format=csv").await),
        ("the OpenAPI document", admin.get("/api/openapi.json").await),
        ("a request without credentials", anonymous.get("/api/leads").await),
        ("an unknown path", admin.get("/api/none").await),
        ("an unsupported method", anonymous.delete("/healthz").await),
        ("invalid JSON", admin.post("/api/leads", "{").await),
    ];
    for (name, response) in &responses {
        let header = |name: &str| response.header(name).unwrap_or_else(|| panic!("{name} of {response:?}"));
        let policy = header("content-security-policy");
        let directives: Vec<_> = policy.split("; ").collect();
        for directive in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"] {
            assert!(directives.contains(&directive), "{name}: {policy}");
        }
        let scripts = directives.iter().find(|directive| directive.starts_with("script-src"));
        assert_eq!(scripts, Some(&"script-src 'self' 'wasm-unsafe-eval'"), "{name}");
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{name}: {policy}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{name}");
        assert_eq!(header("referrer-policy"), "no-referrer", "{name}");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin", "{name}");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin", "{name}");
        assert_eq!(header("strict-transport-security"), "max-age=63072000; includeSubDomains", "{name}");
        assert_eq!(response.header("access-control-allow-origin"), None, "{name}");
        assert_eq!(response.header("server"), None, "{name}");
    }
    // HSTS over plain HTTP would lock out installations without TLS.
    let plain_response = Server::start().await.anonymous().get("/healthz").await;
    assert_eq!(plain_response.header("strict-transport-security"), None);
}

#[tokio::test]
async fn pages_of_listed_origins_may_use_the_api() {
    let listed = "https://app.example.com";
    let server = Server::start_configured(|config| {
        config.http.cors_origins = format!("{listed},http://localhost:5173").parse().unwrap();
    })
    .await;
    let preflight = async |origin: &str, path: &str| {
        let client =
            server.anonymous().with_header("origin", origin).with_header("access-control-request-method", "PATCH");
        client
            .with_header("access-control-request-headers", "authorization,if-match")
            .send(Method::OPTIONS, path, "")
            .await
    };
    let allowed = preflight(listed, "/api/leads/7").await;
    assert_eq!((allowed.status, allowed.header("access-control-allow-origin")), (204, Some(listed)));
    assert_eq!(allowed.header("access-control-allow-methods"), Some("GET, HEAD, PATCH, DELETE, OPTIONS"));
    assert_eq!(allowed.header("access-control-max-age"), Some("7200"));
    let headers = allowed.header("access-control-allow-headers").unwrap().to_ascii_lowercase();
    for name in ["authorization", "content-type", "if-match", "x-speech-token", "idempotency-key", "last-event-id"] {
        assert!(headers.split(", ").any(|header| header == name), "{name}: {headers}");
    }
    let page = server.admin().with_header("origin", listed);
    let responses = [
        page.get("/api/leads").await,
        page.get("/api/leads/999").await,
        page.get("/api/leads/").await,
        page.post("/api/leads", "{").await,
        server.anonymous().with_header("origin", listed).get("/api/leads").await,
    ];
    for response in &responses {
        assert_eq!(response.header("access-control-allow-origin"), Some(listed), "{response:?}");
        assert!(response.header("access-control-expose-headers").unwrap().contains("ETag"), "{response:?}");
    }
    for response in responses.iter().chain([&allowed]) {
        assert_eq!(response.header("access-control-allow-credentials"), None, "{response:?}");
        assert!(response.headers.get_all("vary").iter().any(|value| value == "Origin"), "{response:?}");
    }
    for origin in ["https://evil.example", "https://app.example.com.evil.example", "http://app.example.com", "null"] {
        let other = server.admin().with_header("origin", origin);
        for response in [preflight(origin, "/api/leads/7").await, other.get("/api/leads").await] {
            assert_eq!(response.header("access-control-allow-origin"), None, "{origin}");
            assert!(response.headers.get_all("vary").iter().any(|value| value == "Origin"), "{origin}");
        }
    }
    // The panel's own files are not part of the API.
    assert_eq!(page.get("/").await.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn session_works_only_on_its_own_origin() {
    let listed = "https://app.example.com";
    let server = Server::start_configured(|config| config.http.cors_origins = listed.parse().unwrap()).await;
    let session = server.logged_in_client("manager").await.with_header("origin", listed);
    session.post("/api/leads", r#"{"first_name":"Ada"}"#).await.expect_problem(403, "csrf_failed");
    let key = server.admin().with_header("origin", listed);
    key.post("/api/leads", r#"{"first_name":"Ada"}"#).await.expect(201);
}
