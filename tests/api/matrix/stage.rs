//! Test data: one of each resource, and calls in every state of their transcription.

use std::collections::HashMap;

use chrono::TimeDelta;
use leadscribe_engine::api::RecordingSide::Caller;
use reqwest::Method;
use serde_json::json;

use super::super::document::Operation;
use super::super::imports::import;
use super::identities::{Identities, made};
use crate::harness::{Client, PASSWORD, Server, body, log_in};

/// Id that doesn't exist.
const NOTHING: &str = "987654321";

/// Name of the import of calls.
const CALLS: &str = "import of calls";

/// Returns the states to test. A call's transcript is ready, pending, gone or missing. An import is of leads or of
/// calls. Any other resource exists or doesn't.
pub fn states(operation: &Operation) -> &'static [&'static str] {
    if operation.path.ends_with("{call_id}/transcript") || operation.path == "/api/speech-recognition/{call_id}" {
        &["ready", "queued", "failed", "purged", "never_sent", "absent"]
    } else if operation.placeholders().contains(&"import_id") {
        &["there", "of_calls", "absent"]
    } else if operation.placeholders().iter().any(|name| name.ends_with("_id") || *name == "name") {
        &["there", "absent"]
    } else {
        &["-"]
    }
}

/// One of each resource.
pub struct Stage {
    /// Ids by the name of their placeholder.
    ids: HashMap<&'static str, i64>,
    /// Calls by the state of their transcription.
    calls: HashMap<&'static str, i64>,
    /// Owner of the view that isn't shared.
    owner: Client,
}

impl Stage {
    pub async fn of(server: &Server, identities: &Identities) -> Self {
        let admin = server.admin();
        let own = &identities.own;
        let said = [(Caller, "the invoice is wrong")];
        let purged = server.transcribed_call(own, json!({}), &said).await;
        server.purge_transcripts().await;
        server.advance(TimeDelta::minutes(1));
        let ready = server.transcribed_call(own, json!({}), &said).await;
        let failed = server.recorded_call(json!({})).await;
        server.submit(failed, own).await;
        server.fail(failed, "it is broken").await;
        let queued = server.recorded_call(json!({})).await;
        server.submit(queued, own).await;
        let never_sent = server.recorded_call(json!({})).await;
        let calls = HashMap::from([
            ("ready", ready),
            ("failed", failed),
            ("queued", queued),
            ("purged", purged),
            ("never_sent", never_sent),
        ]);

        let holder = server.anonymous().with_header("x-speech-token", own);
        let search = "/api/speech-recognition?words=invoice&callback_url=https://example.com/calls";
        let asked = holder.get(search).await.expect(202)["speech_request_id"].as_i64().unwrap();
        let deliveries = admin.get("/api/deliveries").await.expect(200);
        let tokens = admin.get("/api/speech-tokens").await.expect(200);
        let token = tokens["items"].as_array().unwrap().iter().find(|token| token["name"] == "Own").unwrap();
        let keys = admin.get("/api/api-keys").await.expect(200);
        let owner = server.panel(&log_in(&server.anonymous(), "manager@example.com", PASSWORD).await);
        let mut stage = Self { ids: HashMap::new(), calls, owner };
        stage.ids.insert("call_id", ready);
        stage.ids.insert("speech_request_id", asked);
        stage.ids.insert("delivery_id", deliveries["items"][0]["id"].as_i64().unwrap());
        stage.ids.insert("token_id", token["id"].as_i64().unwrap());
        stage.ids.insert("api_key_id", keys["items"][0]["id"].as_i64().unwrap());
        for name in
            ["lead_id", "campaign_id", "campaign_lead_id", "view_id", "user_id", "import_id", CALLS, "action_id"]
        {
            let id = stage.fresh(server, name).await;
            stage.ids.insert(name, id);
        }
        stage
    }

    /// Creates another resource of a kind, for an operation that deletes it.
    async fn fresh(&self, server: &Server, name: &str) -> i64 {
        let admin = server.admin();
        match name {
            "lead_id" => admin.create("/api/leads", json!({ "city": "Bonn" })).await,
            "campaign_id" => admin.create("/api/campaigns", json!({ "name": unlike("Solar") })).await,
            "campaign_lead_id" => {
                let lead = admin.create("/api/leads", json!({ "city": "Ulm" })).await;
                let campaign = admin.create("/api/campaigns", json!({ "name": unlike("Wind") })).await;
                admin.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await
            }
            "view_id" => {
                let view = json!({
                    "name": unlike("Mine"), "filter": r#"{"city":"Bonn"}"#, "dates": "created_at:last-7-days",
                    "columns": "number,city", "shared": false
                });
                self.owner.create("/api/views", view).await
            }
            "user_id" => server.user(&unlike("new@example.com"), "viewer").await,
            "import_id" => import(&admin, "leads", "city\nRome\n").await["id"].as_i64().unwrap(),
            CALLS => {
                import(&admin, "calls", "original_identifier,direction\nx,inbound\n").await["id"].as_i64().unwrap()
            }
            "action_id" => {
                let lead = admin.create("/api/leads", json!({ "city": "Ulm" })).await;
                let action = json!({ "filter": { "id": lead }, "set": { "do_not_call": true } });
                admin.post("/api/leads/actions", body(action)).await.expect(200)["id"].as_i64().unwrap()
            }
            "session_id" => {
                let viewer = server.panel(&log_in(&server.anonymous(), "viewer@example.com", PASSWORD).await);
                let sessions = viewer.get("/api/sessions").await.expect(200);
                let own = sessions.as_array().unwrap().iter().find(|session| session["current"] == true).unwrap();
                own["id"].as_i64().unwrap()
            }
            "api_key_id" => made(server, "/api/api-keys", json!({ "name": "x", "scopes": ["leads:read"] })).await.0,
            "token_id" => made(server, "/api/speech-tokens", json!({ "name": "x" })).await.0,
            _ => self.ids[name],
        }
    }

    /// Returns the URL of an operation on a resource in this state. A resource to be deleted is created for the
    /// request.
    pub async fn target(&self, server: &Server, operation: &Operation, state: &str) -> String {
        let takes_away = operation.method == Method::DELETE || operation.path.ends_with("/undo");
        let takes_away = takes_away || operation.path.contains("rotate");
        let mut ids = HashMap::new();
        for name in operation.placeholders() {
            let id = match (name, state) {
                ("key", _) => "city".to_owned(),
                ("rest" | "*rest", _) => "Bonn".to_owned(),
                ("name", "absent") => "no_such_status".to_owned(),
                ("name", _) => {
                    let status = json!({ "label": "Later", "dialable": true });
                    server.admin().put("/api/statuses/later", body(status)).await.expect(200);
                    "later".to_owned()
                }
                (_, "absent") => NOTHING.to_owned(),
                (_, "of_calls") if takes_away => self.fresh(server, CALLS).await.to_string(),
                (_, "of_calls") => self.ids[CALLS].to_string(),
                (_, "there" | "-") if takes_away => self.fresh(server, name).await.to_string(),
                (_, "there" | "-") => self.ids[name].to_string(),
                (_, state) => self.calls[state].to_string(),
            };
            ids.insert(name, id);
        }
        operation.target(|name| ids[name].clone()) + &operation.query()
    }
}

/// Returns a unique name.
fn unlike(name: &str) -> String {
    format!("{:x}{name}", rand::random::<u64>())
}
