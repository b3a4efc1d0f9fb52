//! Durability: kill -9 while calls are being submitted, then check that every accepted call exists.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::harness::{Program, run, wav};

const ROUNDS: u64 = 8;
const SENDERS: u64 = 4;
/// Calls of one sender per round; more than it can submit before the kill.
const CALLS: u64 = 40;

/// Accepted calls: transcription by call.
type Ledger = Arc<Mutex<BTreeMap<u64, u64>>>;

#[tokio::test(flavor = "multi_thread")]
async fn killed_server_loses_no_accepted_call() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    import_calls(home.path(), &data);
    let key = run(&data, &["api-key", "create", "--name", "test", "--scope", "calls:read"]);
    let token = run(&data, &["token", "create", "--name", "test"]);
    let ledger = Ledger::default();
    let mut random = StdRng::seed_from_u64(9);

    for round in 0..ROUNDS {
        let mut program = Program::start(&data).await;
        let senders: Vec<_> = (0..SENDERS)
            .map(|sender| {
                let first = 1 + (round * SENDERS + sender) * CALLS;
                tokio::spawn(send_one_by_one(program.base.clone(), token.clone(), first, ledger.clone()))
            })
            .collect();
        // On a busy machine the first response takes a while. The server must be at work when it is killed.
        let before = ledger.lock().unwrap().len();
        while ledger.lock().unwrap().len() == before && !senders.iter().all(|sender| sender.is_finished()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_millis(random.random_range(0..100))).await;
        program.kill();
        for sender in senders {
            sender.await.unwrap();
        }
    }

    let accepted = ledger.lock().unwrap().clone();
    assert!(accepted.len() as u64 > ROUNDS, "only {} calls were accepted: nothing was tried", accepted.len());
    let mut transcriptions: Vec<_> = accepted.values().collect();
    transcriptions.sort_unstable();
    transcriptions.dedup();
    assert_eq!(transcriptions.len(), accepted.len(), "each call has a transcription of its own");

    let program = Program::start(&data).await;
    let client = program.client().with_key(&key);
    for (call, transcription) in &accepted {
        let kept = client.get(&format!("/api/calls/{call}")).await.expect(200);
        assert_eq!(kept["transcription_state"], "queued", "call {call}, accepted as transcription {transcription}");
    }
    for calls in accepted.keys().collect::<Vec<_>>().chunks(500) {
        let again = program.client().post("/api/speech-recognition", submission(&token, calls)).await.expect(200);
        for call in calls {
            assert_eq!(again["results"]["calls"][call.to_string()]["reason"], "already_sent", "call {call}");
        }
    }
}

/// Imports enough calls for all rounds, all with the same short recording.
fn import_calls(home: &std::path::Path, data: &std::path::Path) {
    fs::write(home.join("call.wav"), wav(2, 1.5)).unwrap();
    let rows: String = (1..=ROUNDS * SENDERS * CALLS).map(|id| format!("{id},outbound,answered,call.wav\n")).collect();
    let calls = home.join("calls.csv");
    fs::write(&calls, format!("id,direction,status,recording\n{rows}")).unwrap();
    let folder = home.to_str().unwrap();
    run(data, &["import", "calls", calls.to_str().unwrap(), "--recordings", folder]);
}

fn submission(token: &str, calls: &[&u64]) -> String {
    json!({ "call_ids": calls, "token": token, "languages": ["en"], "recording_side": "both" }).to_string()
}

/// Submits calls until the server is gone. Records an acceptance only after its complete response.
async fn send_one_by_one(base: String, token: String, first: u64, ledger: Ledger) {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    for call in first..first + CALLS {
        let request = http
            .post(format!("{base}/api/speech-recognition"))
            .header("content-type", "application/json")
            .body(submission(&token, &[&call]));
        let Ok(answer) = request.send().await else { return };
        let Ok(answer) = answer.json::<Value>().await else { return };
        let outcome = &answer["results"]["calls"][call.to_string()];
        assert_eq!(outcome["status"], "accepted", "{answer}");
        ledger.lock().unwrap().insert(call, outcome["transcription_id"].as_u64().unwrap());
    }
}
