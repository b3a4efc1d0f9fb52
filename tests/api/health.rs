//! `/healthz`, `/readyz`, `/metrics`: endpoints for monitoring, and what they expose.

use serde_json::json;

use crate::harness::Server;

#[tokio::test]
async fn health_is_open_and_reveals_nothing() {
    let server = Server::start().await;
    for (path, text) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
        // Credentials are ignored: a probe with a stale key is no reason to restart the server.
        for client in [server.anonymous(), server.anonymous().with_key("ls_key_stale")] {
            let response = client.get(path).await;
            assert_eq!((response.status, response.text().as_str()), (200, text));
            assert_eq!(response.header("cache-control"), Some("no-store"));
        }
    }
}

#[tokio::test]
async fn metrics_contain_no_names_numbers_or_secrets() {
    leadscribe_server::telemetry::metrics::init().unwrap();
    let (server, client) = Server::start_with_admin().await;
    let id = client.create("/api/leads", json!({ "first_name": "Clementine", "phone": "+1 212 555 0142" })).await;
    client.get(&format!("/api/leads/{id}")).await.expect(200);
    client.get("/api/leads?phone_normalized=%2B12125550142").await.expect(200);
    client.get("/api/leads/phone_normalized/%2B12125550142").await.expect(200);
    let secret = server.create_speech_token("Acme").await;

    let response = client.get("/metrics").await;
    let text = response.text();
    assert!(response.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
    assert!(text.contains("route=\"/api/leads/{lead_id}\""), "{text}");
    for private_text in ["2125550142", "Clementine", &secret, "ls_key_"] {
        assert!(!text.contains(private_text), "the metrics contain {private_text}");
    }
}

#[tokio::test]
async fn metrics_can_be_made_public() {
    let server = Server::start_configured(|config| config.http.metrics_public = true).await;
    assert_eq!(server.anonymous().get("/metrics").await.status, 200);
}
