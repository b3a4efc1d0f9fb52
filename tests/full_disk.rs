//! Full disk: writes are rejected temporarily, reads continue, and no accepted data is lost.

use std::fs::{self, File};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{
    Client, LoadStats, RetryingClient, SmallDisk, SpeechServer, assert_one_transcript_each, body, create_recorded_call,
    eventually, submission_body, submit_calls, wav, write_leads,
};

const DISK_MEGABYTES: u32 = 32;
const CALL_COUNT: u64 = 60;
const TRANSCRIPT_TEXT: &str = "there is room again";

/// Time limit until the server writes again after space was freed.
const MAX_RECOVERY_TIME: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_rejects_writes_and_loses_nothing() {
    let disk = SmallDisk::mount(DISK_MEGABYTES);
    let key = disk.run(&["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = disk.run(&["token", "create", "--name", "test"]);
    let speech = SpeechServer::start(TRANSCRIPT_TEXT, Duration::from_millis(5)).await;
    let mut options = speech.options().to_vec();
    options.push(("LEADSCRIBE_LEASE_SECONDS", "2"));
    let mut program = disk.serve(&options).await;
    let client = program.client().with_key(&key);
    let lead = client.create("/api/leads", json!({ "city": "Bonn" })).await;
    for _ in 0..=CALL_COUNT {
        create_recorded_call(&client).await;
    }

    let stats = Arc::new(LoadStats::default());
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let retrying_client = RetryingClient {
        http,
        base: program.base_url.clone(),
        process_index: 0,
        key: key.clone(),
        stats: stats.clone(),
    };
    let sender = tokio::spawn(submit_calls(retrying_client.clone(), token.clone(), 1..=CALL_COUNT));
    let writer = tokio::spawn(write_leads(retrying_client.clone(), 0));
    let write_count = || stats.successful_writes[0].load(Ordering::SeqCst);
    eventually("writes succeed", async || write_count() > 20).await;

    disk.fill();
    eventually("requests fail", async || stats.unavailable_responses.load(Ordering::SeqCst) > 10).await;
    let lead_body = body(json!({ "city": "Kiel" }));
    // A call without a transcription.
    let recording = format!("/api/calls/{}/recording", CALL_COUNT + 1);
    let writes = [
        (Method::POST, "/api/leads".to_owned(), lead_body.clone().into_bytes(), "application/json"),
        (Method::PATCH, format!("/api/leads/{lead}"), lead_body.into_bytes(), "application/json"),
        (Method::DELETE, format!("/api/leads/{lead}"), Vec::new(), "application/json"),
        (
            Method::POST,
            "/api/speech-recognition".to_owned(),
            submission_body(&token, &[CALL_COUNT + 1]).into(),
            "application/json",
        ),
        (Method::PUT, recording.clone(), wav(2, 3.0), "audio/wav"),
    ];
    for (method, path, body, content_type) in writes {
        assert_rejected(&retrying_client, method, &path, body, content_type).await;
    }
    assert_reads_succeed(&client, lead).await;

    disk.free_space();
    let (freed_at, count_before) = (Instant::now(), write_count());
    eventually("writes succeed again", async || write_count() > count_before && client.is_reachable("/readyz").await)
        .await;
    assert!(freed_at.elapsed() <= MAX_RECOVERY_TIME, "{:?}", freed_at.elapsed());
    client.with_header("content-type", "audio/wav").put(&recording, wav(2, 3.0)).await.expect(200);
    stats.is_finished.store(true, Ordering::SeqCst);
    let (accepted, written_leads) = (sender.await.unwrap(), writer.await.unwrap());

    program.kill();
    let program = disk.serve(&options).await;
    let client = program.client().with_key(&key);
    for lead in written_leads {
        lead.assert_stored(&client).await;
    }
    let completed = assert_one_transcript_each(&client, &accepted, TRANSCRIPT_TEXT).await;
    assert!((accepted.len() as u64..=accepted.len() as u64 + 1).contains(&completed), "{completed} of {accepted:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_is_logged_once_until_space_is_freed() {
    let (disk, log_dir) = (SmallDisk::mount(10), tempfile::tempdir().unwrap());
    let key = disk.run(&["api-key", "create", "--name", "test", "--scope", "admin"]);
    let log = log_dir.path().join("log");
    let program = disk.serve_with_log(&[("LEADSCRIBE_RECOGNIZER", "off")], File::create(&log).unwrap()).await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let create_lead = async || {
        let request = http.post(format!("{}/api/leads", program.base_url)).bearer_auth(&key);
        let request = request.header("content-type", "application/json").body(body(json!({ "city": "Kiel" })));
        request.send().await.unwrap().status()
    };
    let logged_levels = || {
        let lines = fs::read_to_string(&log).unwrap();
        let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let store_lines =
            lines.filter(|line| line["message"].as_str().is_some_and(|message| message.contains("storage is")));
        let levels = store_lines.map(|line| line["level"].as_str().unwrap().to_owned());
        // On a slow machine, the log may repeat that the outage continues.
        levels.filter(|level| level != "WARN").collect::<Vec<_>>()
    };
    disk.fill();
    eventually("a write is refused", async || create_lead().await == StatusCode::SERVICE_UNAVAILABLE).await;
    // Without any request, the outage must not be reported as over just because reads succeed.
    tokio::time::sleep(MAX_RECOVERY_TIME).await;
    assert_eq!(logged_levels(), ["ERROR"]);
    disk.free_space();
    eventually("the log reports the recovery", async || logged_levels() == ["ERROR", "INFO"]).await;
    assert_eq!(create_lead().await, StatusCode::CREATED);
}

/// Sends a request that must be rejected temporarily.
async fn assert_rejected(client: &RetryingClient, method: Method, path: &str, body: Vec<u8>, content_type: &str) {
    let request = client.http.request(method.clone(), format!("{}{path}", client.base)).bearer_auth(&client.key);
    let response = request.header("content-type", content_type).body(body).send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let problem: Value = response.json().await.unwrap();
    assert_eq!(
        (status, &problem["code"]),
        (StatusCode::SERVICE_UNAVAILABLE, &json!("unavailable")),
        "{method} {path}: {problem}"
    );
    assert_eq!(headers["content-type"], "application/problem+json", "{method} {path}");
    assert!(headers.contains_key("retry-after"), "{method} {path}");
}

/// Checks that reads succeed.
async fn assert_reads_succeed(client: &Client, lead: i64) {
    assert_eq!(client.get(&format!("/api/leads/{lead}")).await.expect(200)["city"], "Bonn");
    assert_eq!(client.count_leads(json!({ "city": "Bonn" })).await, 1);
    assert_eq!(client.get("/api/calls?limit=1;0").await.expect(200)["total"], CALL_COUNT + 1);
    assert_eq!(client.get("/api/calls/1/recording").await.status, 200);
    // The server stays ready, because it still serves reads.
    for path in ["/healthz", "/readyz"] {
        assert_eq!(client.get(path).await.status, 200, "{path}");
    }
}
