//! `Idempotency-Key`: a repeated creation returns the first response.

use serde_json::{Value, json};

use crate::harness::{Client, Response, Server, body};

/// Sends the same request twice under one key. Returns the first response.
async fn repeat(client: &Client, key: &str, path: &str, request: &str) -> Response {
    let client = client.with_header("idempotency-key", key);
    let first = client.post(path, request).await;
    assert!(first.status < 300 && first.header("idempotent-replayed").is_none(), "{path}: {}", first.text());
    let second = client.post(path, request).await;
    assert_eq!((second.status, second.header("idempotent-replayed")), (first.status, Some("true")), "{path}");
    assert_eq!((second.json(), second.header("location")), (first.json(), first.header("location")), "{path}");
    assert_eq!(second.header("etag"), first.header("etag"), "{path}");
    client.post(path, " ").await.expect_problem(400, "invalid_request");
    first
}

#[tokio::test]
async fn every_creation_can_be_repeated() {
    let server = Server::start().await;
    let (admin, manager) = (server.admin(), server.logged_in_client("manager").await);
    let lead = repeat(&admin, "lead", "/api/leads", r#"{"city":"Bonn"}"#).await.json()["id"].clone();
    repeat(&admin, "leads", "/api/leads", r#"[{"city":"Ulm"},{"city":"Rome"}]"#).await;
    let campaign = repeat(&admin, "campaign", "/api/campaigns", r#"{"name":"Spring"}"#).await.json()["id"].clone();
    let campaign_lead = body(json!({ "lead_id": lead, "campaign_id": campaign }));
    repeat(&admin, "campaign lead".replace(' ', "-").as_str(), "/api/campaign-leads", &campaign_lead).await;
    repeat(&admin, "call", "/api/calls", r#"{"direction":"inbound","status":"answered"}"#).await;
    let action = body(json!({ "lead_ids": [lead], "set": { "do_not_call": true } }));
    repeat(&admin, "action", "/api/leads/actions", &action).await;
    let user = r#"{"email":"new@example.com","password":"a long enough password","role":"viewer"}"#;
    repeat(&admin, "user", "/api/users", user).await;
    let view = json!({ "name": "Mine", "filter": r#"{"city":"Bonn"}"#, "dates": "created_at:last-7-days",
        "columns": "number,city", "shared": false });
    repeat(&manager, "view", "/api/views", &body(view)).await;
    let token_client = server.anonymous().with_header("x-speech-token", &server.create_speech_token("Acme").await);
    let search = r#"{"callback_url":"https://example.com/calls"}"#;
    repeat(&token_client, "search", "/api/speech-recognition/searches", search).await;
    let leads = admin.get("/api/leads").await.expect(200);
    assert_eq!(leads["total_leads"], 3, "nothing was created twice");
    assert_eq!(admin.get("/api/leads/actions").await.expect(200)["total"], 1);
}

#[tokio::test]
async fn import_is_started_once() {
    let (_server, admin) = Server::start_with_admin().await;
    let csv = admin.with_header("content-type", "text/csv").with_header("idempotency-key", "import");
    let first = csv.post("/api/imports/leads", "city\nBonn\nUlm\n").await.expect(202);
    let second = csv.post("/api/imports/leads", "city\nBonn\nUlm\n").await;
    assert_eq!((second.header("idempotent-replayed"), &second.expect(202)["id"]), (Some("true"), &first["id"]));
    csv.post("/api/imports/leads", "city\nRome\n").await.expect_problem(422, "idempotency_key_reused");
    csv.post("/api/imports/calls", "city\nBonn\nUlm\n").await.expect_problem(422, "idempotency_key_reused");
    assert_eq!(admin.get("/api/imports").await.expect(200)["total"], 1);
}

#[tokio::test]
async fn keys_belong_to_their_caller_and_request() {
    let server = Server::start().await;
    let first = server.client_with_scopes(&["leads:write"]).await.with_header("idempotency-key", "k");
    let second = server.client_with_scopes(&["leads:write"]).await.with_header("idempotency-key", "k");
    let lead = first.create("/api/leads", json!({ "city": "Bonn" })).await;
    assert_ne!(second.create("/api/leads", json!({ "city": "Bonn" })).await, lead);
    let reused = first.post("/api/leads", r#"{"city":"Ulm"}"#).await;
    assert_eq!(
        reused.expect_problem(422, "idempotency_key_reused"),
        ["\"\" idempotency_key_reused: this idempotency key was used for another request; use a new key"]
    );
    let campaign = r#"{"city":"Bonn"}"#;
    first.post("/api/campaigns", campaign).await.expect_problem(400, "invalid_request");
    // A refused request leaves no key.
    let refused = server.admin().with_header("idempotency-key", "r");
    refused
        .post("/api/campaign-leads", r#"{"lead_id":99,"campaign_id":99}"#)
        .await
        .expect_problem(422, "unprocessable");
    refused.create("/api/campaigns", json!({ "name": "Spring" })).await;
    for key in ["", "a b", &"x".repeat(256)] {
        let invalid = server.admin().with_header("idempotency-key", key).post("/api/leads", "{}").await;
        assert!(invalid.expect_problem(400, "invalid_parameter")[0].starts_with("\"Idempotency-Key\" "));
    }
}

#[tokio::test]
async fn repeat_returns_current_record_until_it_is_deleted() {
    let (_server, admin) = Server::start_with_admin().await;
    let create =
        async |key: &str, leads: &str| admin.with_header("idempotency-key", key).post("/api/leads", leads).await;
    let lead = create("one", r#"{"city":"Bonn"}"#).await.json()["id"].clone();
    let leads = create("two", r#"[{"city":"Ulm"},{"city":"Rome"}]"#).await.json();
    admin.patch(&format!("/api/leads/{lead}"), r#"{"city":"Kiel"}"#).await.expect(200);
    assert_eq!(create("one", r#"{"city":"Bonn"}"#).await.json()["city"], "Kiel");
    for id in [&lead, &leads[1]["id"]] {
        admin.delete(&format!("/api/leads/{id}")).await.expect(204);
    }
    for (key, request, id) in
        [("one", r#"{"city":"Bonn"}"#, &lead), ("two", r#"[{"city":"Ulm"},{"city":"Rome"}]"#, &leads[1]["id"])]
    {
        let errors = create(key, request).await.expect_problem(409, "conflict");
        let message = "an earlier request with this idempotency key created";
        assert_eq!(errors, [format!("\"\" created_record_deleted: {message} `lead:{id}`, which was deleted")]);
    }
}

#[tokio::test]
async fn secrets_are_not_repeated() {
    let server = Server::start().await;
    let admin = server.admin();
    for (path, member, request) in [
        ("/api/api-keys", "api_key", json!({ "name": "x", "scopes": ["leads:read"] })),
        ("/api/speech-tokens", "token", json!({ "name": "x" })),
    ] {
        let total = async || -> Value { admin.get(path).await.expect(200)["total"].clone() };
        let keyed = admin.with_header("idempotency-key", member);
        let created = keyed.post(path, body(request.clone())).await.expect(201);
        let before = total().await;
        let repeated = keyed.post(path, body(request)).await;
        let errors = repeated.expect_problem(409, "conflict");
        assert!(
            errors[0].contains(&format!(":{}`; its secret was only in that response", created[member]["id"])),
            "{errors:?}"
        );
        assert_eq!(total().await, before);
        keyed
            .with_header("idempotency-key", "other")
            .post(path, body(json!({ "name": "" })))
            .await
            .expect_problem(400, "invalid_request");
    }
}
