//! `/api/speech-tokens`: secrets shown once, rotation that keeps what a token owns, and revocation.

use serde_json::{Value, json};

use crate::harness::{Client, Response, Server, body, wav};

const PATH: &str = "/api/speech-tokens";

async fn submit(client: &Client, secret: &str, call: i64) -> Response {
    let submission = json!({ "call_ids": [call], "token": secret, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition", body(submission)).await
}

async fn listed_token(client: &Client, id: &Value) -> Value {
    let tokens = client.get(PATH).await.expect(200);
    tokens["items"].as_array().unwrap().iter().find(|token| token["id"] == *id).unwrap().clone()
}

#[tokio::test]
async fn rotated_token_keeps_its_transcripts() {
    let (server, client) = Server::start_with_admin().await;
    let call = client.create_recorded_call(wav(1, 2.0)).await;
    let created = client.post(PATH, r#"{"name":" Acme "}"#).await.expect(201);
    let (id, old_secret) = (&created["token"]["id"], created["secret"].as_str().unwrap());
    assert!(old_secret.starts_with("ls_tok_") && !client.get(PATH).await.text().contains(old_secret));
    assert_eq!(created["token"]["name"], "Acme");
    submit(&server.anonymous(), old_secret, call).await.expect(200);
    assert_eq!(listed_token(&client, id).await["transcriptions"], 1);

    let rotated = client.post(&format!("{PATH}/{id}/rotate"), "").await.expect(200);
    let new_secret = rotated["secret"].as_str().unwrap();
    assert_ne!(new_secret, old_secret);
    assert_eq!((&rotated["token"]["id"], &rotated["token"]["transcriptions"]), (id, &json!(1)));
    assert!(rotated["token"]["rotated_at"].is_string());
    submit(&server.anonymous(), old_secret, call).await.expect_problem(401, "invalid_token");
    let resubmission = submit(&server.anonymous(), new_secret, call).await.expect(200);
    assert_eq!(resubmission["results"]["calls"][call.to_string()]["reason"], "already_sent");
}

#[tokio::test]
async fn revoked_token_is_rejected_before_reading_calls() {
    let (_server, client) = Server::start_with_admin().await;
    let call = client.create_recorded_call(wav(1, 2.0)).await;
    let created = client.post(PATH, r#"{"name":"Acme"}"#).await.expect(201);
    let (id, secret) = (&created["token"]["id"], created["secret"].as_str().unwrap());
    let path = format!("{PATH}/{id}");
    let revoked = client.delete(&path).await.expect(200);
    assert!(revoked["revoked_at"].is_string());
    assert_eq!(client.delete(&path).await.expect(200), revoked, "revoking twice changes nothing");
    // The response doesn't depend on the call, so that it reveals nothing about calls.
    let responses = [
        submit(&client, secret, call).await,
        submit(&client, secret, 999).await,
        submit(&client, "ls_tok_no", call).await,
    ];
    for response in &responses {
        response.expect_problem(401, "invalid_token");
        assert_eq!(response.json()["detail"], responses[0].json()["detail"]);
    }
    assert_eq!(client.get(&format!("/api/calls/{call}")).await.expect(200)["transcription_state"], Value::Null);
    client.post(&format!("{path}/rotate"), "").await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn staff_submit_for_a_token_without_its_secret() {
    let (server, client) = Server::start_with_admin().await;
    let call = client.create_recorded_call(wav(1, 2.0)).await;
    let id = client.post(PATH, r#"{"name":"Acme"}"#).await.expect(201)["token"]["id"].clone();
    let path = format!("{PATH}/{id}/submissions");
    let request = json!({ "call_ids": [call], "languages": ["en"], "recording_side": "both" });
    let response = server.logged_in_client("manager").await.post(&path, body(request.clone())).await.expect(200);
    assert_eq!(response["results"]["calls"][call.to_string()]["status"], "accepted");
    let token = listed_token(&client, &id).await;
    assert_eq!(token["transcriptions"], 1);
    assert!(token["last_used_at"].is_string(), "{token}");
    let mut request_with_token = request.clone();
    request_with_token["token"] = json!("ls_tok_x");
    let diagnostics = client.post(&path, body(request_with_token)).await.expect_problem(400, "invalid_request");
    assert!(diagnostics[0].starts_with("\"/token\" "), "{diagnostics:?}");
    client.post(&format!("{PATH}/999/submissions"), body(request.clone())).await.expect_problem(404, "not_found");
    client.delete(&format!("{PATH}/{id}")).await.expect(200);
    client.post(&path, body(request)).await.expect_problem(409, "conflict");
}

#[tokio::test]
async fn token_requires_a_name() {
    let server = Server::start().await;
    for name in ["", "   ", "a\u{7}", &"x".repeat(101)] {
        let diagnostics =
            server.admin().post(PATH, body(json!({ "name": name }))).await.expect_problem(400, "invalid_request");
        assert!(diagnostics[0].starts_with("\"/name\" invalid_name"), "{diagnostics:?}");
    }
}
