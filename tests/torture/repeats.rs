//! Ten thousand concurrent repeats of one submission under one idempotency key have one effect and one response.

use std::collections::BTreeMap;

use futures::{StreamExt, stream};

use crate::harness::{Client, Database, Installation, on_each_database, submission_body, submission_outcome};

const SUBMISSION_PATH: &str = "/api/speech-recognition";
const REPEAT_COUNT: usize = 10_000;
const MAX_CONCURRENT_REQUESTS: usize = 200;

async fn ten_thousand_repeats_have_one_effect_and_one_response(database: Database) {
    let database = database.create().await;
    let installation = Installation::with_database(database.as_ref());
    installation.import_calls(2);
    let (key, token) = (installation.create_api_key(), installation.create_speech_token());
    let program = installation.start_all_roles().await;
    let admin = program.client().with_key(&key);
    let client_with_key = program.client().with_header("idempotency-key", "once");

    let responses: Vec<_> = stream::iter(0..REPEAT_COUNT)
        .map(|_| client_with_key.post(SUBMISSION_PATH, submission_body(&token, &[1])))
        .buffer_unordered(MAX_CONCURRENT_REQUESTS)
        .collect()
        .await;

    let mut statuses = BTreeMap::<u16, usize>::new();
    let mut first_response: Option<serde_json::Value> = None;
    for response in responses {
        *statuses.entry(response.status).or_default() += 1;
        match response.status {
            409 => drop(response.expect_problem(409, "idempotency_in_flight")),
            _ => {
                let response = response.expect(200);
                assert_eq!(submission_outcome(&response, 1), "accepted");
                assert_eq!(
                    first_response.get_or_insert_with(|| response.clone()),
                    &response,
                    "every response equals the first"
                );
            }
        }
    }
    assert!(first_response.is_some(), "no request was executed: {statuses:?}");
    client_with_key
        .post(SUBMISSION_PATH, submission_body(&token, &[2]))
        .await
        .expect_problem(422, "idempotency_key_reused");
    assert_eq!(transcription_count(&admin, 1).await, 1);
    assert_eq!(transcription_count(&admin, 2).await, 0, "another body under the key has no effect");
    println!(
        "measured: {REPEAT_COUNT} repeats, {MAX_CONCURRENT_REQUESTS} at a time, answered {statuses:?}; 1 transcription"
    );
}
on_each_database!(
    #[ignore = "takes minutes; run with `cargo xtask torture`"]
    ten_thousand_repeats_have_one_effect_and_one_response
);

async fn transcription_count(admin: &Client, call: u64) -> usize {
    let queued = admin.get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
    queued.as_array().unwrap().len()
}
