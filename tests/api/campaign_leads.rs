//! `/api/campaign-leads`: leads in campaigns, with their status and attempts.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Client, Server, body};

const PATH: &str = "/api/campaign-leads";

async fn create_lead_and_campaign(client: &Client) -> (i64, i64) {
    let campaign = client.create("/api/campaigns", json!({ "name": "Solar" })).await;
    (client.create("/api/leads", json!({ "first_name": "Ann" })).await, campaign)
}

#[tokio::test]
async fn campaign_lead_can_be_added_changed_and_removed() {
    let (server, client) = Server::start_with_admin().await;
    let (lead, campaign) = create_lead_and_campaign(&client).await;
    let created = client.post(PATH, body(json!({ "lead_id": lead, "campaign_id": campaign }))).await.expect(201);
    let path = format!("{PATH}/{}", created["id"]);
    assert_eq!(
        [&created["status"], &created["weight"], &created["calls_count"], &created["freeze_until"]],
        [&json!("new"), &json!(0), &json!(0), &Value::Null]
    );
    assert_eq!(client.get(&path).await.expect(200), created);

    server.advance(TimeDelta::hours(1));
    let user = server.create_user("ann@example.com", "viewer").await;
    let change =
        json!({ "status": "callback", "callback_at": "2026-06-01 09:30:00", "assigned_user_id": user, "weight": -5 });
    let changed = client.patch(&path, body(change)).await.expect(200);
    assert_eq!(
        [&changed["status"], &changed["callback_at"], &changed["assigned_user_id"], &changed["weight"]],
        [&json!("callback"), &json!("2026-06-01T09:30:00Z"), &json!(user), &json!(-5)]
    );
    // Changing the campaign lead also updates the lead's `global_updated_at`, for clients that poll by it.
    let stored = client.get(&format!("/api/leads/{lead}")).await.expect(200);
    assert_eq!(
        (&stored["global_updated_at"], &stored["updated_at"]),
        (&changed["updated_at"], &json!("2026-05-01T09:30:00Z"))
    );

    client.delete(&path).await.expect(204);
    client.patch(&path, r#"{"weight":1}"#).await.expect_problem(404, "not_found");
    assert_eq!(client.get(&format!("/api/leads/{lead}")).await.expect(200)["campaigns"], json!([]));
}

#[tokio::test]
async fn conditional_update_rejects_stale_versions() {
    let (server, client) = Server::start_with_admin().await;
    let (lead, campaign) = create_lead_and_campaign(&client).await;
    let campaign_lead = client.create(PATH, json!({ "lead_id": lead, "campaign_id": campaign })).await;
    for (path, first_change, second_change) in [
        (format!("/api/leads/{lead}"), r#"{"city":"Bonn"}"#, r#"{"city":null}"#),
        (format!("/api/campaigns/{campaign}"), r#"{"active":false}"#, r#"{"active":true}"#),
        (format!("{PATH}/{campaign_lead}"), r#"{"weight":5}"#, r#"{"weight":0}"#),
    ] {
        server.advance(TimeDelta::microseconds(1));
        let updated_at = client.patch(&path, first_change).await.expect(200)["updated_at"].clone();
        let conditional_path = format!("{path}?if_updated_at={}", updated_at.as_str().unwrap());
        server.advance(TimeDelta::microseconds(1));
        client.patch(&conditional_path, second_change).await.expect(200);
        let diagnostics =
            client.patch(&conditional_path, first_change).await.expect_problem(412, "precondition_failed");
        assert!(diagnostics.len() == 1 && diagnostics[0].contains("edit_conflict"), "{path}: {diagnostics:?}");
        client
            .patch(&format!("{path}?if_updated_at=yesterday"), first_change)
            .await
            .expect_problem(400, "invalid_parameter");
    }
}

#[tokio::test]
async fn lead_is_in_a_campaign_at_most_once() {
    let (_server, client) = Server::start_with_admin().await;
    let (lead, campaign) = create_lead_and_campaign(&client).await;
    let request = body(json!({ "lead_id": lead, "campaign_id": campaign }));
    client.post(PATH, request.clone()).await.expect(201);
    let diagnostics = client.post(PATH, request).await.expect_problem(409, "conflict");
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
}

#[tokio::test]
async fn campaign_lead_references_must_exist() {
    let (_server, client) = Server::start_with_admin().await;
    let (lead, campaign) = create_lead_and_campaign(&client).await;
    for (request, pointer) in [
        (json!({ "lead_id": 999, "campaign_id": campaign }), "/lead_id"),
        (json!({ "lead_id": lead, "campaign_id": 999 }), "/campaign_id"),
        (json!({ "lead_id": lead, "campaign_id": campaign, "status": "calback" }), "/status"),
    ] {
        let response = client.post(PATH, body(request)).await;
        let diagnostics = response.expect_problem(422, "unprocessable");
        assert!(diagnostics[0].starts_with(&format!("{pointer:?} ")), "{diagnostics:?}");
        if pointer == "/status" {
            assert_eq!(response.json()["errors"][0]["suggestion"]["detail"], "did you mean `callback`?");
        }
    }
    let id = client.create(PATH, json!({ "lead_id": lead, "campaign_id": campaign })).await;
    client.patch(&format!("{PATH}/{id}"), r#"{"status":"calback"}"#).await.expect_problem(422, "unprocessable");
    for invalid_change in [r#"{"lead_id":2}"#, r#"{"campaign_id":2}"#, r#"{"status":null}"#] {
        client.patch(&format!("{PATH}/{id}"), invalid_change).await.expect_problem(400, "invalid_request");
    }
    let diagnostics = client.post(PATH, "{\"weight\":\"5\"}").await.expect_problem(400, "invalid_request");
    assert_eq!(diagnostics.len(), 3, "expected errors for the weight and both missing ids: {diagnostics:?}");
}

#[tokio::test]
async fn daily_counters_reset_at_midnight() {
    let (server, client) = Server::start_with_admin().await;
    let (lead, campaign) = create_lead_and_campaign(&client).await;
    let request = json!({ "lead_id": lead, "campaign_id": campaign, "calls_count": 3, "calls_today": 2,
        "last_call_at": "2026-05-01T09:00:00Z" });
    let created = client.post(PATH, body(request)).await.expect(201);
    let path = format!("{PATH}/{}", created["id"]);
    let calls_today = async || {
        let count = client.get(&path).await.expect(200)["calls_today"].clone();
        let found = client.put("/api/leads/extended-data", r#"{"campaign_id":{"gte":1}}"#).await.expect(200);
        assert_eq!(found["leads"][0]["campaigns"][0]["calls_today"], count, "a search returns the same count");
        count
    };
    assert_eq!((&created["calls_today"], calls_today().await), (&json!(2), json!(2)));
    server.advance(TimeDelta::days(1));
    assert_eq!(calls_today().await, 0);
    assert_eq!(client.patch(&path, r#"{"weight":1}"#).await.expect(200)["calls_today"], 0);
    assert_eq!(client.get(&path).await.expect(200)["calls_count"], 3);
}
