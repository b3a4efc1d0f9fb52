//! `/api/api-keys`: secrets shown once, scopes, expiry, revocation, and HTTP Basic.

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
    let server = Server::start().await;
    let client = server.admin();
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
async fn each_scope_permits_only_its_operations() {
    let server = Server::start().await;
    let operations = [
        ("leads:read", "GET", "/api/leads?limit=1;0"),
        ("leads:write", "POST", "/api/leads"),
        ("calls:read", "GET", "/api/calls"),
        ("calls:write", "POST", "/api/calls"),
        ("speech:submit", "POST", "/api/speech-recognition"),
        ("speech:read", "GET", "/api/speech-tokens"),
        ("admin", "GET", "/api/users"),
    ];
    for (scope, ..) in operations {
        let client = server.client_with_scopes(&[scope]).await;
        for (required_scope, method, path) in operations {
            let response = client.send(method.parse().unwrap(), path, if method == "POST" { "{}" } else { "" }).await;
            let is_permitted = scope == required_scope || scope == "admin";
            assert_eq!(response.status != 403, is_permitted, "{scope} at {method} {path}: {}", response.text());
        }
    }
}

#[tokio::test]
async fn key_works_as_basic_password() {
    let server = Server::start().await;
    let (_, secret) = create_key(&server.admin(), "Basic", &["leads:read"]).await;
    let basic_client =
        |pair: String| server.anonymous().with_header("authorization", &format!("Basic {}", base64(&pair)));
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
    let server = Server::start().await;
    let client = server.admin();
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
    client.delete(&format!("{PATH}/999")).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn reports_all_errors_of_a_new_key() {
    let server = Server::start().await;
    let client = server.admin();
    let past = server.now() - TimeDelta::seconds(1);
    let response = client.post(PATH, body(json!({ "name": " ", "scopes": [], "expires_at": past }))).await;
    let diagnostics = response.expect_problem(400, "invalid_request");
    let locations: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.split(' ').next().unwrap()).collect();
    assert_eq!(locations, ["\"/name\"", "\"/scopes\"", "\"/expires_at\""], "{diagnostics:?}");
    client.post(PATH, r#"{"name":"x","scopes":["leads:all"]}"#).await.expect_problem(400, "invalid_request");
    client.post(PATH, r#"{"name":"x","scopes":["admin"],"owner":"me"}"#).await.expect_problem(400, "invalid_request");
}

/// Encodes a string as Base64 (RFC 4648, section 4).
fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = text.as_bytes().chunks(3).map(|group| {
        let bits = (0..3).fold(0_u32, |bits, index| bits << 8 | u32::from(*group.get(index).unwrap_or(&0)));
        (0..4).map(move |index| match index <= group.len() {
            true => ALPHABET[(bits >> (18 - 6 * index) & 63) as usize] as char,
            false => '=',
        })
    });
    groups.flatten().collect()
}
