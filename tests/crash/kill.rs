//! Durability: kill -9 while calls are being submitted, then check that every accepted call exists.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::harness::{ServerProcess, run, wav};

const ROUND_COUNT: u64 = 8;
const SENDER_COUNT: u64 = 4;
/// Calls of one sender per round; more than it can submit before the kill.
const CALLS_PER_SENDER: u64 = 40;

/// Accepted calls: transcription by call.
type AcceptedCalls = Arc<Mutex<BTreeMap<u64, u64>>>;

#[tokio::test(flavor = "multi_thread")]
async fn killed_server_loses_no_accepted_call() {
    let temp_dir = tempfile::tempdir().unwrap();
    let data_dir = temp_dir.path().join("data");
    import_calls(temp_dir.path(), &data_dir);
    let key = run(&data_dir, &["api-key", "create", "--name", "test", "--scope", "calls:read"]);
    let token = run(&data_dir, &["token", "create", "--name", "test"]);
    let accepted_calls = AcceptedCalls::default();
    let mut random = StdRng::seed_from_u64(9);

    for round in 0..ROUND_COUNT {
        let mut program = ServerProcess::start(&data_dir).await;
        let senders: Vec<_> = (0..SENDER_COUNT)
            .map(|sender| {
                let first_call = 1 + (round * SENDER_COUNT + sender) * CALLS_PER_SENDER;
                tokio::spawn(submit_calls(program.base_url.clone(), token.clone(), first_call, accepted_calls.clone()))
            })
            .collect();
        // On a busy machine the first response takes a while. The server must be at work when it is killed.
        let accepted_before = accepted_calls.lock().unwrap().len();
        while accepted_calls.lock().unwrap().len() == accepted_before
            && !senders.iter().all(|sender| sender.is_finished())
        {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_millis(random.random_range(0..100))).await;
        program.kill();
        for sender in senders {
            sender.await.unwrap();
        }
    }

    let accepted = accepted_calls.lock().unwrap().clone();
    assert!(
        accepted.len() as u64 > ROUND_COUNT,
        "only {} calls were accepted: the test proves nothing",
        accepted.len()
    );
    let mut transcriptions: Vec<_> = accepted.values().collect();
    transcriptions.sort_unstable();
    transcriptions.dedup();
    assert_eq!(transcriptions.len(), accepted.len(), "each call has its own transcription");

    let program = ServerProcess::start(&data_dir).await;
    let client = program.client().with_key(&key);
    for (call, transcription) in &accepted {
        let call_data = client.get(&format!("/api/calls/{call}")).await.expect(200);
        assert_eq!(
            call_data["transcription_state"], "queued",
            "call {call}, accepted as transcription {transcription}"
        );
    }
    for calls in accepted.keys().collect::<Vec<_>>().chunks(500) {
        let resubmission =
            program.client().post("/api/speech-recognition", submission_body(&token, calls)).await.expect(200);
        for call in calls {
            assert_eq!(resubmission["results"]["calls"][call.to_string()]["reason"], "already_sent", "call {call}");
        }
    }
}

/// Imports enough calls for all rounds, all with the same short recording.
fn import_calls(temp_dir: &std::path::Path, data_dir: &std::path::Path) {
    fs::write(temp_dir.join("call.wav"), wav(2, 1.5)).unwrap();
    let rows: String = (1..=ROUND_COUNT * SENDER_COUNT * CALLS_PER_SENDER)
        .map(|id| format!("{id},outbound,answered,call.wav\n"))
        .collect();
    let calls = temp_dir.join("calls.csv");
    fs::write(&calls, format!("id,direction,status,recording\n{rows}")).unwrap();
    let folder = temp_dir.to_str().unwrap();
    run(data_dir, &["import", "calls", calls.to_str().unwrap(), "--recordings", folder]);
}

fn submission_body(token: &str, calls: &[&u64]) -> String {
    json!({ "call_ids": calls, "token": token, "languages": ["en"], "recording_side": "both" }).to_string()
}

/// Submits calls until the server is gone. Records an acceptance only after its complete response.
async fn submit_calls(base: String, token: String, first_call: u64, accepted_calls: AcceptedCalls) {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    for call in first_call..first_call + CALLS_PER_SENDER {
        let request = http
            .post(format!("{base}/api/speech-recognition"))
            .header("content-type", "application/json")
            .body(submission_body(&token, &[&call]));
        let Ok(response) = request.send().await else { return };
        let Ok(response) = response.json::<Value>().await else { return };
        let outcome = &response["results"]["calls"][call.to_string()];
        assert_eq!(outcome["status"], "accepted", "{response}");
        accepted_calls.lock().unwrap().insert(call, outcome["transcription_id"].as_u64().unwrap());
    }
}
