//! One result per call: kill -9 of workers while they transcribe, then check every call.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::harness::{Installation, SpeechServer, assert_one_transcript_each, submission_body, submission_outcome};

const CALL_COUNT: u64 = 40;
const KILL_COUNT: usize = 50;

#[tokio::test(flavor = "multi_thread")]
async fn calls_get_one_result_despite_killed_workers() {
    let mut installation = Installation::embedded();
    installation.import_calls(CALL_COUNT);
    let (key, token) = (installation.create_api_key(), installation.create_speech_token());
    // Jobs of a killed worker resume after two seconds, and repeated kills don't exhaust a job's attempts.
    installation.set("LEADSCRIBE_LEASE_SECONDS", "2");
    installation.set("LEADSCRIBE_MAX_ATTEMPTS", "1000");
    installation.set("LEADSCRIBE_MAX_CONCURRENT_RECOGNITIONS", "2");
    // Slow enough that most kills hit a worker during a recognition.
    let speech = SpeechServer::start("one result for each", Duration::from_millis(700)).await;

    let api = installation.start_api().await;
    let client = api.client().with_key(&key);
    let calls: Vec<u64> = (1..=CALL_COUNT).collect();
    let submission = submission_body(&token, &calls);
    let submission = api.client().post("/api/speech-recognition", submission).await.expect(200);
    assert!(calls.iter().all(|call| submission_outcome(&submission, *call) == "accepted"), "{submission}");

    let mut random = StdRng::seed_from_u64(31);
    for _ in 0..KILL_COUNT {
        let worker = installation.start_worker(&speech);
        tokio::time::sleep(Duration::from_millis(random.random_range(100..1_500))).await;
        worker.kill();
    }
    let recognitions_before = speech.request_count();
    let _workers = [installation.start_worker(&speech), installation.start_worker(&speech)];
    assert_eq!(assert_one_transcript_each(&client, &calls, "one result for each").await, CALL_COUNT);
    assert!(
        recognitions_before as u64 > CALL_COUNT / 2,
        "only {recognitions_before} recognitions had started: no worker was killed during one"
    );
    assert!(speech.request_count() as u64 > CALL_COUNT, "no recognition was interrupted");
}
