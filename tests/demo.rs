//! Sample data, as loaded by `serve --demo`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Server, binary, body, run_failing};

/// Time limit for loading. A debug build takes longer than a release build.
const MAX_LOAD_TIME: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn loading_sample_data_twice_changes_nothing() {
    let (server, client) = Server::start_with_admin().await;
    let started = Instant::now();
    server.load_demo().await;
    assert!(started.elapsed() < MAX_LOAD_TIME, "loading took {:?}", started.elapsed());

    let total = async |path: &str, member: &str| client.get(path).await.expect(200)[member].as_u64().unwrap();
    assert!(total("/api/campaigns?limit=1;0", "total").await >= 12);
    let leads = total("/api/leads?limit=0;0", "total_leads").await;
    assert!(leads >= 5_000);
    assert_eq!(total("/api/calls?limit=1;0", "total").await, 50);
    assert_eq!(total("/api/calls?limit=1;0&recording=ready", "total").await, 41);

    server.load_demo().await;
    assert_eq!(total("/api/leads?limit=0;0", "total_leads").await, leads);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sample_recordings_can_be_played_and_submitted() {
    let (server, client) = Server::start_with_admin().await;
    server.load_demo().await;

    let call = client.get("/api/calls/101").await.expect(200);
    assert_eq!((&call["recording"]["state"], &call["recording"]["channels"]), (&json!("ready"), &json!(2)));
    let audio = client.get("/api/calls/101/recording").await;
    assert_eq!((audio.status, audio.header("content-type")), (200, Some("audio/wav")));
    assert_eq!(json!(audio.body.len()), call["recording"]["bytes"]);

    let token = server.create_speech_token("Demo").await;
    let request =
        json!({ "call_ids": [101, 148, 149, 150], "token": token, "languages": ["en"], "recording_side": "both" });
    let response = client.post("/api/speech-recognition", body(request)).await.expect(200);
    let verdict = |id: &str| -> Value {
        let entry = &response["results"]["calls"][id];
        entry.get("reason").unwrap_or(&entry["status"]).clone()
    };
    let verdicts = ["101", "148", "149", "150"].map(verdict);
    assert_eq!(verdicts, ["accepted", "too_short", "recording_failed", "recording_pending"]);
}

#[test]
fn demo_refuses_recordings_of_another_installation() {
    let temp_dir = tempfile::tempdir().unwrap();
    let call_dir = temp_dir.path().join("recordings/7");
    std::fs::create_dir_all(&call_dir).unwrap();
    std::fs::write(call_dir.join(format!("{}-0123abcd.wav", "7".repeat(64))), "sound").unwrap();
    let output = run_failing(temp_dir.path(), &[], &["serve", "--demo", "--listen", "127.0.0.1:0"]);
    assert!(output.contains("contains those of another installation"), "{output}");
}

#[test]
fn credentials_are_printed_after_the_startup_log() {
    let home = tempfile::tempdir().unwrap();
    let log = std::fs::File::create(home.path().join("output")).unwrap();
    let mut command = std::process::Command::new(binary());
    command.args(["serve", "--demo", "--listen", "127.0.0.1:0", "--recognizer", "off", "--data-dir"]);
    let mut server =
        command.arg(home.path().join("data")).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
    let started = Instant::now();
    let output = loop {
        let output = std::fs::read_to_string(home.path().join("output")).unwrap();
        if output.contains("speech token") || started.elapsed() > MAX_LOAD_TIME {
            break output;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    server.kill().unwrap();
    server.wait().unwrap();
    let (log, credentials) = output.split_once("\nLeadscribe with sample data\n").expect(&output);
    assert!(log.contains("lead index") && log.contains("\"address\""), "{output}");
    assert_eq!(credentials.trim().lines().count(), 5, "{output}");
}
