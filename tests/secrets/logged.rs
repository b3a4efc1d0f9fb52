//! Logs, even at trace level, and metrics.

use std::fs;
use std::time::Duration;

use serde_json::json;

use super::{canary, digits, files_with, found_in};
use crate::harness::{Client, PASSWORD, Program, SpeechServer, body, eventually, log_in, run, run_with_input, wav};

/// Sends requests with the canary in various wrong places.
async fn misused(client: &Client, canary: &str) {
    let key = format!("ls_key_{canary}");
    client.with_key(&key).get("/api/leads").await.refused(401, "invalid_api_key");
    client.with_header("authorization", canary).get("/api/leads").await.refused(401, "invalid_api_key");
    client.with_header("x-speech-token", canary).get("/api/speech-recognition/1").await.refused(401, "invalid_token");
    client
        .with_header("cookie", &format!("leadscribe_session={canary}; leadscribe_device=1.{canary}.x"))
        .get("/api/leads")
        .await
        .refused(401, "unauthenticated");
    for target in [
        format!("/api/leads?token={canary}"),
        format!("/api/leads/{canary}/1"),
        format!("/api/{canary}"),
        format!("/{canary}"),
        format!("/healthz?password={canary}"),
    ] {
        client.get(&target).await;
    }
    client.send(canary.parse().unwrap(), "/api/leads", "").await.refused(405, "method_not_allowed");
    let named = client.with_header("user-agent", canary).with_header("referer", &format!("https://x.example/{canary}"));
    assert_eq!(named.with_header("origin", &format!("https://{canary}.example")).status("/healthz").await, 200);
    for wrong in [
        canary.to_owned(),
        format!("{{\"{canary}\":1}}"),
        format!("{{\"call_ids\":[\"{canary}\"],\"token\":\"{canary}\"}}"),
        body(json!({ "call_ids": [1], "token": canary, "languages": ["en"], "recording_side": "both" })),
    ] {
        let answer = client.with_header("idempotency-key", canary).post("/api/speech-recognition", wrong).await;
        assert!((400..500).contains(&answer.status), "{}", answer.text());
    }
    log_in(client, &format!("{canary}@example.com"), canary).await.refused(401, "invalid_login");
    log_in(client, "ann@example.com", canary).await.refused(401, "invalid_login");
    log_in(client, canary, PASSWORD).await.refused(401, "invalid_login");
}

#[tokio::test]
async fn no_secret_phone_number_or_transcript_is_logged_or_measured() {
    let home = tempfile::tempdir().unwrap();
    let (data, logs) = (home.path().join("data"), home.path().join("logs"));
    fs::create_dir(&logs).unwrap();
    let key = run(&data, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(&data, &["token", "create", "--name", "test"]);
    run_with_input(&data, &["user", "add", "ann@example.com", "--role", "manager"], PASSWORD);
    let [said, url, wrong, name] = [canary(), canary(), canary(), canary()];
    let (phone, card) = (digits(), "4111111111111111");
    let speech = SpeechServer::saying(&format!("my card is {card} and {said}"), Duration::ZERO).await;
    let mut options = speech.options().to_vec();
    options.extend([("LEADSCRIBE_METRICS_PUBLIC", "true"), ("LEADSCRIBE_CALLBACK_NETWORKS", "127.0.0.1")]);
    let file = fs::File::create(logs.join("log")).unwrap();
    let program = Program::start_telling_all(&data, &options, file).await;
    let anonymous = program.client();
    let staff = anonymous.with_key(&key);
    let holder = anonymous.with_header("x-speech-token", &token);

    misused(&anonymous, &wrong).await;
    let logged_in = log_in(&anonymous, "ann@example.com", PASSWORD).await;
    let session = logged_in.header("set-cookie").unwrap().split(['=', ';']).nth(1).unwrap().to_owned();
    let csrf = logged_in.expect(200)["csrf_token"].as_str().unwrap().to_owned();

    // Leads: created, changed, searched, imported, and rejected.
    let lead = staff.create("/api/leads", json!({ "phone": format!("+1{phone}"), "last_name": name })).await;
    let path = format!("/api/leads/{lead}");
    staff.patch(&path, body(json!({ "phone2": format!("+1{phone}"), "city": name }))).await.expect(200);
    staff.patch(&path, body(json!({ "phone": format!("+1{phone}x{wrong}"), "birthdate": wrong }))).await;
    let filter = json!({ "phone": format!("+1{phone}"), "last_name": name });
    assert_eq!(staff.put("/api/leads/extended-data", body(filter)).await.expect(200)["total_leads"], 1);
    staff.put("/api/leads/extended-data", body(json!({ "phone": [phone, wrong], wrong.clone(): 1 }))).await;
    staff.get(&format!("/api/leads?phone=%2B1{phone}")).await.expect(200);
    staff.get(&format!("/api/leads/phone/%2B1{phone}")).await.expect(200);
    let csv = staff.with_header("content-type", "text/csv");
    let rows = format!("phone,last_name,birthdate\n+1{phone},{name},\n+1{phone},{name},{wrong}\n\"{wrong}\n");
    csv.post("/api/imports/leads", rows).await.expect(202);
    staff.delete(&path).await.expect(204);

    // A call with numbers, a recording, a transcript, and a failing delivery.
    let call = json!({
        "direction": "inbound", "status": "answered", "caller_number": format!("+1{phone}"), "agent": name
    });
    let call = staff.create("/api/calls", call).await;
    let recording = format!("/api/calls/{call}/recording");
    staff.with_header("content-type", "audio/wav").put(&recording, format!("RIFF{wrong}")).await;
    let speech_of_people = include_bytes!("../../server/demo/recordings/librivox_0880.wav");
    staff.with_header("content-type", "audio/wav").put(&recording, speech_of_people.to_vec()).await.expect(200);
    let submission = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
    let submitting = anonymous.with_header("idempotency-key", &wrong);
    submitting.post("/api/speech-recognition", body(submission)).await.expect(200);
    let transcript = format!("/api/speech-recognition/{call}");
    eventually("the transcript", async || holder.status(&transcript).await == 200).await;
    let text = holder.with_header("accept", "text/plain").get(&transcript).await.text();
    assert!(text.contains(&said) && !text.contains(card), "{text}");
    for path in ["speech-recognition", "transcripts"] {
        let asked = if path == "transcripts" { &staff } else { &holder };
        let found = asked.get(&format!("/api/{path}?words={said}")).await.expect(200);
        assert_eq!(found["total"], 1);
    }
    for closed in ["http://127.0.0.1:9", "https://localhost:9", "https://10.0.0.1"] {
        let callback = format!("{closed}/{url}?key={url}");
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("words", &said).append_pair("callback_url", &callback);
        holder.get(&format!("/api/speech-recognition?{}", query.finish())).await;
    }
    eventually("an attempt at each delivery", async || {
        let deliveries = staff.get("/api/deliveries").await.expect(200);
        let tried = |delivery: &serde_json::Value| delivery["attempts"].as_u64() > Some(0);
        deliveries["items"].as_array().unwrap().len() == 2 && deliveries["items"].as_array().unwrap().iter().all(tried)
    })
    .await;

    let metrics = staff.get("/metrics").await;
    assert!(metrics.text().contains("leadscribe_"), "{}", metrics.text());
    drop(program);
    let canaries: [&str; 11] = [&key, &token, &session, &csrf, &said, &url, &wrong, &name, &phone, card, PASSWORD];
    assert_eq!(found_in(metrics.text().as_bytes(), &canaries), [""; 0], "in the metrics");
    let log = fs::read_to_string(logs.join("log")).unwrap();
    assert!(log.lines().count() > 50 && log.contains("DEBUG"), "everything is logged");
    for line in log.lines() {
        assert_eq!(found_in(line.as_bytes(), &canaries), [""; 0], "{line}");
    }
    // Control: the canaries are in the database, except for secrets, which are stored as hashes.
    let kept = files_with(&data, &[&said, &url, &phone]);
    assert!(kept.iter().any(|file| file.starts_with("leadscribe.db")), "{kept:?}");
    assert_eq!(files_with(&data, &[&key, &token, &session, card, PASSWORD]), [""; 0]);
}

/// Returns a WAV file whose bytes contain a canary.
pub(super) fn wav_with(canary: &str) -> Vec<u8> {
    let mut file = wav(2, 6.0);
    let at = file.len() - 4_000;
    file[at..at + canary.len()].copy_from_slice(canary.as_bytes());
    file
}
