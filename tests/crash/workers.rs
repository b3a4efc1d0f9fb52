//! One result per call: kill -9 of workers while they transcribe, then check every call.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::harness::{Client, ServerProcess, SpeechServer, WorkerProcess, assert_one_transcript_each, run};

const CALL_COUNT: u64 = 40;
const KILL_COUNT: usize = 50;

/// Time limit for the remaining calls after the last kill.
const COMPLETION_TIMEOUT: Duration = Duration::from_secs(120);

#[tokio::test(flavor = "multi_thread")]
async fn calls_get_one_result_despite_killed_workers() {
    let temp_dir = tempfile::tempdir().unwrap();
    let data_dir = temp_dir.path().join("data");
    import_calls(temp_dir.path(), &data_dir);
    let key = run(&data_dir, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(&data_dir, &["token", "create", "--name", "test"]);
    // Slow enough that most kills hit a worker during a recognition.
    let speech = SpeechServer::start("one result for each", Duration::from_millis(700)).await;
    let mut options = speech.options().to_vec();
    // Jobs of a killed worker resume after two seconds, and repeated kills don't exhaust a job's attempts.
    options.extend([
        ("LEADSCRIBE_LEASE_SECONDS", "2"),
        ("LEADSCRIBE_MAX_ATTEMPTS", "1000"),
        ("LEADSCRIBE_MAX_CONCURRENT_RECOGNITIONS", "2"),
    ]);

    let api = ServerProcess::start_with(&data_dir, &[("LEADSCRIBE_ROLE", "api")]).await;
    let client = api.client().with_key(&key);
    let calls: Vec<u64> = (1..=CALL_COUNT).collect();
    let submission = json!({ "call_ids": calls, "token": token, "languages": ["en"], "recording_side": "both" });
    let submission = api.client().post("/api/speech-recognition", submission.to_string()).await.expect(200);
    assert!(
        calls.iter().all(|call| submission["results"]["calls"][call.to_string()]["status"] == "accepted"),
        "{submission}"
    );

    let mut random = StdRng::seed_from_u64(31);
    for _ in 0..KILL_COUNT {
        let worker = WorkerProcess::start(&data_dir, &options);
        tokio::time::sleep(Duration::from_millis(random.random_range(100..1_500))).await;
        worker.kill();
    }
    let recognitions_before = speech.request_count();
    let workers = [WorkerProcess::start(&data_dir, &options), WorkerProcess::start(&data_dir, &options)];
    wait_until_all_completed(&client).await;
    drop(workers);

    assert!(
        recognitions_before as u64 > CALL_COUNT / 2,
        "only {recognitions_before} recognitions had started: no worker was killed during one"
    );
    assert!(speech.request_count() as u64 > CALL_COUNT, "no recognition was interrupted");
    assert_one_transcript_each(&client, &calls, "one result for each").await;
    let stored = client.get("/api/transcripts?limit=1000;0").await.expect(200);
    assert_eq!(
        (&stored["total"], stored["items"].as_array().unwrap().len()),
        (&json!(CALL_COUNT), CALL_COUNT as usize)
    );
}

/// Imports calls, all with the same three seconds of speech.
fn import_calls(folder: &Path, data_dir: &Path) {
    let sample_path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/demo/recordings/librivox_0880.wav");
    fs::copy(sample_path, folder.join("call.wav")).unwrap();
    let rows: String = (1..=CALL_COUNT).map(|id| format!("{id},outbound,answered,call.wav\n")).collect();
    let calls = folder.join("calls.csv");
    fs::write(&calls, format!("id,direction,status,recording\n{rows}")).unwrap();
    run(data_dir, &["import", "calls", calls.to_str().unwrap(), "--recordings", folder.to_str().unwrap()]);
}

async fn wait_until_all_completed(client: &Client) {
    let deadline = Instant::now() + COMPLETION_TIMEOUT;
    loop {
        let completed = client.get("/api/calls?transcription=completed&limit=0;0").await.expect(200)["total"].clone();
        if completed == json!(CALL_COUNT) {
            return;
        }
        assert!(
            Instant::now() < deadline,
            "{completed} of {CALL_COUNT} calls were completed in {COMPLETION_TIMEOUT:?}"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
