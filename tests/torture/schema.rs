//! Schemathesis with all its checks on the whole OpenAPI document: valid input is accepted, invalid input is rejected,
//! and every response is documented. `schemathesis.toml` lists exceptions with their reasons.

use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Client, Database, Installation, PASSWORD, Program, cookie, log_in, on_each_database};

/// Exceptions with their reasons.
const CONFIGURATION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/torture/schemathesis.toml");

/// Number of generated requests per operation, in addition to boundary values.
const EXAMPLES: &str = "30";

async fn responses_match_the_openapi_document(database: Database) {
    let database = database.make().await;
    let mut installation = Installation::on_either(database.as_ref());
    for limit in ["LEADSCRIBE_ACCOUNT_ATTEMPTS", "LEADSCRIBE_ADDRESS_ATTEMPTS"] {
        installation.set(limit, "1000000");
    }
    installation.import_calls(3);
    let (key, token) = (installation.key(), installation.token());
    // These get id 2, which the configuration uses for operations that delete.
    installation.key();
    installation.token();
    // Role `api` delivers nothing, because the endpoints are made up.
    let program = installation.api().await;
    let staff = program.client().with_key(&key);
    for email in ["stays@example.com", "goes@example.com"] {
        staff.create("/api/users", json!({ "email": email, "password": PASSWORD, "role": "admin" })).await;
    }
    let stays = Session::of(&program, "stays@example.com").await;
    let goes = Session::of(&program, "goes@example.com").await;
    furnish(&staff, &stays.client(&program), &token).await;

    let folder = TempDir::new().unwrap();
    let mut described = staff.get("/api/openapi.json").await.expect(200);
    // The example's token doesn't exist.
    let submission = &mut described["paths"]["/api/speech-recognition"]["post"]["requestBody"];
    submission["content"]["application/json"]["example"]["token"] = json!(token);
    let document = folder.path().join("openapi.json");
    std::fs::write(&document, described.to_string()).unwrap();
    let schemathesis = std::env::var_os("LEADSCRIBE_SCHEMATHESIS").expect("LEADSCRIBE_SCHEMATHESIS: its program");
    let output = Command::new(schemathesis)
        .args(["--no-color", "--config-file", CONFIGURATION, "run", "--url", &program.base])
        .args(["--workers", "1", "--max-examples", EXAMPLES, "--seed", "20260501"])
        .arg(document)
        .current_dir(folder.path())
        .envs([("KEY", &key), ("TOKEN", &token), ("SESSION", &stays.cookie), ("CSRF_TOKEN", &stays.csrf_token)])
        .envs([("LEAVING_SESSION", &goes.cookie), ("LEAVING_CSRF_TOKEN", &goes.csrf_token)])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    let counted = told.lines().find(|line| line.contains(" generated, ")).unwrap_or_default();
    println!("measured: 0 failures; {}", counted.trim());
}
on_each_database!(
    #[ignore = "minutes: run it by `cargo xtask torture`"]
    responses_match_the_openapi_document
);

/// Session of a user.
struct Session {
    cookie: String,
    csrf_token: String,
}

impl Session {
    async fn of(program: &Program, email: &str) -> Self {
        let answer = log_in(&program.client(), email, PASSWORD).await;
        let csrf_token = answer.expect(200)["csrf_token"].as_str().unwrap().to_owned();
        let cookie = cookie(&answer).split_once('=').unwrap().1.to_owned();
        Self { cookie, csrf_token }
    }

    fn client(&self, program: &Program) -> Client {
        let cookie = format!("leadscribe_session={}", self.cookie);
        program.client().with_header("cookie", &cookie).with_header("x-csrf-token", &self.csrf_token)
    }
}

/// Creates one of each resource, so that ids exist.
async fn furnish(staff: &Client, panel: &Client, token: &str) {
    staff.create("/api/campaigns", json!({ "id": 3, "name": "Solar" })).await;
    for id in [1, 2] {
        let lead = json!({ "id": id, "phone": "+1 212 555 0100", "custom_fields": { "tier": "gold" } });
        staff.create("/api/leads", lead).await;
    }
    staff.create("/api/campaign-leads", json!({ "lead_id": 1, "campaign_id": 3 })).await;
    staff.put("/api/statuses/call_back_later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
    staff.post("/api/leads/actions", r#"{"lead_ids":[1],"set":{"do_not_call":true}}"#).await.expect(200);
    panel.create("/api/views", json!({ "name": "Mine", "filter": r#"{"city":"Bonn"}"# })).await;
    let csv = staff.with_header("content-type", "text/csv");
    csv.post("/api/imports/leads", "id,lat\n5,x\n").await.expect(202);
    let sent: Value = json!({ "call_ids": [1, 2], "token": token, "languages": ["en"], "recording_side": "both" });
    staff.post("/api/speech-recognition", sent.to_string()).await.expect(200);
    let callback = json!({ "callback_url": "https://example.com/calls" });
    staff.post("/api/speech-tokens/1/test-deliveries", callback.to_string()).await.expect(202);
}
