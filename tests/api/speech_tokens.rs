//! `/api/speech-tokens`: secrets shown once, rotation that keeps what a token owns, and revocation.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Server, body, wav};

const PATH: &str = "/api/speech-tokens";

async fn sent(client: &Client, secret: &str, call: i64) -> Answer {
    let submission = json!({ "call_ids": [call], "token": secret, "languages": ["en"], "recording_side": "both" });
    client.post("/api/speech-recognition", body(submission)).await
}

async fn ready_call(client: &Client) -> i64 {
    let call = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    let audio = client.with_header("content-type", "audio/wav");
    audio.put(&format!("/api/calls/{call}/recording"), wav(1, 2.0)).await.expect(200);
    call
}

async fn listed(client: &Client, id: &Value) -> Value {
    let tokens = client.get(PATH).await.expect(200);
    tokens["items"].as_array().unwrap().iter().find(|token| token["id"] == *id).unwrap().clone()
}

#[tokio::test]
async fn rotated_token_keeps_its_transcripts() {
    let server = Server::start().await;
    let client = server.admin();
    let call = ready_call(&client).await;
    let created = client.post(PATH, r#"{"name":" Acme "}"#).await.expect(201);
    let (id, old) = (&created["token"]["id"], created["secret"].as_str().unwrap());
    assert!(old.starts_with("ls_tok_") && !client.get(PATH).await.text().contains(old));
    assert_eq!(created["token"]["name"], "Acme");
    sent(&server.anonymous(), old, call).await.expect(200);
    assert_eq!(listed(&client, id).await["transcriptions"], 1);

    let rotated = client.post(&format!("{PATH}/{id}/rotate"), "").await.expect(200);
    let new = rotated["secret"].as_str().unwrap();
    assert_ne!(new, old);
    assert_eq!((&rotated["token"]["id"], &rotated["token"]["transcriptions"]), (id, &json!(1)));
    assert!(rotated["token"]["rotated_at"].is_string());
    sent(&server.anonymous(), old, call).await.refused(401, "invalid_token");
    let again = sent(&server.anonymous(), new, call).await.expect(200);
    assert_eq!(again["results"]["calls"][call.to_string()]["reason"], "already_sent");
}

#[tokio::test]
async fn revoked_token_is_rejected_before_reading_calls() {
    let server = Server::start().await;
    let client = server.admin();
    let call = ready_call(&client).await;
    let created = client.post(PATH, r#"{"name":"Acme"}"#).await.expect(201);
    let (id, secret) = (&created["token"]["id"], created["secret"].as_str().unwrap());
    let path = format!("{PATH}/{id}");
    let revoked = client.delete(&path).await.expect(200);
    assert!(revoked["revoked_at"].is_string());
    assert_eq!(client.delete(&path).await.expect(200), revoked, "revoking twice changes nothing");
    // The response doesn't depend on the call, so that it reveals nothing about calls.
    let answers =
        [sent(&client, secret, call).await, sent(&client, secret, 999).await, sent(&client, "ls_tok_no", call).await];
    for answer in &answers {
        answer.refused(401, "invalid_token");
        assert_eq!(answer.json()["detail"], answers[0].json()["detail"]);
    }
    assert_eq!(client.get(&format!("/api/calls/{call}")).await.expect(200)["transcription_state"], Value::Null);
    client.post(&format!("{path}/rotate"), "").await.refused(409, "conflict");
    for method in ["", "/rotate"] {
        let path = format!("{PATH}/999{method}");
        let answer = if method.is_empty() { client.delete(&path).await } else { client.post(&path, "").await };
        answer.refused(404, "not_found");
    }
}

#[tokio::test]
async fn staff_submit_for_a_token_without_its_secret() {
    let server = Server::start().await;
    let client = server.admin();
    let call = ready_call(&client).await;
    let id = client.post(PATH, r#"{"name":"Acme"}"#).await.expect(201)["token"]["id"].clone();
    let path = format!("{PATH}/{id}/submissions");
    let asked = json!({ "call_ids": [call], "languages": ["en"], "recording_side": "both" });
    server.staff("viewer").await.post(&path, body(asked.clone())).await.refused(403, "forbidden");
    server.with_scopes(&["speech:submit"]).await.post(&path, body(asked.clone())).await.refused(403, "forbidden");
    server.anonymous().post(&path, body(asked.clone())).await.refused(401, "unauthenticated");
    let answer = server.staff("manager").await.post(&path, body(asked.clone())).await.expect(200);
    assert_eq!(answer["results"]["calls"][call.to_string()]["status"], "accepted");
    let token = listed(&client, &id).await;
    assert_eq!(token["transcriptions"], 1);
    assert!(token["last_used_at"].is_string(), "{token}");
    let mut named = asked.clone();
    named["token"] = json!("ls_tok_x");
    let faults = client.post(&path, body(named)).await.refused(400, "invalid_request");
    assert!(faults[0].starts_with("\"/token\" "), "{faults:?}");
    client.post(&format!("{PATH}/999/submissions"), body(asked.clone())).await.refused(404, "not_found");
    client.delete(&format!("{PATH}/{id}")).await.expect(200);
    client.post(&path, body(asked)).await.refused(409, "conflict");
}

#[tokio::test]
async fn token_requires_a_name() {
    let server = Server::start().await;
    for name in ["", "   ", "a\u{7}", &"x".repeat(101)] {
        let faults = server.admin().post(PATH, body(json!({ "name": name }))).await.refused(400, "invalid_request");
        assert!(faults[0].starts_with("\"/name\" invalid_name"), "{faults:?}");
    }
    server.with_scopes(&["speech:read"]).await.post(PATH, r#"{"name":"x"}"#).await.refused(403, "forbidden");
}
