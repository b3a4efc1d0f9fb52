//! Logs, even at trace level, and metrics.

use std::fs;
use std::time::Duration;

use serde_json::json;

use super::{canaries_in, canary, files_with_canaries, phone_digits};
use crate::harness::{
    Client, PASSWORD, ServerProcess, SpeechServer, body, eventually, log_in, run, run_with_input, sample_recording, wav,
};

/// Sends requests with the canary in various wrong places.
async fn send_misplaced_secrets(client: &Client, canary: &str) {
    let key = format!("ls_key_{canary}");
    client.with_key(&key).get("/api/leads").await.expect_problem(401, "invalid_api_key");
    client.with_header("authorization", canary).get("/api/leads").await.expect_problem(401, "invalid_api_key");
    client
        .with_header("x-speech-token", canary)
        .get("/api/speech-recognition/1")
        .await
        .expect_problem(401, "invalid_token");
    client
        .with_header("cookie", &format!("leadscribe_session={canary}; leadscribe_device=1.{canary}.x"))
        .get("/api/leads")
        .await
        .expect_problem(401, "unauthenticated");
    for target in [
        format!("/api/leads?token={canary}"),
        format!("/api/leads/{canary}/1"),
        format!("/api/{canary}"),
        format!("/{canary}"),
        format!("/healthz?password={canary}"),
    ] {
        client.get(&target).await;
    }
    client.send(canary.parse().unwrap(), "/api/leads", "").await.expect_problem(405, "method_not_allowed");
    let client_with_headers =
        client.with_header("user-agent", canary).with_header("referer", &format!("https://x.example/{canary}"));
    assert_eq!(
        client_with_headers.with_header("origin", &format!("https://{canary}.example")).status("/healthz").await,
        200
    );
    for invalid_body in [
        canary.to_owned(),
        format!("{{\"{canary}\":1}}"),
        format!("{{\"call_ids\":[\"{canary}\"],\"token\":\"{canary}\"}}"),
        body(json!({ "call_ids": [1], "token": canary, "languages": ["en"], "recording_side": "both" })),
    ] {
        let response =
            client.with_header("idempotency-key", canary).post("/api/speech-recognition", invalid_body).await;
        assert!((400..500).contains(&response.status), "{}", response.text());
    }
    log_in(client, &format!("{canary}@example.com"), canary).await.expect_problem(401, "invalid_login");
    log_in(client, "ann@example.com", canary).await.expect_problem(401, "invalid_login");
    log_in(client, canary, PASSWORD).await.expect_problem(401, "invalid_login");
}

#[tokio::test]
async fn logs_and_metrics_contain_no_private_data() {
    let temp_dir = tempfile::tempdir().unwrap();
    let (data_dir, logs) = (temp_dir.path().join("data"), temp_dir.path().join("logs"));
    fs::create_dir(&logs).unwrap();
    let key = run(&data_dir, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(&data_dir, &["token", "create", "--name", "test"]);
    run_with_input(&data_dir, &["user", "add", "ann@example.com", "--role", "manager"], PASSWORD);
    let [transcript_canary, url_canary, input_canary, name_canary] = [canary(), canary(), canary(), canary()];
    let (phone_digits, card_number) = (phone_digits(), "4111111111111111");
    let speech =
        SpeechServer::start(&format!("my card is {card_number} and {transcript_canary}"), Duration::ZERO).await;
    let mut options = speech.options().to_vec();
    options.extend([("LEADSCRIBE_METRICS_PUBLIC", "true"), ("LEADSCRIBE_CALLBACK_ALLOWED_NETWORKS", "127.0.0.1")]);
    let file = fs::File::create(logs.join("log")).unwrap();
    let program = ServerProcess::start_with_trace_log(&data_dir, &options, file).await;
    let anonymous = program.client();
    let admin = anonymous.with_key(&key);
    let token_client = anonymous.with_header("x-speech-token", &token);

    send_misplaced_secrets(&anonymous, &input_canary).await;
    let logged_in = log_in(&anonymous, "ann@example.com", PASSWORD).await;
    let session = logged_in.header("set-cookie").unwrap().split(['=', ';']).nth(1).unwrap().to_owned();
    let csrf = logged_in.expect(200)["csrf_token"].as_str().unwrap().to_owned();

    // Leads: created, changed, searched, imported, and rejected.
    let lead =
        admin.create("/api/leads", json!({ "phone": format!("+1{phone_digits}"), "last_name": name_canary })).await;
    let path = format!("/api/leads/{lead}");
    admin.patch(&path, body(json!({ "phone2": format!("+1{phone_digits}"), "city": name_canary }))).await.expect(200);
    admin
        .patch(&path, body(json!({ "phone": format!("+1{phone_digits}x{input_canary}"), "birthdate": input_canary })))
        .await;
    let filter = json!({ "phone": format!("+1{phone_digits}"), "last_name": name_canary });
    assert_eq!(admin.count_leads(filter).await, 1);
    admin
        .put(
            "/api/leads/extended-data",
            body(json!({ "phone": [phone_digits, input_canary], input_canary.clone(): 1 })),
        )
        .await;
    admin.get(&format!("/api/leads?phone=%2B1{phone_digits}")).await.expect(200);
    admin.get(&format!("/api/leads/phone/%2B1{phone_digits}")).await.expect(200);
    let csv = admin.with_header("content-type", "text/csv");
    let rows = format!(
        "phone,last_name,birthdate\n+1{phone_digits},{name_canary},\n+1{phone_digits},{name_canary},{input_canary}\n\"{input_canary}\n"
    );
    csv.post("/api/imports/leads", rows).await.expect(202);
    admin.delete(&path).await.expect(204);

    // A call with numbers, a recording, a transcript, and a failing delivery.
    let call = json!({
        "direction": "inbound", "status": "answered", "caller_number": format!("+1{phone_digits}"), "agent": name_canary
    });
    let call = admin.create("/api/calls", call).await;
    let recording = format!("/api/calls/{call}/recording");
    admin.with_header("content-type", "audio/wav").put(&recording, format!("RIFF{input_canary}")).await;
    admin.upload_recording(call, sample_recording("librivox_0880.wav")).await;
    let submission = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
    let client_with_key = anonymous.with_header("idempotency-key", &input_canary);
    client_with_key.post("/api/speech-recognition", body(submission)).await.expect(200);
    let transcript = format!("/api/speech-recognition/{call}");
    eventually("the transcript is ready", async || token_client.status(&transcript).await == 200).await;
    let text = token_client.with_header("accept", "text/plain").get(&transcript).await.text();
    assert!(text.contains(&transcript_canary) && !text.contains(card_number), "{text}");
    for path in ["speech-recognition", "transcripts"] {
        let client = if path == "transcripts" { &admin } else { &token_client };
        let result = client.get(&format!("/api/{path}?search={transcript_canary}")).await.expect(200);
        assert_eq!(result["total"], 1);
    }
    for unreachable_url in ["http://127.0.0.1:9", "https://localhost:9", "https://10.0.0.1"] {
        let callback = format!("{unreachable_url}/{url_canary}?key={url_canary}");
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("search", &transcript_canary).append_pair("callback_url", &callback);
        token_client.get(&format!("/api/speech-recognition?{}", query.finish())).await;
    }
    eventually("each delivery was attempted", async || {
        let deliveries = admin.get("/api/deliveries").await.expect(200);
        let was_attempted = |delivery: &serde_json::Value| delivery["attempts"].as_u64() > Some(0);
        deliveries["items"].as_array().unwrap().len() == 2
            && deliveries["items"].as_array().unwrap().iter().all(was_attempted)
    })
    .await;

    let metrics = admin.get("/metrics").await;
    assert!(metrics.text().contains("leadscribe_"), "{}", metrics.text());
    drop(program);
    let canaries: [&str; 11] = [
        &key,
        &token,
        &session,
        &csrf,
        &transcript_canary,
        &url_canary,
        &input_canary,
        &name_canary,
        &phone_digits,
        card_number,
        PASSWORD,
    ];
    assert_eq!(canaries_in(metrics.text().as_bytes(), &canaries), [""; 0], "no canary in the metrics");
    let log = fs::read_to_string(logs.join("log")).unwrap();
    assert!(log.lines().count() > 50 && log.contains("DEBUG"), "everything is logged");
    for line in log.lines() {
        assert_eq!(canaries_in(line.as_bytes(), &canaries), [""; 0], "{line}");
    }
    // Control: the canaries are in the database, except for secrets, which are stored as hashes.
    let files = files_with_canaries(&data_dir, &[&transcript_canary, &url_canary, &phone_digits]);
    assert!(files.iter().any(|file| file.starts_with("leadscribe.db")), "{files:?}");
    assert_eq!(files_with_canaries(&data_dir, &[&key, &token, &session, card_number, PASSWORD]), [""; 0]);
}

/// Returns a WAV file whose bytes contain a canary.
pub(super) fn wav_with(canary: &str) -> Vec<u8> {
    let mut file = wav(2, 6.0);
    let offset = file.len() - 4_000;
    file[offset..offset + canary.len()].copy_from_slice(canary.as_bytes());
    file
}
