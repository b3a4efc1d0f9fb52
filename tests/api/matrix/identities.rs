//! All identities: anonymous, users, API keys, and owners of speech recognition tokens.

use std::collections::HashMap;

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use super::super::document::Operation;
use crate::harness::{Client, PASSWORD, Server, body, log_in};

/// Names in the order of the table.
pub const NAMES: [&str; 20] = [
    "nobody",
    "viewer",
    "manager",
    "admin",
    "logged_out",
    "locked",
    "leads:read",
    "leads:write",
    "calls:read",
    "calls:write",
    "speech:submit",
    "speech:read",
    "admin_key",
    "revoked_key",
    "expired_key",
    "own",
    "other",
    "rotated",
    "revoked",
    "unknown",
];

/// Client of each identity.
pub struct Identities {
    clients: HashMap<&'static str, Client>,
    /// Secret of the token that owns the calls of the stage.
    pub own: String,
}

impl Identities {
    pub async fn of(server: &Server) -> Self {
        let mut clients = HashMap::from([("nobody", server.anonymous()), ("admin_key", server.admin())]);
        for role in ["viewer", "manager", "admin"] {
            clients.insert(role, server.staff(role).await);
        }
        let left = server.panel(&log_in(&server.anonymous(), "admin@example.com", PASSWORD).await);
        left.delete("/api/session").await.expect(204);
        clients.insert("logged_out", left);
        let id = server.user("locked@example.com", "admin").await;
        let locked = server.panel(&log_in(&server.anonymous(), "locked@example.com", PASSWORD).await);
        server.admin().patch(&format!("/api/users/{id}"), body(json!({ "active": false }))).await.expect(200);
        clients.insert("locked", locked);

        for scope in NAMES[6..12].iter().copied() {
            clients.insert(scope, server.with_scopes(&[scope]).await);
        }
        let expires_at = server.now() + TimeDelta::minutes(1);
        let key = json!({ "name": "brief", "scopes": ["admin"], "expires_at": expires_at });
        clients.insert("expired_key", server.anonymous().with_key(&made(server, "/api/api-keys", key).await.1));
        server.advance(TimeDelta::minutes(2));
        let key = json!({ "name": "gone", "scopes": ["admin"] });
        let (id, secret) = made(server, "/api/api-keys", key).await;
        server.admin().delete(&format!("/api/api-keys/{id}")).await.expect(200);
        clients.insert("revoked_key", server.anonymous().with_key(&secret));

        let holder = |secret: &str| server.anonymous().with_header("x-speech-token", secret);
        let token = async |name: &str| made(server, "/api/speech-tokens", json!({ "name": name })).await;
        let (_, own) = token("Own").await;
        clients.insert("own", holder(&own));
        clients.insert("other", holder(&token("Other").await.1));
        let (id, secret) = token("Rotated").await;
        server.admin().post(&format!("/api/speech-tokens/{id}/rotate"), "").await.expect(200);
        clients.insert("rotated", holder(&secret));
        let (id, secret) = token("Revoked").await;
        server.admin().delete(&format!("/api/speech-tokens/{id}")).await.expect(200);
        clients.insert("revoked", holder(&secret));
        clients.insert("unknown", holder("ls_tok_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"));
        Self { clients, own }
    }

    /// Returns the client of an identity. Logging out uses a separate session, and ending all other sessions a separate
    /// account.
    pub async fn client(&self, server: &Server, operation: &Operation, name: &'static str) -> Client {
        if (&operation.method, operation.path.as_str()) == (&Method::DELETE, "/api/session")
            && matches!(name, "viewer" | "manager" | "admin")
        {
            let email = format!("{name}@example.com");
            return server.panel(&log_in(&server.anonymous(), &email, PASSWORD).await);
        }
        if operation.name() == "DELETE /api/sessions" && matches!(name, "viewer" | "manager" | "admin") {
            let email = format!("others-of-{name}@example.com");
            server.user(&email, name).await;
            return server.panel(&log_in(&server.anonymous(), &email, PASSWORD).await);
        }
        self.clients[name].clone()
    }
}

/// Creates a credential and returns its id and secret.
pub async fn made(server: &Server, path: &str, new: Value) -> (i64, String) {
    let made = server.admin().post(path, body(new)).await.expect(201);
    let id = ["api_key", "token"].iter().find_map(|kind| made[kind]["id"].as_i64());
    (id.unwrap(), made["secret"].as_str().unwrap().to_owned())
}
