//! All identities: anonymous, users, API keys, owners of speech tokens, and callers with two credentials.

use std::collections::HashMap;

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::super::document::Operation;
use crate::harness::{Client, PASSWORD, Server, body, log_in};

/// Names of the identities, in the column order of `matrix.txt`.
pub const IDENTITY_NAMES: [&str; 22] = [
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
    "key+own",
    "manager+other",
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
        let (_, other_secret) = create_token("Other").await;
        clients.insert("other", token_client(&other_secret));
        let key = server.client_with_scopes(&["speech:submit", "speech:read"]).await;
        clients.insert("key+own", key.with_header("x-speech-token", &owner_secret));
        clients.insert("manager+other", clients["manager"].with_header("x-speech-token", &other_secret));
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
        let role = name.strip_suffix("+other").unwrap_or(name);
        let is_role = matches!(role, "viewer" | "manager" | "admin");
        if operation.name() == "DELETE /api/session" && is_role {
            let email = format!("{role}@example.com");
            return server.panel_client(&log_in(&server.anonymous(), &email, PASSWORD).await);
        }
        if operation.name() == "DELETE /api/sessions" && is_role {
            let email = format!("others-of-{name}@example.com");
            server.create_user(&email, role).await;
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
