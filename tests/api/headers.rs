//! Security headers on every response.

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
