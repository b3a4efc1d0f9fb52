//! All identities: anonymous, users, API keys, and owners of speech tokens.

use std::collections::HashMap;

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use super::super::document::Operation;
use crate::harness::{Client, PASSWORD, Server, body, log_in};

/// Names of the identities, in the column order of `matrix.txt`.
pub const IDENTITY_NAMES: [&str; 20] = [
    "anonymous",
    "viewer",
    "manager",
    "admin",
    "logged_out",
    "deactivated",
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
    /// Secret of the token that submitted the calls of the test data.
    pub owner_secret: String,
}

impl Identities {
    pub async fn create(server: &Server) -> Self {
        let mut clients = HashMap::from([("anonymous", server.anonymous()), ("admin_key", server.admin())]);
        for role in ["viewer", "manager", "admin"] {
            clients.insert(role, server.logged_in_client(role).await);
        }
        let logged_out_client = server.panel_client(&log_in(&server.anonymous(), "admin@example.com", PASSWORD).await);
        logged_out_client.delete("/api/session").await.expect(204);
        clients.insert("logged_out", logged_out_client);
        let id = server.create_user("deactivated@example.com", "admin").await;
        let deactivated_client =
            server.panel_client(&log_in(&server.anonymous(), "deactivated@example.com", PASSWORD).await);
        server.admin().patch(&format!("/api/users/{id}"), body(json!({ "active": false }))).await.expect(200);
        clients.insert("deactivated", deactivated_client);

        for scope in IDENTITY_NAMES[6..12].iter().copied() {
            clients.insert(scope, server.client_with_scopes(&[scope]).await);
        }
        let expires_at = server.now() + TimeDelta::minutes(1);
        let key = json!({ "name": "brief", "scopes": ["admin"], "expires_at": expires_at });
        clients.insert(
            "expired_key",
            server.anonymous().with_key(&create_credential(server, "/api/api-keys", key).await.1),
        );
        server.advance(TimeDelta::minutes(2));
        let key = json!({ "name": "gone", "scopes": ["admin"] });
        let (id, secret) = create_credential(server, "/api/api-keys", key).await;
        server.admin().delete(&format!("/api/api-keys/{id}")).await.expect(200);
        clients.insert("revoked_key", server.anonymous().with_key(&secret));

        let token_client = |secret: &str| server.anonymous().with_header("x-speech-token", secret);
        let create_token =
            async |name: &str| create_credential(server, "/api/speech-tokens", json!({ "name": name })).await;
        let (_, owner_secret) = create_token("Own").await;
        clients.insert("own", token_client(&owner_secret));
        clients.insert("other", token_client(&create_token("Other").await.1));
        let (id, secret) = create_token("Rotated").await;
        server.admin().post(&format!("/api/speech-tokens/{id}/rotate"), "").await.expect(200);
        clients.insert("rotated", token_client(&secret));
        let (id, secret) = create_token("Revoked").await;
        server.admin().delete(&format!("/api/speech-tokens/{id}")).await.expect(200);
        clients.insert("revoked", token_client(&secret));
        clients.insert("unknown", token_client("ls_tok_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"));
        Self { clients, owner_secret }
    }

    /// Returns the client of an identity. Logging out uses a separate session, and ending all other sessions a separate
    /// account.
    pub async fn client(&self, server: &Server, operation: &Operation, name: &'static str) -> Client {
        if (&operation.method, operation.path.as_str()) == (&Method::DELETE, "/api/session")
            && matches!(name, "viewer" | "manager" | "admin")
        {
            let email = format!("{name}@example.com");
            return server.panel_client(&log_in(&server.anonymous(), &email, PASSWORD).await);
        }
        if operation.name() == "DELETE /api/sessions" && matches!(name, "viewer" | "manager" | "admin") {
            let email = format!("others-of-{name}@example.com");
            server.create_user(&email, name).await;
            return server.panel_client(&log_in(&server.anonymous(), &email, PASSWORD).await);
        }
        self.clients[name].clone()
    }
}

/// Creates a credential and returns its id and secret.
pub async fn create_credential(server: &Server, path: &str, request: Value) -> (i64, String) {
    let created = server.admin().post(path, body(request)).await.expect(201);
    let id = ["api_key", "token"].iter().find_map(|member| created[member]["id"].as_i64());
    (id.unwrap(), created["secret"].as_str().unwrap().to_owned())
}
