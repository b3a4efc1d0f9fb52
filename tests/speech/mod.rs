//! Life cycle of a call in a real process: recording submitted, transcribed, read and delivered.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Client, Program};

mod delivered;
mod recognised;

/// Time limit for a transcription, by a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns a recording of the program's sample data.
pub fn sample(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/demo/recordings");
    std::fs::read(format!("{folder}/{name}")).unwrap()
}

/// Creates a call with a recording, and returns its id.
pub async fn recorded_call(client: &Client, recording: Vec<u8>) -> i64 {
    let call = client.create("/api/calls", json!({ "direction": "inbound", "status": "answered" })).await;
    client
        .with_header("content-type", "audio/wav")
        .put(&format!("/api/calls/{call}/recording"), recording)
        .await
        .expect(200);
    call
}

/// Submits a call, and polls until its transcript is ready.
pub async fn transcribed(program: &Program, token: &str, call: i64, languages: &[&str]) -> serde_json::Value {
    let sent = json!({ "call_ids": [call], "token": token, "languages": languages, "recording_side": "both" });
    let sent = program.client().post("/api/speech-recognition", sent.to_string()).await.expect(200);
    assert_eq!(sent["results"]["calls"][call.to_string()]["status"], "accepted", "{sent}");
    let client = program.client().with_header("x-speech-token", token);
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = client.get(&format!("/api/speech-recognition/{call}")).await;
        if answer.status != 202 {
            return answer.expect(200);
        }
        assert!(answer.headers.contains_key("retry-after"));
        assert!(Instant::now() < deadline, "no transcript after {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
