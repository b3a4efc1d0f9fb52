//! One result per call: kill -9 of workers while they transcribe, then check every call.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::harness::{Client, Program, SpeechServer, Worker, expect_one_transcript_each, run};

const CALLS: u64 = 40;
const KILLS: usize = 50;

/// Time limit for the remaining calls after the last kill.
const PATIENCE: Duration = Duration::from_secs(120);

#[tokio::test(flavor = "multi_thread")]
async fn calls_get_one_result_despite_killed_workers() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    import_calls(home.path(), &data);
    let key = run(&data, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(&data, &["token", "create", "--name", "test"]);
    // Slow enough that most kills hit a worker during a recognition.
    let speech = SpeechServer::saying("one result for each", Duration::from_millis(700)).await;
    let mut options = speech.options().to_vec();
    // Jobs of a killed worker resume after two seconds, and repeated kills don't exhaust a job's attempts.
    options.extend([
        ("LEADSCRIBE_LEASE_SECONDS", "2"),
        ("LEADSCRIBE_MAX_ATTEMPTS", "1000"),
        ("LEADSCRIBE_RECOGNITIONS", "2"),
    ]);

    let api = Program::start_with(&data, &[("LEADSCRIBE_ROLE", "api")]).await;
    let client = api.client().with_key(&key);
    let calls: Vec<u64> = (1..=CALLS).collect();
    let sent = json!({ "call_ids": calls, "token": token, "languages": ["en"], "recording_side": "both" });
    let sent = api.client().post("/api/speech-recognition", sent.to_string()).await.expect(200);
    assert!(calls.iter().all(|call| sent["results"]["calls"][call.to_string()]["status"] == "accepted"), "{sent}");

    let mut random = StdRng::seed_from_u64(31);
    for _ in 0..KILLS {
        let worker = Worker::start(&data, &options);
        tokio::time::sleep(Duration::from_millis(random.random_range(100..1_500))).await;
        worker.kill();
    }
    let killed_while_asked = speech.asked();
    let workers = [Worker::start(&data, &options), Worker::start(&data, &options)];
    wait_for_all(&client).await;
    drop(workers);

    assert!(killed_while_asked as u64 > CALLS / 2, "{killed_while_asked} recognitions were begun: nothing was killed");
    assert!(speech.asked() as u64 > CALLS, "no recognition was cut off");
    expect_one_transcript_each(&client, &calls, "one result for each").await;
    let stored = client.get("/api/transcripts?limit=1000;0").await.expect(200);
    assert_eq!((&stored["total"], stored["items"].as_array().unwrap().len()), (&json!(CALLS), CALLS as usize));
}

/// Imports calls, all with the same three seconds of speech.
fn import_calls(home: &Path, data: &Path) {
    let speech = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/demo/recordings/librivox_0880.wav");
    fs::copy(speech, home.join("call.wav")).unwrap();
    let rows: String = (1..=CALLS).map(|id| format!("{id},outbound,answered,call.wav\n")).collect();
    let calls = home.join("calls.csv");
    fs::write(&calls, format!("id,direction,status,recording\n{rows}")).unwrap();
    run(data, &["import", "calls", calls.to_str().unwrap(), "--recordings", home.to_str().unwrap()]);
}

async fn wait_for_all(client: &Client) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let completed = client.get("/api/calls?transcription=completed&limit=0;0").await.expect(200)["total"].clone();
        if completed == json!(CALLS) {
            return;
        }
        assert!(Instant::now() < deadline, "{completed} of {CALLS} calls were completed in {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
