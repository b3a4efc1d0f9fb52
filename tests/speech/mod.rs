//! Life cycle of a call in a real process: recording submitted, transcribed, read and delivered.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::ServerProcess;

mod delivery;
mod recognition;

/// Time limit for a transcription, by a debug build on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Submits a call, and polls until its transcript is ready.
pub async fn submit_and_wait(program: &ServerProcess, token: &str, call: i64, languages: &[&str]) -> serde_json::Value {
    let submission = json!({ "call_ids": [call], "token": token, "languages": languages, "recording_side": "both" });
    let submission = program.client().post("/api/speech-recognition", submission.to_string()).await.expect(200);
    assert_eq!(submission["results"]["calls"][call.to_string()]["status"], "accepted", "{submission}");
    let client = program.client().with_header("x-speech-token", token);
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let response = client.get(&format!("/api/speech-recognition/{call}")).await;
        if response.status != 202 {
            return response.expect(200);
        }
        assert!(response.headers.contains_key("retry-after"));
        assert!(Instant::now() < deadline, "no transcript after {TIMEOUT:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
