//! Test data: one of each resource, and calls in every state of their transcription.

use std::collections::HashMap;

use chrono::TimeDelta;
use leadscribe_engine::api::RecordingSide::Caller;
use leadscribe_engine::diagnostic::Message;
use reqwest::Method;
use serde_json::json;

use super::super::document::Operation;
use super::super::imports::import;
use super::identities::{Identities, create_credential};
use crate::harness::{Client, PASSWORD, Server, body, log_in};

/// Id that doesn't exist.
const MISSING_ID: &str = "987654321";

const CALL_IMPORT: &str = "import of calls";

/// Returns the states to test. A call's transcript is ready, pending, gone or missing. An import is of leads or of
/// calls. Any other resource exists or doesn't.
pub fn states(operation: &Operation) -> &'static [&'static str] {
    if operation.path.ends_with("{call_id}/transcript") || operation.path == "/api/speech-recognition/{call_id}" {
        &["ready", "queued", "failed", "purged", "never_sent", "absent"]
    } else if operation.placeholders().contains(&"import_id") {
        &["present", "of_calls", "absent"]
    } else if operation.placeholders().iter().any(|name| name.ends_with("_id") || *name == "name") {
        &["present", "absent"]
    } else {
        &["-"]
    }
}

/// One of each resource.
pub struct MatrixData {
    /// Ids by the name of their placeholder.
    ids: HashMap<&'static str, i64>,
    /// Calls by the state of their transcription.
    calls: HashMap<&'static str, i64>,
    /// Owner of the view that isn't shared.
    view_owner: Client,
}

impl MatrixData {
    pub async fn create(server: &Server, identities: &Identities) -> Self {
        let admin = server.admin();
        let owner_secret = &identities.owner_secret;
        let lines = [(Caller, "the invoice is wrong")];
        let purged = server.create_transcribed_call(owner_secret, json!({}), &lines).await;
        server.purge_transcripts().await;
        server.advance(TimeDelta::minutes(1));
        let ready = server.create_transcribed_call(owner_secret, json!({}), &lines).await;
        let failed = server.create_recorded_call(json!({})).await;
        server.submit_call(failed, owner_secret).await;
        server.fail_transcription(failed, Message::from_stored("it is broken".to_owned())).await;
        let queued = server.create_recorded_call(json!({})).await;
        server.submit_call(queued, owner_secret).await;
        let never_sent = server.create_recorded_call(json!({})).await;
        let calls = HashMap::from([
            ("ready", ready),
            ("failed", failed),
            ("queued", queued),
            ("purged", purged),
            ("never_sent", never_sent),
        ]);

        let token_client = server.anonymous().with_header("x-speech-token", owner_secret);
        let search = "/api/speech-recognition?search=invoice&callback_url=https://example.com/calls";
        let speech_request_id = token_client.get(search).await.expect(202)["speech_request_id"].as_i64().unwrap();
        let deliveries = admin.get("/api/deliveries").await.expect(200);
        let tokens = admin.get("/api/speech-tokens").await.expect(200);
        let token = tokens["items"].as_array().unwrap().iter().find(|token| token["name"] == "Own").unwrap();
        let keys = admin.get("/api/api-keys").await.expect(200);
        let owner = server.panel_client(&log_in(&server.anonymous(), "manager@example.com", PASSWORD).await);
        let mut data = Self { ids: HashMap::new(), calls, view_owner: owner };
        data.ids.insert("call_id", ready);
        data.ids.insert("speech_request_id", speech_request_id);
        data.ids.insert("delivery_id", deliveries["items"][0]["id"].as_i64().unwrap());
        data.ids.insert("token_id", token["id"].as_i64().unwrap());
        data.ids.insert("api_key_id", keys["items"][0]["id"].as_i64().unwrap());
        for name in [
            "lead_id",
            "campaign_id",
            "campaign_lead_id",
            "view_id",
            "user_id",
            "import_id",
            CALL_IMPORT,
            "action_id",
            "webhook_id",
        ] {
            let id = data.create_resource(server, name).await;
            data.ids.insert(name, id);
        }
        data
    }

    /// Creates another resource of a kind, for an operation that deletes it.
    async fn create_resource(&self, server: &Server, name: &str) -> i64 {
        let admin = server.admin();
        match name {
            "lead_id" => admin.create("/api/leads", json!({ "city": "Bonn" })).await,
            "campaign_id" => admin.create("/api/campaigns", json!({ "name": unique_name("Solar") })).await,
            "campaign_lead_id" => {
                let lead = admin.create("/api/leads", json!({ "city": "Ulm" })).await;
                let campaign = admin.create("/api/campaigns", json!({ "name": unique_name("Wind") })).await;
                admin.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await
            }
            "view_id" => {
                let view = json!({
                    "name": unique_name("Mine"), "filter": r#"{"city":"Bonn"}"#, "dates": "created_at:last-7-days",
                    "columns": "number,city", "shared": false
                });
                self.view_owner.create("/api/views", view).await
            }
            "webhook_id" => {
                let (url, token) = ("https://example.com/events", self.ids["token_id"]);
                let webhook = json!({ "url": url, "events": ["transcript.completed"], "token_id": token });
                let created = admin.post("/api/webhooks", body(webhook)).await.expect(201);
                created["webhook"]["id"].as_i64().unwrap()
            }
            "user_id" => server.create_user(&unique_name("new@example.com"), "viewer").await,
            "import_id" => import(&admin, "leads", "city\nRome\n").await["id"].as_i64().unwrap(),
            CALL_IMPORT => {
                import(&admin, "calls", "original_identifier,direction\nx,inbound\n").await["id"].as_i64().unwrap()
            }
            "action_id" => {
                let lead = admin.create("/api/leads", json!({ "city": "Ulm" })).await;
                let action = json!({ "filter": { "id": lead }, "set": { "do_not_call": true } });
                admin.post("/api/leads/actions", body(action)).await.expect(200)["id"].as_i64().unwrap()
            }
            "session_id" => {
                let viewer = server.panel_client(&log_in(&server.anonymous(), "viewer@example.com", PASSWORD).await);
                let sessions = viewer.get("/api/sessions").await.expect(200);
                let current_session =
                    sessions.as_array().unwrap().iter().find(|session| session["current"] == true).unwrap();
                current_session["id"].as_i64().unwrap()
            }
            "api_key_id" => {
                create_credential(server, "/api/api-keys", json!({ "name": "x", "scopes": ["leads:read"] })).await.0
            }
            "token_id" => create_credential(server, "/api/speech-tokens", json!({ "name": "x" })).await.0,
            _ => self.ids[name],
        }
    }

    /// Returns the URL of an operation on a resource in this state. A resource to be deleted is created for the
    /// request.
    pub async fn url_for(&self, server: &Server, operation: &Operation, state: &str) -> String {
        let removes_resource = operation.method == Method::DELETE || operation.path.ends_with("/undo");
        let removes_resource = removes_resource || operation.path.contains("rotate");
        let mut ids = HashMap::new();
        for name in operation.placeholders() {
            let id = match (name, state) {
                ("key", _) => "city".to_owned(),
                ("rest" | "*rest", _) => "Bonn".to_owned(),
                ("original_identifier", _) => "crm-7".to_owned(),
                ("name", "absent") => "no_such_status".to_owned(),
                ("name", _) => {
                    let status = json!({ "label": "Later", "dialable": true });
                    server.admin().put("/api/statuses/later", body(status)).await.expect(200);
                    "later".to_owned()
                }
                (_, "absent") => MISSING_ID.to_owned(),
                (_, "of_calls") if removes_resource => self.create_resource(server, CALL_IMPORT).await.to_string(),
                (_, "of_calls") => self.ids[CALL_IMPORT].to_string(),
                (_, "present" | "-") if removes_resource => self.create_resource(server, name).await.to_string(),
                (_, "present" | "-") => self.ids[name].to_string(),
                (_, state) => self.calls[state].to_string(),
            };
            ids.insert(name, id);
        }
        operation.path_with(|name| ids[name].clone()) + &operation.required_query()
    }
}

fn unique_name(name: &str) -> String {
    format!("{:x}{name}", rand::random::<u64>())
}
