//! `POST /api/speech-recognition`: accepted calls, skipped calls with their reasons, and rejected requests.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::harness::{Client, Server, body, wav};

const PATH: &str = "/api/speech-recognition";

/// Recording of a test's call.
#[derive(Clone, Copy)]
enum TestRecording {
    /// In this state, without audio.
    State(&'static str),
    /// Ready: channels, seconds.
    Wav(u16, f64),
}

/// Creates a call and returns its id.
async fn create_call(client: &Client, recording: TestRecording) -> i64 {
    let state = if let TestRecording::State(state) = recording { state } else { "none" };
    let request = json!({ "direction": "outbound", "status": "answered", "recording_state": state });
    let id = client.post("/api/calls", body(request)).await.expect(201)["id"].as_i64().unwrap();
    if let TestRecording::Wav(channels, seconds) = recording {
        client.upload_recording(id, wav(channels, seconds)).await;
    }
    id
}

/// Returns a valid submission.
fn submission(token: &str, call_ids: &[i64]) -> Value {
    json!({ "call_ids": call_ids, "token": token, "languages": ["en"], "recording_side": "both" })
}

/// Returns the value with some members replaced.
fn with_members(mut value: Value, replacements: Value) -> Value {
    for (name, replacement) in replacements.as_object().unwrap() {
        value[name] = replacement.clone();
    }
    value
}

async fn submit(client: &Client, submission: Value) -> Value {
    client.post(PATH, body(submission)).await.expect(200)["results"]["calls"].clone()
}

/// Returns the reason for a skipped call, else its status.
fn call_outcome(calls: &Value, id: i64) -> &str {
    let entry = &calls[id.to_string()];
    entry["reason"].as_str().or(entry["status"].as_str()).unwrap_or("no entry")
}

#[tokio::test]
async fn each_call_is_accepted_or_skipped_with_a_reason() {
    let server = Server::start().await;
    let (client, token) = (server.admin(), server.create_speech_token("Acme").await);
    let early_call = create_call(&client, TestRecording::State("none")).await;
    server.advance(TimeDelta::hours(1));
    let start = server.now();
    let call_without_recording = create_call(&client, TestRecording::State("none")).await;
    let call_with_pending_recording = create_call(&client, TestRecording::State("pending")).await;
    let call_with_failed_recording = create_call(&client, TestRecording::State("failed")).await;
    let short_call = create_call(&client, TestRecording::Wav(2, 0.4)).await;
    let mono_call = create_call(&client, TestRecording::Wav(1, 2.0)).await;
    let submitted_call = create_call(&client, TestRecording::Wav(2, 2.0)).await;
    let accepted_call = create_call(&client, TestRecording::Wav(2, 2.0)).await;
    assert_eq!(call_outcome(&submit(&client, submission(&token, &[submitted_call])).await, submitted_call), "accepted");

    let ids = [
        accepted_call,
        submitted_call,
        mono_call,
        short_call,
        call_with_failed_recording,
        call_with_pending_recording,
        call_without_recording,
        early_call,
        999_999,
        accepted_call,
        accepted_call,
    ];
    let request = with_members(submission(&token, &ids), json!({ "recording_side": "caller", "from": start }));
    let calls = submit(&client, request).await;

    let skipped = |reason: &str, message: &str| json!({ "status": "skipped", "reason": reason, "message": message });
    assert_eq!(calls["999999"], skipped("not_found", "There is no such call."));
    assert_eq!(calls[early_call.to_string()], skipped("out_of_range", "The call was created outside the given range."));
    assert_eq!(calls[call_without_recording.to_string()], skipped("recording_missing", "The call has no recording."));
    assert_eq!(
        calls[call_with_pending_recording.to_string()],
        skipped("recording_pending", "The recording is still being prepared.")
    );
    assert_eq!(
        calls[call_with_failed_recording.to_string()],
        skipped("recording_failed", "The recording could not be prepared.")
    );
    assert_eq!(
        calls[short_call.to_string()],
        skipped("too_short", "The recording is shorter than the minimum duration.")
    );
    let one_channel = "The recording has one channel, so one side can't be transcribed alone.";
    assert_eq!(calls[mono_call.to_string()], skipped("side_unavailable", one_channel));
    assert_eq!(calls[submitted_call.to_string()], skipped("already_sent", "The call was already sent."));
    assert_eq!(calls[accepted_call.to_string()]["status"], "accepted");
    assert!(calls[accepted_call.to_string()]["transcription_id"].as_i64().is_some_and(|id| id > 0), "{calls}");
    assert_eq!(calls.as_object().unwrap().len(), 9, "a repeated call has one entry: {calls}");

    let stored = client.get(&format!("/api/calls/{accepted_call}")).await.expect(200);
    assert_eq!(stored["transcription_state"], "queued");
    let stored = client.get(&format!("/api/calls/{mono_call}")).await.expect(200);
    assert_eq!(stored["transcription_state"], Value::Null);
}

#[tokio::test]
async fn dry_run_reports_verdicts_and_minutes_without_queueing() {
    let server = Server::start().await;
    let (client, token) = (server.admin(), server.create_speech_token("Acme").await);
    let (first, second) = (
        create_call(&client, TestRecording::Wav(1, 60.0)).await,
        create_call(&client, TestRecording::Wav(1, 30.0)).await,
    );
    let call_without_recording = create_call(&client, TestRecording::State("none")).await;
    let request = body(submission(&token, &[first, second, call_without_recording]));
    let response = client.post(&format!("{PATH}?dry_run=true"), request).await.expect(200);
    assert_eq!(response["total_minutes"], 1.5);
    let calls = &response["results"]["calls"];
    assert_eq!(calls[first.to_string()], json!({ "status": "accepted" }));
    assert_eq!(call_outcome(calls, call_without_recording), "recording_missing");
    let stored = client.get(&format!("/api/calls/{first}")).await.expect(200);
    assert_eq!(stored["transcription_state"], Value::Null);

    let accepted = client.post(PATH, body(submission(&token, &[first]))).await.expect(200);
    assert_eq!(call_outcome(&accepted["results"]["calls"], first), "accepted");
    assert_eq!(accepted.get("total_minutes"), None);
    client
        .post(&format!("{PATH}?dry_run=perhaps"), body(submission(&token, &[first])))
        .await
        .expect_problem(400, "invalid_parameter");
    client
        .post(&format!("{PATH}?dryrun=true"), body(submission(&token, &[first])))
        .await
        .expect_problem(400, "unknown_parameter");
}

#[tokio::test]
async fn idempotency_key_replays_the_first_response() {
    let server = Server::start().await;
    let (token, other_token) = (server.create_speech_token("Acme").await, server.create_speech_token("Other").await);
    let client = server.admin();
    let (id, next_call) = (
        create_call(&client, TestRecording::Wav(1, 2.0)).await,
        create_call(&client, TestRecording::Wav(1, 2.0)).await,
    );
    let client_with_key = client.with_header("idempotency-key", "order-66");
    let first = client_with_key.post(PATH, body(submission(&token, &[id]))).await.expect(200);
    assert_eq!(call_outcome(&first["results"]["calls"], id), "accepted");
    let replayed = client_with_key.post(PATH, body(submission(&token, &[id]))).await;
    assert_eq!(replayed.expect(200), first);
    assert_eq!(replayed.header("idempotent-replayed"), Some("true"));

    client_with_key
        .post(PATH, body(submission(&token, &[next_call])))
        .await
        .expect_problem(422, "idempotency_key_reused");
    let unsubmitted_call = client.get(&format!("/api/calls/{next_call}")).await.expect(200);
    assert_eq!(unsubmitted_call["transcription_state"], Value::Null);
    // Idempotency keys are scoped to their token.
    let foreign_response = client_with_key.post(PATH, body(submission(&other_token, &[next_call]))).await.expect(200);
    assert_eq!(call_outcome(&foreign_response["results"]["calls"], next_call), "accepted");

    for key in ["", &"k".repeat(256)] {
        let client_with_bad_key = client.with_header("idempotency-key", key);
        client_with_bad_key.post(PATH, body(submission(&token, &[id]))).await.expect_problem(400, "invalid_parameter");
    }
}

#[tokio::test]
async fn stored_bytes_per_token_are_limited() {
    let server = Server::start().await;
    let (token, other_token) = (server.create_speech_token("Acme").await, server.create_speech_token("Other").await);
    let client = server.admin();
    let client_with_key = client.with_header("idempotency-key", "order-66");
    let earlier_client = client.with_header("idempotency-key", "order-65");
    let response = earlier_client.post(PATH, body(submission(&token, &[1]))).await;
    response.expect(200);
    server.use_up_storage_quota(1);
    let replayed = earlier_client.post(PATH, body(submission(&token, &[1]))).await;
    replayed.expect(200);
    assert_eq!(replayed.json(), response.json());
    let error_response = client_with_key.post(PATH, body(submission(&token, &[1]))).await;
    error_response.expect_problem(429, "too_many_requests");
    let detail = error_response.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("omit Idempotency-Key"), "{detail}");
    assert!(error_response.header("retry-after").unwrap().parse::<u64>().unwrap() > 3_600);
    for (characters, status) in [(2_048, 202), (2_049, 429)] {
        let callback = json!({ "callback_url": "https://example.com/calls", "callback_data": json!(["x".repeat(characters - 4)]).to_string() });
        let response = client.post("/api/speech-tokens/1/speech-requests", body(json!({ "callback": callback }))).await;
        assert_eq!(response.status, status, "{characters}");
        let response = client.post("/api/speech-tokens/1/test-deliveries", body(callback.clone())).await;
        assert_eq!(response.status, status, "{characters}");
        let request = with_members(submission(&token, &[1]), callback);
        let response = client.post(PATH, body(request)).await;
        assert_eq!(response.status, if status == 202 { 200 } else { 429 }, "{characters}");
    }
    client.post(PATH, body(submission(&token, &[1]))).await.expect(200);
    client_with_key.post(&format!("{PATH}?dry_run=true"), body(submission(&token, &[1]))).await.expect(200);
    client_with_key.post(PATH, body(submission(&other_token, &[1]))).await.expect(200);
}

#[tokio::test]
async fn concurrent_equal_submissions_make_one_transcription() {
    let server = Server::start().await;
    let (client, token) = (server.admin(), server.create_speech_token("Acme").await);
    let id = create_call(&client, TestRecording::Wav(1, 2.0)).await;
    let client_with_key = client.with_header("idempotency-key", "once");
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let (client_with_key, body) = (client_with_key.clone(), body(submission(&token, &[id])));
            tokio::spawn(async move { client_with_key.post(PATH, body).await })
        })
        .collect();
    let mut responses = Vec::new();
    for task in tasks {
        let response = task.await.unwrap();
        match response.status {
            409 => drop(response.expect_problem(409, "idempotency_in_flight")),
            _ => responses.push(response.expect(200)),
        }
    }
    assert!(!responses.is_empty() && responses.iter().all(|response| *response == responses[0]), "{responses:?}");
    assert_eq!(call_outcome(&responses[0]["results"]["calls"], id), "accepted");
}

#[tokio::test]
async fn token_suffices_and_an_additional_key_needs_permission() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let request = body(submission(&token, &[1]));
    server.anonymous().post(PATH, request.clone()).await.expect(200);
    server.anonymous().post(PATH, body(submission("ls_tok_unknown", &[1]))).await.expect_problem(401, "invalid_token");
    server
        .anonymous()
        .with_key("ls_key_unknown")
        .post(PATH, request.clone())
        .await
        .expect_problem(401, "invalid_api_key");
    server
        .client_with_scopes(&["calls:write"])
        .await
        .post(PATH, request.clone())
        .await
        .expect_problem(403, "forbidden");
    server.client_with_scopes(&["speech:submit"]).await.post(PATH, request).await.expect(200);
}

#[tokio::test]
async fn every_body_error_has_its_pointer() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let members =
        json!({ "call_ids": [0], "languages": ["tlh"], "recording_side": "up", "min_duration": -1, "from": "now" });
    let response = server.admin().post(PATH, body(with_members(submission(&token, &[1]), members))).await;
    response.expect_problem(400, "invalid_request");
    let mut actual = pointers(&response.json());
    actual.sort();
    assert_eq!(actual, ["/call_ids/0", "/from", "/languages/0", "/min_duration", "/recording_side"]);
}

#[tokio::test]
async fn english_model_rejects_other_languages() {
    let server = Server::start_configured(|config| config.speech.model = "base.en".to_owned()).await;
    let (client, token) = (server.admin(), server.create_speech_token("Acme").await);
    let id = create_call(&client, TestRecording::Wav(1, 1.0)).await;
    assert_eq!(client.get("/api/speech-recognition/languages").await.expect(200), json!(["en"]));
    let german_request = with_members(submission(&token, &[id]), json!({ "languages": ["de"] }));
    assert_eq!(pointers(&client.post(PATH, body(german_request)).await.expect(400)), ["/languages/0"]);
    assert_eq!(call_outcome(&submit(&client, submission(&token, &[id])).await, id), "accepted");
}

#[tokio::test]
async fn token_may_read_the_languages() {
    let server = Server::start().await;
    let token = server.create_speech_token("Acme").await;
    let path = "/api/speech-recognition/languages";
    let token_client = |token: &str| server.anonymous().with_header("x-speech-token", token);
    let languages = token_client(&token).get(path).await.expect(200);
    assert_eq!(languages, server.admin().get(path).await.expect(200));
    token_client("ls_tok_unknown").get(path).await.expect_problem(401, "invalid_token");
    server.anonymous().get(path).await.expect_problem(401, "unauthenticated");
}

#[tokio::test]
async fn languages_are_canonical_and_supported_ones_are_named() {
    let server = Server::start().await;
    let (client, token) = (server.admin(), server.create_speech_token("Acme").await);
    let languages = client.get("/api/speech-recognition/languages").await.expect(200);
    assert!(body(languages.clone()).contains("\"en\""), "{languages}");
    let id = create_call(&client, TestRecording::Wav(1, 2.0)).await;
    let upper_case_request = with_members(submission(&token, &[id]), json!({ "languages": ["EN", "de"] }));
    assert_eq!(call_outcome(&submit(&client, upper_case_request).await, id), "accepted");
    let unknown = client
        .post(PATH, body(with_members(submission(&token, &[id]), json!({ "languages": ["tlh"] }))))
        .await
        .expect(400);
    let permitted = unknown["errors"][0]["permitted"].as_array().unwrap();
    assert!(permitted.contains(&json!("en")), "{unknown}");
}

/// Returns the pointers of a problem's diagnostics.
fn pointers(problem: &Value) -> Vec<String> {
    entries(&problem["errors"]).iter().map(|diagnostic| diagnostic["pointer"].as_str().unwrap().to_owned()).collect()
}

/// Returns the entries of a page or a plain list.
fn entries(value: &Value) -> &[Value] {
    value.as_array().or(value["items"].as_array()).map_or(&[], Vec::as_slice)
}
