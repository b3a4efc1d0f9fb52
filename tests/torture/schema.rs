//! Schemathesis with all its checks on the whole OpenAPI document: valid input is accepted, invalid input is rejected,
//! and every response is documented. `schemathesis.toml` lists exceptions with their reasons.

use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{
    Client, Database, Installation, PASSWORD, ServerProcess, log_in, on_each_database, session_cookie,
};

/// Exceptions with their reasons.
const CONFIG_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/torture/schemathesis.toml");

/// Number of generated requests per operation, in addition to boundary values.
const EXAMPLES_PER_OPERATION: &str = "30";

async fn responses_match_the_openapi_document(database: Database) {
    let database = database.create().await;
    let mut installation = Installation::with_database(database.as_ref());
    for limit in ["LEADSCRIBE_ACCOUNT_ATTEMPTS", "LEADSCRIBE_ADDRESS_ATTEMPTS"] {
        installation.set(limit, "1000000");
    }
    installation.import_calls(3);
    let (key, token) = (installation.create_api_key(), installation.create_speech_token());
    // The second key and token get id 2. The configuration uses that id for operations that delete.
    installation.create_api_key();
    installation.create_speech_token();
    // Role `api` delivers nothing, because the endpoints are made up.
    let program = installation.start_api().await;
    let admin = program.client().with_key(&key);
    for email in ["stays@example.com", "goes@example.com"] {
        admin.create("/api/users", json!({ "email": email, "password": PASSWORD, "role": "admin" })).await;
    }
    let session = Session::log_in(&program, "stays@example.com").await;
    let deleted_user_session = Session::log_in(&program, "goes@example.com").await;
    create_resources(&admin, &session.client(&program), &token).await;

    let folder = TempDir::new().unwrap();
    let mut document = admin.get("/api/openapi.json").await.expect(200);
    // The example's token doesn't exist.
    let submission = &mut document["paths"]["/api/speech-recognition"]["post"]["requestBody"];
    submission["content"]["application/json"]["example"]["token"] = json!(token);
    let document_path = folder.path().join("openapi.json");
    std::fs::write(&document_path, document.to_string()).unwrap();
    let schemathesis = std::env::var_os("LEADSCRIBE_SCHEMATHESIS")
        .expect("LEADSCRIBE_SCHEMATHESIS is not set; run `cargo xtask torture`");
    let output = Command::new(schemathesis)
        .args(["--no-color", "--config-file", CONFIG_PATH, "run", "--url", &program.base_url])
        .args(["--workers", "1", "--max-examples", EXAMPLES_PER_OPERATION, "--seed", "20260501"])
        .arg(document_path)
        .current_dir(folder.path())
        .envs([("KEY", &key), ("TOKEN", &token), ("SESSION", &session.cookie), ("CSRF_TOKEN", &session.csrf_token)])
        .envs([
            ("LEAVING_SESSION", &deleted_user_session.cookie),
            ("LEAVING_CSRF_TOKEN", &deleted_user_session.csrf_token),
        ])
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    let summary = stdout.lines().find(|line| line.contains(" generated, ")).unwrap_or_default();
    println!("measured: 0 failures; {}", summary.trim());
}
on_each_database!(
    #[ignore = "takes minutes; run with `cargo xtask torture`"]
    responses_match_the_openapi_document
);

/// Session of a user.
struct Session {
    cookie: String,
    csrf_token: String,
}

impl Session {
    async fn log_in(program: &ServerProcess, email: &str) -> Self {
        let response = log_in(&program.client(), email, PASSWORD).await;
        let csrf_token = response.expect(200)["csrf_token"].as_str().unwrap().to_owned();
        let cookie = session_cookie(&response).split_once('=').unwrap().1.to_owned();
        Self { cookie, csrf_token }
    }

    fn client(&self, program: &ServerProcess) -> Client {
        let cookie = format!("leadscribe_session={}", self.cookie);
        program.client().with_header("cookie", &cookie).with_header("x-csrf-token", &self.csrf_token)
    }
}

/// Creates one of each resource, so that ids exist.
async fn create_resources(admin: &Client, panel: &Client, token: &str) {
    admin.create("/api/campaigns", json!({ "id": 3, "name": "Solar" })).await;
    for id in [1, 2] {
        let lead = json!({ "id": id, "phone": "+1 212 555 0100", "custom_fields": { "tier": "gold" } });
        admin.create("/api/leads", lead).await;
    }
    admin.create("/api/campaign-leads", json!({ "lead_id": 1, "campaign_id": 3 })).await;
    admin.put("/api/statuses/call_back_later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
    admin.post("/api/leads/actions", r#"{"lead_ids":[1],"set":{"do_not_call":true}}"#).await.expect(200);
    panel.create("/api/views", json!({ "name": "Mine", "filter": r#"{"city":"Bonn"}"# })).await;
    let csv = admin.with_header("content-type", "text/csv");
    csv.post("/api/imports/leads", "id,lat\n5,x\n").await.expect(202);
    let submission: Value =
        json!({ "call_ids": [1, 2], "token": token, "languages": ["en"], "recording_side": "both" });
    admin.post("/api/speech-recognition", submission.to_string()).await.expect(200);
    let callback = json!({ "callback_url": "https://example.com/calls" });
    admin.post("/api/speech-tokens/1/test-deliveries", callback.to_string()).await.expect(202);
}
