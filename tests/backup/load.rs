//! Backup of a busy server.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::{back_up, files, manifest};
use crate::harness::{Client, Program, run, told, wav};

const SENDERS: usize = 4;

/// Calls that must be accepted before the backup starts.
const BEFORE: usize = 20;

/// Accepted calls.
type Ledger = Arc<Mutex<BTreeSet<i64>>>;

#[tokio::test(flavor = "multi_thread")]
async fn backup_contains_all_previously_accepted_calls() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    let key = run(&data, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(&data, &["token", "create", "--name", "test"]);
    fs::write(data.join("leadscribe.toml"), "[limits]\nmax_page = 2000\n").unwrap();
    let sound = wav(2, 1.5);
    let program = Program::start(&data).await;
    let (ledger, stop) = (Ledger::default(), Arc::new(AtomicBool::new(false)));
    let senders: Vec<_> = (0..SENDERS)
        .map(|_| {
            let client = program.client().with_key(&key);
            tokio::spawn(send(client, token.clone(), sound.clone(), ledger.clone(), stop.clone()))
        })
        .collect();
    while ledger.lock().unwrap().len() < BEFORE {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }

    let accepted = ledger.lock().unwrap().clone();
    let file = home.path().join("first.backup");
    let (from, to) = (data.clone(), file.clone());
    tokio::task::spawn_blocking(move || back_up(&from, &to)).await.unwrap();
    let during = ledger.lock().unwrap().len() - accepted.len();
    stop.store(true, Ordering::Relaxed);
    for sender in senders {
        sender.await.unwrap();
    }
    assert!(during > 0, "nothing was accepted while the backup was made");
    drop(program);

    let restored = home.path().join("restored");
    let file = file.to_str().unwrap().to_owned();
    let said = told(&restored, &["restore".to_owned(), file.clone()]);
    assert!(said.contains(&format!("restored to {}", restored.display())), "{said}");
    assert_eq!(fs::read_to_string(restored.join("leadscribe.toml")).unwrap(), "[limits]\nmax_page = 2000\n");

    // A backup of the restored data has the same tables and recordings.
    let again = home.path().join("again.backup");
    back_up(&restored, &again);
    let [first, again] = [Path::new(&file), &again].map(manifest);
    assert_eq!(first["tables"], again["tables"]);
    assert_eq!(files(&first), files(&again));
    let (backed_up, promised) = (files(&first).len(), accepted.len());
    assert!(backed_up > promised, "{backed_up} files for {promised} calls");
    assert_eq!(first["remarks"], json!([]));

    let program = Program::start(&restored).await;
    let client = program.client().with_key(&key);
    for call in &accepted {
        let kept = client.get(&format!("/api/calls/{call}")).await.expect(200);
        assert_eq!(kept["transcription_state"], "queued", "call {call}");
        assert!(client.get(&format!("/api/calls/{call}/recording")).await.body == sound, "call {call}");
    }
    // Id assignment continues.
    let next = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    assert!(next > *accepted.last().unwrap());
}

/// Creates calls, uploads their recordings and submits them, until `stop` is set.
async fn send(client: Client, token: String, sound: Vec<u8>, ledger: Ledger, stop: Arc<AtomicBool>) {
    let audio = client.with_header("content-type", "audio/wav");
    while !stop.load(Ordering::Relaxed) {
        let call = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
        audio.put(&format!("/api/calls/{call}/recording"), sound.clone()).await.expect(200);
        let sent = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
        let answer = client.post("/api/speech-recognition", sent.to_string()).await.expect(200);
        assert_eq!(answer["results"]["calls"][call.to_string()]["status"], "accepted", "{answer}");
        ledger.lock().unwrap().insert(call);
    }
}
