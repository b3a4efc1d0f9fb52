//! `GET /api/audit-log`: records every change with its actor, and never a secret.

use serde_json::{Value, json};

use crate::harness::{PASSWORD, Server, body, log_in, wav};

const PATH: &str = "/api/audit-log";

#[tokio::test]
async fn audit_log_records_every_change_with_its_actor() {
    let server = Server::start().await;
    let user = server.create_user("ann@example.com", "admin").await;
    let login = log_in(&server.anonymous(), "ann@example.com", PASSWORD).await;
    let client = server.panel_client(&login).with_header("x-request-id", "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f");
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    client.patch(&format!("/api/campaigns/{campaign}"), r#"{"active":false}"#).await.expect(200);
    let lead = client.create("/api/leads", json!({ "first_name": "Clementine", "phone": "+1 212 555 0142" })).await;
    client.patch(&format!("/api/leads/{lead}"), r#"{"city":"Bonn"}"#).await.expect(200);
    let campaign_lead = client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    client.patch(&format!("/api/campaign-leads/{campaign_lead}"), r#"{"weight":5}"#).await.expect(200);
    client.put("/api/statuses/later", r#"{"label":"Later","dialable":true}"#).await.expect(200);
    let call = client.create_call().await;
    client.patch(&format!("/api/calls/{call}"), r#"{"status":"busy"}"#).await.expect(200);
    client.upload_recording(call, wav(1, 2.0)).await;
    let token = client.post("/api/speech-tokens", r#"{"name":"Acme"}"#).await.expect(201);
    let token_path = format!("/api/speech-tokens/{}", token["token"]["id"]);
    let rotated = client.post(&format!("{token_path}/rotate"), "").await.expect(200);
    let submission = json!({ "call_ids": [call], "languages": ["en"], "recording_side": "both" });
    client.post(&format!("{token_path}/submissions"), body(submission)).await.expect(200);
    client.delete(&token_path).await.expect(200);
    let key = client.post("/api/api-keys", r#"{"name":"Nightly","scopes":["leads:read"]}"#).await.expect(201);
    client.delete(&format!("/api/api-keys/{}", key["api_key"]["id"])).await.expect(200);
    let request = json!({ "email": "bob@example.com", "password": "bright tin whistle song", "role": "viewer" });
    let bob_id = client.create("/api/users", request).await;
    client.patch(&format!("/api/users/{bob_id}"), r#"{"role":"manager"}"#).await.expect(200);
    client.delete(&format!("/api/users/{bob_id}")).await.expect(204);
    client.with_header("content-type", "text/csv").post("/api/imports/leads", "id\n").await.expect(202);
    client.delete(&format!("/api/campaign-leads/{campaign_lead}")).await.expect(204);
    client.delete("/api/statuses/later").await.expect(204);
    client.delete(&format!("/api/leads/{lead}")).await.expect(204);
    client.delete(&format!("/api/campaigns/{campaign}")).await.expect(204);
    client.delete("/api/session").await.expect(204);
    log_in(&server.anonymous(), "ann@example.com", "a wrong password").await.expect_problem(401, "invalid_login");

    let response = server.admin().get(PATH).await;
    let page = response.expect(200);
    let entries = page["items"].as_array().unwrap();
    let actor = format!("user:{user}");
    let own_entries: Vec<_> = entries.iter().rev().filter(|entry| entry["actor"] == actor.as_str()).collect();
    let actions: Vec<_> = own_entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    let expected = [
        "session.create",
        "campaign.create",
        "campaign.update",
        "lead.create",
        "lead.update",
        "campaign_lead.create",
        "campaign_lead.update",
        "status.save",
        "call.create",
        "call.update",
        "recording.upload",
        "speech_token.create",
        "speech_token.rotate",
        "speech.submit",
        "speech_token.revoke",
        "api_key.create",
        "api_key.revoke",
        "user.create",
        "user.update",
        "user.delete",
        "import.create",
        "campaign_lead.delete",
        "status.delete",
        "lead.delete",
        "campaign.delete",
        "session.delete",
    ];
    assert_eq!(actions, expected);
    assert!(own_entries[1..].iter().all(|entry| entry["request_id"] == "0190f3a2-7d4e-7c3b-9f60-5a1c2b3d4e5f"
        && entry["created_at"] == "2026-05-01T09:30:00Z"));
    assert_eq!(
        (&own_entries[3]["subject"], &own_entries[3]["subject_name"]),
        (&json!(format!("lead:{lead}")), &json!(null)),
        "the name is gone"
    );
    let token_entry = own_entries.iter().find(|entry| entry["action"] == "speech_token.create").unwrap();
    assert_eq!(token_entry["subject_name"], "Acme");
    let ids: Vec<_> = entries.iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
    assert!(ids.is_sorted_by(|previous, next| previous > next), "newest first");
    assert!(entries.iter().any(|entry| entry["action"] == "session.reject" && entry["actor"] == "anonymous"));

    let secret_of = |value: &Value| value["secret"].as_str().unwrap().to_owned();
    let csrf_token = login.json()["csrf_token"].as_str().unwrap().to_owned();
    for secret_text in [
        secret_of(&token),
        secret_of(&rotated),
        secret_of(&key),
        csrf_token,
        crate::harness::session_cookie(&login),
        PASSWORD.to_owned(),
        "bright tin whistle song".to_owned(),
        "2125550142".to_owned(),
        "Clementine".to_owned(),
        "argon2".to_owned(),
    ] {
        assert!(!response.text().contains(&secret_text), "the log contains {secret_text}");
    }
}

#[tokio::test]
async fn audit_log_omits_rejected_and_empty_changes() {
    let (_server, client) = Server::start_with_admin().await;
    let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    let total_before = client.get(PATH).await.expect(200)["total"].clone();
    client.patch(&format!("/api/leads/{lead}"), r#"{"first_name":"Ann"}"#).await.expect(200);
    client.patch(&format!("/api/leads/{lead}"), r#"{"first_name":5}"#).await.expect_problem(400, "invalid_request");
    client.delete("/api/leads/999").await.expect_problem(404, "not_found");
    assert_eq!(client.get(PATH).await.expect(200)["total"], total_before);
}

#[tokio::test]
async fn audit_log_can_be_filtered() {
    let (_server, client) = Server::start_with_admin().await;
    let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    client.patch(&format!("/api/leads/{lead}"), r#"{"city":"Bonn"}"#).await.expect(200);
    client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    let matching_actions = async |query: &str| {
        let page = client.get(&format!("{PATH}?{query}")).await.expect(200);
        let actions =
            page["items"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap().to_owned());
        actions.collect::<Vec<_>>()
    };
    assert_eq!(matching_actions(&format!("subject=lead:{lead}")).await, ["lead.update", "lead.create"]);
    assert_eq!(matching_actions("action=lead.update").await, ["lead.update"]);
    assert_eq!(matching_actions("action=campaign&actor=api_key").await, ["campaign.create"]);
    assert_eq!(matching_actions("action=lead&till=2026-04-30 23:59:59").await, Vec::<String>::new());
    assert_eq!(matching_actions("action=lead&from=2026-05-01 00:00:00&limit=1;0").await, ["lead.update"]);
    client.get(&format!("{PATH}?from=yesterday")).await.expect_problem(400, "invalid_parameter");
    client.get(&format!("{PATH}?who=ann")).await.expect_problem(400, "unknown_parameter");
}

#[tokio::test]
async fn retention_periods_are_reported() {
    let server = Server::start_configured(|config| config.retention.transcript_days = 30).await;
    let periods = server.admin().get("/api/retention").await.expect(200);
    let expected = json!({ "transcript_days": 30, "recording_days": null, "delivery_days": 90, "change_days": 90, "import_undo_days": 30 });
    assert_eq!(periods, expected);
}

#[tokio::test]
async fn lead_history_lists_changes_of_the_lead() {
    let (_server, client) = Server::start_with_admin().await;
    let lead = client.create("/api/leads", json!({ "first_name": "Ann" })).await;
    client.create("/api/leads", json!({ "first_name": "Bob" })).await;
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    client.create("/api/campaign-leads", json!({ "lead_id": lead, "campaign_id": campaign })).await;
    client.patch(&format!("/api/leads/{lead}"), r#"{"city":"Bonn"}"#).await.expect(200);

    let path = format!("{PATH}/leads/{lead}");
    let page = client.get(&path).await.expect(200);
    let actions: Vec<_> = page["items"].as_array().unwrap().iter().map(|entry| entry["action"].clone()).collect();
    assert_eq!(actions, ["lead.update", "campaign_lead.create", "lead.create"]);
    assert_eq!((&page["total"], &page["items"][0]["fields"]), (&json!(3), &json!(["city"])));
    let second = client.get(&format!("{path}?limit=1;1")).await.expect(200);
    assert_eq!(second["items"], json!([page["items"][1]]));
    assert_eq!(client.get(&format!("{PATH}/leads/999")).await.expect(200), json!({ "items": [], "total": 0 }));
    client.get(&format!("{PATH}/leads/ann")).await.expect_problem(400, "invalid_parameter");
}

#[tokio::test]
async fn token_is_the_actor_when_it_is_the_only_credential() {
    let server = Server::start().await;
    let token = server.create_speech_token("Quality team").await;
    let call = server.create_recorded_call(json!({})).await;
    server.submit_call(call, &token).await;
    let id = server.admin().get("/api/speech-tokens").await.expect(200)["items"][0]["id"].take();
    let page = server.admin().get(&format!("{PATH}?action=speech.submit")).await.expect(200);
    let actor = format!("speech_token:{id}");
    assert_eq!((&page["total"], &page["items"][0]["actor"]), (&json!(1), &json!(actor)));
}
