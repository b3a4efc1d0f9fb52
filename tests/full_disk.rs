//! Full disk: writes are rejected temporarily, reads continue, and no accepted data are lost.

use std::fs::{self, File};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{
    Client, Patient, Seen, SmallDisk, SpeechServer, body, eventually, expect_one_transcript_each, record_call,
    send_calls, submission, wav, write_leads,
};

const MEGABYTES: u32 = 32;
const CALLS: u64 = 60;
const SAID: &str = "there is room again";

/// Time limit until the server writes again after space was freed.
const HEALED_WITHIN: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_rejects_writes_and_loses_nothing() {
    let disk = SmallDisk::of_megabytes(MEGABYTES);
    let key = disk.run(&["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = disk.run(&["token", "create", "--name", "test"]);
    let speech = SpeechServer::saying(SAID, Duration::from_millis(5)).await;
    let mut options = speech.options().to_vec();
    options.push(("LEADSCRIBE_LEASE_SECONDS", "2"));
    let mut program = disk.serve(&options).await;
    let client = program.client().with_key(&key);
    let lead = client.create("/api/leads", json!({ "city": "Bonn" })).await;
    for _ in 0..=CALLS {
        record_call(&client).await;
    }

    let seen = Arc::new(Seen::default());
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let patient = Patient { http, base: program.base.clone(), process: 0, key: key.clone(), seen: seen.clone() };
    let sender = tokio::spawn(send_calls(patient.clone(), token.clone(), 1..=CALLS));
    let writer = tokio::spawn(write_leads(patient.clone(), 0));
    let done = || seen.done[0].load(Ordering::SeqCst);
    eventually("the load goes on", async || done() > 20).await;

    disk.fill();
    eventually("the load notices", async || seen.unavailable.load(Ordering::SeqCst) > 10).await;
    let new = body(json!({ "city": "Kiel" }));
    // A call without a transcription.
    let recording = format!("/api/calls/{}/recording", CALLS + 1);
    let writes = [
        (Method::POST, "/api/leads".to_owned(), new.clone().into_bytes(), "application/json"),
        (Method::PATCH, format!("/api/leads/{lead}"), new.into_bytes(), "application/json"),
        (Method::DELETE, format!("/api/leads/{lead}"), Vec::new(), "application/json"),
        (
            Method::POST,
            "/api/speech-recognition".to_owned(),
            submission(&token, &[CALLS + 1]).into(),
            "application/json",
        ),
        (Method::PUT, recording.clone(), wav(2, 3.0), "audio/wav"),
    ];
    for (method, path, body, kind) in writes {
        expect_refused(&patient, method, &path, body, kind).await;
    }
    expect_reads(&client, lead).await;

    disk.make_room();
    let (back, before) = (Instant::now(), done());
    eventually("the load goes on", async || done() > before && client.reaches("/readyz").await).await;
    assert!(back.elapsed() <= HEALED_WITHIN, "{:?}", back.elapsed());
    client.with_header("content-type", "audio/wav").put(&recording, wav(2, 3.0)).await.expect(200);
    seen.over.store(true, Ordering::SeqCst);
    let (accepted, written) = (sender.await.unwrap(), writer.await.unwrap());

    program.kill();
    let program = disk.serve(&options).await;
    let client = program.client().with_key(&key);
    for written in written {
        written.expect_kept(&client).await;
    }
    let completed = expect_one_transcript_each(&client, &accepted, SAID).await;
    assert!((accepted.len() as u64..=accepted.len() as u64 + 1).contains(&completed), "{completed} of {accepted:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_is_logged_once_until_space_is_freed() {
    let (disk, logs) = (SmallDisk::of_megabytes(10), tempfile::tempdir().unwrap());
    let key = disk.run(&["api-key", "create", "--name", "test", "--scope", "admin"]);
    let log = logs.path().join("log");
    let program = disk.serve_telling(&[("LEADSCRIBE_RECOGNIZER", "off")], File::create(&log).unwrap()).await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let write = async || {
        let request = http.post(format!("{}/api/leads", program.base)).bearer_auth(&key);
        let request = request.header("content-type", "application/json").body(body(json!({ "city": "Kiel" })));
        request.send().await.unwrap().status()
    };
    let told = || {
        let lines = fs::read_to_string(&log).unwrap();
        let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let of_the_store = lines.filter(|line| line["message"].as_str().is_some_and(|said| said.contains("the store")));
        let levels = of_the_store.map(|line| line["level"].as_str().unwrap().to_owned());
        // On a slow machine, the log may repeat that the outage continues.
        levels.filter(|level| level != "WARN").collect::<Vec<_>>()
    };
    disk.fill();
    eventually("a write is refused", async || write().await == StatusCode::SERVICE_UNAVAILABLE).await;
    // Without any request, the outage must not be reported as over just because reads succeed.
    tokio::time::sleep(HEALED_WITHIN).await;
    assert_eq!(told(), ["ERROR"]);
    disk.make_room();
    eventually("it is over", async || told() == ["ERROR", "INFO"]).await;
    assert_eq!(write().await, StatusCode::CREATED);
}

/// Sends a request that must be rejected temporarily.
async fn expect_refused(by: &Patient, method: Method, path: &str, body: Vec<u8>, kind: &str) {
    let request = by.http.request(method.clone(), format!("{}{path}", by.base)).bearer_auth(&by.key);
    let answer = request.header("content-type", kind).body(body).send().await.unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let problem: Value = answer.json().await.unwrap();
    assert_eq!(
        (status, &problem["code"]),
        (StatusCode::SERVICE_UNAVAILABLE, &json!("unavailable")),
        "{method} {path}: {problem}"
    );
    assert_eq!(headers["content-type"], "application/problem+json", "{method} {path}");
    assert!(headers.contains_key("retry-after"), "{method} {path}");
}

/// Checks that reads succeed.
async fn expect_reads(client: &Client, lead: i64) {
    assert_eq!(client.get(&format!("/api/leads/{lead}")).await.expect(200)["city"], "Bonn");
    let found = client.put("/api/leads/extended-data", body(json!({ "city": "Bonn" }))).await.expect(200);
    assert_eq!(found["total_leads"], 1);
    assert_eq!(client.get("/api/calls?limit=1;0").await.expect(200)["total"], CALLS + 1);
    assert_eq!(client.get("/api/calls/1/recording").await.status, 200);
    // The server stays ready, because it still serves reads.
    for path in ["/healthz", "/readyz"] {
        assert_eq!(client.get(path).await.status, 200, "{path}");
    }
}
