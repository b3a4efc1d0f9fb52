//! `/api/api-keys`: secrets shown once, scopes, expiry, revocation, and HTTP Basic.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Client, Server, body};

const PATH: &str = "/api/api-keys";

async fn create_key(client: &Client, name: &str, scopes: &[&str]) -> (i64, String) {
    let created = client.post(PATH, body(json!({ "name": name, "scopes": scopes }))).await.expect(201);
    (created["api_key"]["id"].as_i64().unwrap(), created["secret"].as_str().unwrap().to_owned())
}

async fn listed_key(client: &Client, id: i64) -> Value {
    let keys = client.get(PATH).await.expect(200);
    keys["items"].as_array().unwrap().iter().find(|key| key["id"] == id).unwrap().clone()
}

#[tokio::test]
async fn key_secret_is_shown_once() {
    let (server, client) = Server::start_with_admin().await;
    let (id, secret) = create_key(&client, " Nightly ", &["leads:read", "calls:read", "leads:read"]).await;
    assert!(secret.starts_with("ls_key_") && secret.len() == 50, "{secret}");
    let list = client.get(PATH).await;
    assert!(!list.text().contains(&secret));
    let key = listed_key(&client, id).await;
    assert_eq!((&key["name"], &key["scopes"]), (&json!("Nightly"), &json!(["leads:read", "calls:read"])));
    assert!(secret.starts_with(key["prefix"].as_str().unwrap()) && key["prefix"].as_str().unwrap().len() < 20);
    assert_eq!(key["last_used_at"], Value::Null);
    server.anonymous().with_key(&secret).get("/api/campaigns").await.expect(200);
    assert!(listed_key(&client, id).await["last_used_at"].is_string());
}

#[tokio::test]
async fn key_works_as_basic_password() {
    let server = Server::start().await;
    let (_, secret) = create_key(&server.admin(), "Basic", &["leads:read"]).await;
    let basic_client =
        |pair: String| server.anonymous().with_header("authorization", &format!("Basic {}", BASE64.encode(pair)));
    basic_client(format!("anybody:{secret}")).get("/api/campaigns").await.expect(200);
    basic_client(format!(":{secret}")).get("/api/campaigns").await.expect(200);
    basic_client(format!("{secret}:")).get("/api/campaigns").await.expect_problem(401, "invalid_api_key");
    for header in ["Basic", "Basic ???", "Digest x", &secret, "Bearer", "Bearer ls_key_unknown"] {
        let client = server.anonymous().with_header("authorization", header);
        let response = client.get("/api/campaigns").await;
        response.expect_problem(401, "invalid_api_key");
        assert_eq!(response.header("www-authenticate"), Some("Bearer realm=\"leadscribe\""));
        assert!(!response.text().contains("ls_key"), "{}", response.text());
    }
}

#[tokio::test]
async fn wrong_key_is_rejected_despite_valid_session() {
    let server = Server::start().await;
    let panel = server.logged_in_client("admin").await;
    panel.get("/api/users").await.expect(200);
    panel.with_key("ls_key_unknown").get("/api/users").await.expect_problem(401, "invalid_api_key");
}

#[tokio::test]
async fn key_expires_and_can_be_revoked() {
    let (server, client) = Server::start_with_admin().await;
    let expires_at = server.now() + TimeDelta::hours(1);
    let request = json!({ "name": "Short", "scopes": ["leads:read"], "expires_at": expires_at });
    let created = client.post(PATH, body(request)).await.expect(201);
    let expiring_client = server.anonymous().with_key(created["secret"].as_str().unwrap());
    let (id, secret) = create_key(&client, "Revoked", &["leads:read"]).await;
    let revoked_client = server.anonymous().with_key(&secret);
    revoked_client.get("/api/campaigns").await.expect(200);
    let path = format!("{PATH}/{id}");
    let first_revocation = client.delete(&path).await.expect(200);
    assert!(first_revocation["revoked_at"].is_string());
    revoked_client.get("/api/campaigns").await.expect_problem(401, "revoked_api_key");

    server.advance(TimeDelta::hours(1) - TimeDelta::microseconds(1));
    expiring_client.get("/api/campaigns").await.expect(200);
    server.advance(TimeDelta::microseconds(1));
    expiring_client.get("/api/campaigns").await.expect_problem(401, "expired_api_key");
    assert_eq!(client.delete(&path).await.expect(200)["revoked_at"], first_revocation["revoked_at"], "revoked once");
}

#[tokio::test]
async fn reports_all_errors_of_a_new_key() {
    let (server, client) = Server::start_with_admin().await;
    let past = server.now() - TimeDelta::seconds(1);
    let response = client.post(PATH, body(json!({ "name": " ", "scopes": [], "expires_at": past }))).await;
    let diagnostics = response.expect_problem(400, "invalid_request");
    let locations: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.split(' ').next().unwrap()).collect();
    assert_eq!(locations, ["\"/name\"", "\"/scopes\"", "\"/expires_at\""], "{diagnostics:?}");
    client.post(PATH, r#"{"name":"x","scopes":["leads:all"]}"#).await.expect_problem(400, "invalid_request");
    client.post(PATH, r#"{"name":"x","scopes":["admin"],"owner":"me"}"#).await.expect_problem(400, "invalid_request");
}
