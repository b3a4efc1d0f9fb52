//! Ten thousand concurrent repeats of one submission under one idempotency key have one effect and one response.

use std::collections::BTreeMap;

use futures::{StreamExt, stream};

use crate::harness::{Client, Database, Installation, on_each_database, submission, verdict};

const PATH: &str = "/api/speech-recognition";
const REPEATS: usize = 10_000;
/// Number of concurrent requests.
const AT_ONCE: usize = 200;

async fn ten_thousand_repeats_have_one_effect_and_one_response(database: Database) {
    let database = database.make().await;
    let installation = Installation::on_either(database.as_ref());
    installation.import_calls(2);
    let (key, token) = (installation.key(), installation.token());
    let program = installation.all().await;
    let staff = program.client().with_key(&key);
    let keyed = program.client().with_header("idempotency-key", "once");

    let answers: Vec<_> = stream::iter(0..REPEATS)
        .map(|_| keyed.post(PATH, submission(&token, &[1])))
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;

    let mut statuses = BTreeMap::<u16, usize>::new();
    let mut first: Option<serde_json::Value> = None;
    for answer in answers {
        *statuses.entry(answer.status).or_default() += 1;
        match answer.status {
            409 => drop(answer.refused(409, "idempotency_in_flight")),
            _ => {
                let answer = answer.expect(200);
                assert_eq!(verdict(&answer, 1), "accepted");
                assert_eq!(first.get_or_insert_with(|| answer.clone()), &answer, "every answer is the first one");
            }
        }
    }
    assert!(first.is_some(), "none was answered: {statuses:?}");
    keyed.post(PATH, submission(&token, &[2])).await.refused(422, "idempotency_key_reused");
    assert_eq!(transcriptions(&staff, 1).await, 1);
    assert_eq!(transcriptions(&staff, 2).await, 0, "another body under the key has no effect");
    println!("measured: {REPEATS} repeats, {AT_ONCE} at a time, answered {statuses:?}; 1 transcription");
}
on_each_database!(
    #[ignore = "minutes: run it by `cargo xtask torture`"]
    ten_thousand_repeats_have_one_effect_and_one_response
);

async fn transcriptions(staff: &Client, call: u64) -> usize {
    let work = staff.get(&format!("/api/calls/{call}/transcriptions")).await.expect(200);
    work.as_array().unwrap().len()
}
