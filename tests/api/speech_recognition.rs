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
async fn create_call(client: &Client, sound: TestRecording) -> i64 {
    let state = if let TestRecording::State(state) = sound { state } else { "none" };
    let request = json!({ "direction": "outbound", "status": "answered", "recording_state": state });
    let id = client.post("/api/calls", body(request)).await.expect(201)["id"].as_i64().unwrap();
    if let TestRecording::Wav(channels, seconds) = sound {
        let audio = client.with_header("content-type", "audio/wav");
        audio.put(&format!("/api/calls/{id}/recording"), wav(channels, seconds)).await.expect(200);
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
async fn bounds_are_inclusive() {
    let server = Server::start().await;
    let (client, token) = (server.admin(), server.create_speech_token("Acme").await);
    let id = create_call(&client, TestRecording::Wav(1, 2.0)).await;
    let created_at = server.now();
    let dry_run = |members: Value| {
        let request = with_members(submission(&token, &[id]), members);
        let client = client.clone();
        async move {
            let response = client.post(&format!("{PATH}?dry_run=true"), body(request)).await.expect(200);
            call_outcome(&response["results"]["calls"], id).to_owned()
        }
    };
    assert_eq!(dry_run(json!({ "min_duration": 2 })).await, "accepted");
    assert_eq!(dry_run(json!({ "min_duration": 3 })).await, "too_short");
    assert_eq!(dry_run(json!({ "from": created_at, "till": created_at })).await, "accepted");
    assert_eq!(dry_run(json!({ "from": created_at.format("%Y-%m-%d %H:%M:%S").to_string() })).await, "accepted");
    assert_eq!(dry_run(json!({ "from": created_at + TimeDelta::microseconds(1) })).await, "out_of_range");
    assert_eq!(dry_run(json!({ "till": created_at - TimeDelta::microseconds(1) })).await, "out_of_range");
}

#[tokio::test]
async fn reports_the_first_applicable_skip_reason() {
    let server = Server::start().await;
    let (client, token) = (server.admin(), server.create_speech_token("Acme").await);
    let mono_short = create_call(&client, TestRecording::Wav(1, 0.4)).await;
    let sent = create_call(&client, TestRecording::Wav(1, 2.0)).await;
    submit(&client, submission(&token, &[sent])).await;
    let side = json!({ "recording_side": "callee" });
    assert_eq!(
        call_outcome(&submit(&client, with_members(submission(&token, &[mono_short]), side.clone())).await, mono_short),
        "too_short"
    );
    assert_eq!(
        call_outcome(&submit(&client, with_members(submission(&token, &[sent]), side.clone())).await, sent),
        "side_unavailable"
    );
    let later = with_members(side, json!({ "from": server.now() + TimeDelta::hours(1) }));
    assert_eq!(
        call_outcome(&submit(&client, with_members(submission(&token, &[mono_short]), later)).await, mono_short),
        "out_of_range"
    );
}

#[tokio::test]
async fn call_is_submitted_once_across_tokens() {
    let server = Server::start().await;
    let client = server.admin();
    let (first_token, second_token) =
        (server.create_speech_token("One").await, server.create_speech_token("Other").await);
    let id = create_call(&client, TestRecording::Wav(1, 2.0)).await;
    assert_eq!(call_outcome(&submit(&client, submission(&first_token, &[id])).await, id), "accepted");
    assert_eq!(call_outcome(&submit(&client, submission(&second_token, &[id])).await, id), "already_sent");
    assert_eq!(call_outcome(&submit(&client, submission(&first_token, &[id])).await, id), "already_sent");
    let tokens = client.get("/api/speech-tokens").await.expect(200);
    let transcription_count = |name: &str| {
        entries(&tokens["items"]).iter().find(|token| token["name"] == name).unwrap()["transcriptions"].clone()
    };
    assert_eq!((transcription_count("One"), transcription_count("Other")), (json!(1), json!(0)));
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
    server.use_up_allowance(1);
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
        let request = client.post("/api/speech-tokens/1/speech-requests", body(json!({ "callback": callback }))).await;
        assert_eq!(request.status, status, "{characters}");
        let delivery = client.post("/api/speech-tokens/1/test-deliveries", body(callback)).await;
        assert_eq!(delivery.status, status, "{characters}");
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
async fn invalid_token_is_rejected_before_reading_calls() {
    let server = Server::start().await;
    let client = server.admin();
    let issued = client.post("/api/speech-tokens", body(json!({ "name": "Acme" }))).await.expect(201);
    let (id, secret) = (issued["token"]["id"].clone(), issued["secret"].as_str().unwrap());
    client.post(PATH, body(submission("ls_tok_unknown", &[1]))).await.expect_problem(401, "invalid_token");

    let rotated = client.post(&format!("/api/speech-tokens/{id}/rotate"), "").await.expect(200);
    client.post(PATH, body(submission(secret, &[1]))).await.expect_problem(401, "invalid_token");
    let secret = rotated["secret"].as_str().unwrap();
    assert_eq!(call_outcome(&submit(&client, submission(secret, &[1])).await, 1), "not_found");

    client.delete(&format!("/api/speech-tokens/{id}")).await;
    client.post(PATH, body(submission(secret, &[1]))).await.expect_problem(401, "invalid_token");
    // A diagnostic of the body is reported first, because the token is part of it.
    client.post(PATH, body(submission(secret, &[]))).await.expect_problem(400, "invalid_request");
}

#[tokio::test]
async fn staff_submit_for_a_named_token() {
    let server = Server::start().await;
    let client = server.admin();
    let issued = client.post("/api/speech-tokens", body(json!({ "name": "Acme" }))).await.expect(201);
    let path = format!("/api/speech-tokens/{}/submissions", issued["token"]["id"]);
    let id = create_call(&client, TestRecording::Wav(1, 2.0)).await;
    let mut request = submission("", &[id]);
    request.as_object_mut().unwrap().remove("token");
    let response = client.post(&path, body(request.clone())).await.expect(200);
    assert_eq!(call_outcome(&response["results"]["calls"], id), "accepted");
    let with_token = with_members(request.clone(), json!({ "token": "ls_tok_x" }));
    client.post(&path, body(with_token)).await.expect_problem(400, "invalid_request");
    client.post("/api/speech-tokens/999/submissions", body(request)).await.expect_problem(404, "not_found");
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
    let (client, token) = (server.admin(), server.create_speech_token("Acme").await);
    let valid_request = submission(&token, &[1]);
    let too_many: Vec<_> = (1..=1_001).collect();
    for (members, expected_pointers) in [
        (json!({ "call_ids": [] }), vec!["/call_ids"]),
        (json!({ "call_ids": too_many }), vec!["/call_ids"]),
        (json!({ "call_ids": [1, 0, -3] }), vec!["/call_ids/1", "/call_ids/2"]),
        (json!({ "call_ids": ["1", 2.5, null] }), vec!["/call_ids/0", "/call_ids/1", "/call_ids/2"]),
        (json!({ "call_ids": 1 }), vec!["/call_ids"]),
        (json!({ "call_ids": null }), vec!["/call_ids"]),
        (json!({ "token": 5 }), vec!["/token"]),
        (json!({ "token": "" }), vec!["/token"]),
        (json!({ "languages": [] }), vec!["/languages"]),
        (json!({ "languages": ["en", "de", "fr", "es"] }), vec!["/languages"]),
        (json!({ "languages": ["en", "not a language"] }), vec!["/languages/1"]),
        (json!({ "languages": ["tlh"] }), vec!["/languages/0"]),
        (json!({ "languages": "en" }), vec!["/languages"]),
        (json!({ "recording_side": "left" }), vec!["/recording_side"]),
        (json!({ "recording_side": "Both" }), vec!["/recording_side"]),
        (json!({ "min_duration": 0 }), vec!["/min_duration"]),
        (json!({ "min_duration": 86_401 }), vec!["/min_duration"]),
        (json!({ "min_duration": 1.5 }), vec!["/min_duration"]),
        (json!({ "min_duration": "1" }), vec!["/min_duration"]),
        (json!({ "min_duration": null, "from": null }), vec!["/min_duration", "/from"]),
        (json!({ "from": "yesterday" }), vec!["/from"]),
        (json!({ "from": "2026-02-30 00:00:00" }), vec!["/from"]),
        (json!({ "till": "2026-05-01" }), vec!["/till"]),
        (json!({ "till": 5 }), vec!["/till"]),
        (json!({ "call_id": [1] }), vec!["/call_id"]),
        (
            json!({ "call_ids": [0], "languages": ["xx-invalid-!"], "recording_side": "up", "min_duration": -1, "from": "now" }),
            vec!["/call_ids/0", "/languages/0", "/recording_side", "/min_duration", "/from"],
        ),
    ] {
        let response = client.post(PATH, body(with_members(valid_request.clone(), members.clone()))).await;
        response.expect_problem(400, "invalid_request");
        let mut actual: Vec<_> = pointers(&response.json());
        let mut expected: Vec<_> = expected_pointers.into_iter().map(str::to_owned).collect();
        actual.sort();
        expected.sort();
        assert_eq!(actual, expected, "{members}: {}", response.text());
    }
    let response = client
        .post(
            PATH,
            body(with_members(
                valid_request.clone(),
                json!({ "from": "2026-05-02 00:00:00", "till": "2026-05-01 00:00:00" }),
            )),
        )
        .await;
    assert_eq!(response.expect_problem(400, "invalid_request").len(), 1);
    let response = client.post(PATH, "{}").await;
    response.expect_problem(400, "invalid_request");
    assert_eq!(pointers(&response.json()), ["/call_ids", "/token", "/languages", "/recording_side"]);
}

#[tokio::test]
async fn rejects_bodies_that_are_not_submissions() {
    let server = Server::start().await;
    let client = server.admin();
    let token = server.create_speech_token("Acme").await;
    for invalid_body in [
        "",
        " ",
        "null",
        "[]",
        "5",
        "\"x\"",
        "{",
        "{\"call_ids\":[1]",
        "{\"call_ids\":[1],}",
        "nonsense",
        "{\"a\":NaN}",
    ] {
        client.post(PATH, invalid_body).await.expect_problem(400, "invalid_request");
    }
    client.post(PATH, b"{\"token\":\"\xff\"}".to_vec()).await.expect_problem(400, "invalid_request");
    let duplicate =
        format!(r#"{{"call_ids":[1],"call_ids":[2],"token":"{token}","languages":["en"],"recording_side":"both"}}"#);
    client.post(PATH, duplicate).await.expect_problem(400, "invalid_request");
    let nul_in_token = body(with_members(submission(&token, &[1]), json!({ "token": "a\u{0}b" })));
    client.post(PATH, nul_in_token).await.expect_problem(400, "invalid_request");
    let deeply_nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    client.post(PATH, deeply_nested).await.expect_problem(400, "invalid_request");
    client.post(PATH, vec![b' '; 2 * 1024 * 1024]).await.expect_problem(413, "body_too_large");
    let xml = client.with_header("content-type", "application/xml");
    xml.post(PATH, body(submission(&token, &[1]))).await.expect_problem(415, "unsupported_media_type");
    client.put(PATH, body(submission(&token, &[1]))).await.expect_problem(405, "method_not_allowed");
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
