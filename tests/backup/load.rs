//! Backup of a busy server.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::{files_without_database, read_manifest, run_backup, tables_without_change_log};
use crate::harness::{Client, ServerProcess, run, stderr_of, wav};

const SENDER_COUNT: usize = 4;

/// Calls that must be accepted before the backup starts.
const MIN_ACCEPTED_CALLS: usize = 20;

type AcceptedCalls = Arc<Mutex<BTreeSet<i64>>>;

#[tokio::test(flavor = "multi_thread")]
async fn backup_contains_all_previously_accepted_calls() {
    let temp_dir = tempfile::tempdir().unwrap();
    let data_dir = temp_dir.path().join("data");
    let key = run(&data_dir, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(&data_dir, &["token", "create", "--name", "test"]);
    fs::write(data_dir.join("leadscribe.toml"), "[limits]\nmax_page_size = 2000\n").unwrap();
    let audio = wav(2, 1.5);
    let program = ServerProcess::start(&data_dir).await;
    let (accepted_calls, stop) = (AcceptedCalls::default(), Arc::new(AtomicBool::new(false)));
    let senders: Vec<_> = (0..SENDER_COUNT)
        .map(|_| {
            let client = program.client().with_key(&key);
            tokio::spawn(submit_calls(client, token.clone(), audio.clone(), accepted_calls.clone(), stop.clone()))
        })
        .collect();
    while accepted_calls.lock().unwrap().len() < MIN_ACCEPTED_CALLS {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }

    let accepted = accepted_calls.lock().unwrap().clone();
    let file = temp_dir.path().join("first.backup");
    let (source_dir, target_file) = (data_dir.clone(), file.clone());
    tokio::task::spawn_blocking(move || run_backup(&source_dir, &target_file)).await.unwrap();
    let accepted_during_backup = accepted_calls.lock().unwrap().len() - accepted.len();
    stop.store(true, Ordering::Relaxed);
    for sender in senders {
        sender.await.unwrap();
    }
    assert!(accepted_during_backup > 0, "no call was accepted during the backup");
    drop(program);

    let restored = temp_dir.path().join("restored");
    let file = file.to_str().unwrap().to_owned();
    let output = stderr_of(&restored, &["restore".to_owned(), file.clone()]);
    assert!(output.contains(&format!("restored to {}", restored.display())), "{output}");
    assert_eq!(fs::read_to_string(restored.join("leadscribe.toml")).unwrap(), "[limits]\nmax_page_size = 2000\n");

    // A backup of the restored data has the same tables and recordings.
    let second_backup = temp_dir.path().join("again.backup");
    run_backup(&restored, &second_backup);
    let [first_manifest, second_manifest] = [Path::new(&file), &second_backup].map(read_manifest);
    assert_eq!(tables_without_change_log(&first_manifest), tables_without_change_log(&second_manifest));
    assert_eq!(files_without_database(&first_manifest), files_without_database(&second_manifest));
    let (file_count, call_count) = (files_without_database(&first_manifest).len(), accepted.len());
    assert!(file_count > call_count, "{file_count} files for {call_count} calls");
    assert_eq!(first_manifest["recording_issues"], json!([]));

    let program = ServerProcess::start(&restored).await;
    let client = program.client().with_key(&key);
    for call in &accepted {
        let call_data = client.get(&format!("/api/calls/{call}")).await.expect(200);
        assert_eq!(call_data["transcription_state"], "queued", "call {call}");
        assert!(client.get(&format!("/api/calls/{call}/recording")).await.body == audio, "call {call}");
    }
    // New ids continue after the restored ones.
    let next_call = client.create_call().await;
    assert!(next_call > *accepted.last().unwrap());
}

/// Creates calls, uploads their recordings and submits them, until `stop` is set.
async fn submit_calls(
    client: Client,
    token: String,
    recording: Vec<u8>,
    accepted_calls: AcceptedCalls,
    stop: Arc<AtomicBool>,
) {
    while !stop.load(Ordering::Relaxed) {
        let call = client.create_recorded_call(recording.clone()).await;
        let submission = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
        let response = client.post("/api/speech-recognition", submission.to_string()).await.expect(200);
        assert_eq!(response["results"]["calls"][call.to_string()]["status"], "accepted", "{response}");
        accepted_calls.lock().unwrap().insert(call);
    }
}
