//! Timing side channel: reading another token's transcript takes as long as reading one of a missing call. Requests are
//! made in pairs, and their times are compared statistically.

use std::time::{Duration, Instant};

use crate::harness::{
    Client, Database, Installation, SpeechServer, eventually, on_each_database, submission_body, submission_outcome,
};

/// Pairs of requests per comparison.
const PAIR_COUNT: usize = 2_000;

/// The first response should take longer in half of the comparisons. This is the allowed deviation from that. Chance
/// alone exceeds it once in 10,000 runs (Mann-Whitney U, whose standard deviation is 0.0091 for two times 2,000).
const MAX_DEVIATION: f64 = 0.036;

async fn foreign_and_missing_transcripts_take_the_same_time(database: Database) {
    let database = database.create().await;
    let installation = Installation::with_database(database.as_ref());
    installation.import_calls(2);
    let (owner, other) = (installation.create_speech_token(), installation.create_speech_token());
    let program = installation.start_api().await;
    let speech = SpeechServer::start("the invoice is wrong", Duration::ZERO).await;
    let _worker = installation.start_worker(&speech);
    let accepted = program.client().post("/api/speech-recognition", submission_body(&owner, &[1])).await.expect(200);
    assert_eq!(submission_outcome(&accepted, 1), "accepted");
    let client_with_token = |token: &str| program.client().with_header("x-speech-token", token);
    let (owner, other) = (client_with_token(&owner), client_with_token(&other));
    let (owned_path, unsubmitted_path, absent_path) = (path(1), path(2), path(987_654_321));
    eventually("the transcript is ready", async || owner.status(&owned_path).await == 200).await;

    let foreign_share = probability_of_longer(&other, &owned_path, &absent_path, 404).await;
    let unsubmitted_share = probability_of_longer(&other, &unsubmitted_path, &absent_path, 404).await;
    // Checks that a difference would be detected: the owner gets the whole text.
    let own_share = probability_of_longer(&owner, &owned_path, &absent_path, 200).await;
    println!(
        "measured: probability of taking longer than a missing call, over {PAIR_COUNT} pairs: {foreign_share:.3} for another token's \
         transcript, {unsubmitted_share:.3} for a call never sent; for comparison, {own_share:.3} for the token's own transcript"
    );
    assert!((own_share - 0.5).abs() > MAX_DEVIATION, "the comparison detects a known difference: {own_share}");
    for share in [foreign_share, unsubmitted_share] {
        assert!((share - 0.5).abs() < MAX_DEVIATION, "response times differ: {share}");
    }
}
on_each_database!(
    #[ignore = "takes minutes; run with `cargo xtask torture`"]
    foreign_and_missing_transcripts_take_the_same_time
);

fn path(call: u64) -> String {
    format!("/api/speech-recognition/{call}")
}

/// Returns the probability that a response about `path`, with this status, takes longer than one about `absent_path`.
/// The order alternates between pairs.
async fn probability_of_longer(client: &Client, path: &str, absent_path: &str, status: u16) -> f64 {
    let mut times = (Vec::with_capacity(PAIR_COUNT), Vec::with_capacity(PAIR_COUNT));
    // The first requests warm up caches.
    for pair in 0..PAIR_COUNT + 50 {
        let (first, second) = if pair % 2 == 0 { (path, absent_path) } else { (absent_path, path) };
        let (first, second) = (time_request(client, first).await, time_request(client, second).await);
        let (path_result, absent_result) = if pair % 2 == 0 { (first, second) } else { (second, first) };
        assert_eq!((path_result.1, absent_result.1), (status, 404));
        if pair >= 50 {
            times.0.push(path_result.0);
            times.1.push(absent_result.0);
        }
    }
    superiority(&times.0, &times.1)
}

async fn time_request(client: &Client, path: &str) -> (Duration, u16) {
    let started = Instant::now();
    let status = client.status(path).await;
    (started.elapsed(), status)
}

/// Compares each value of `a` with each value of `b` and returns the share of pairs with a greater `a`. Ties count
/// half.
fn superiority(a: &[Duration], b: &[Duration]) -> f64 {
    let mut sorted = b.to_vec();
    sorted.sort_unstable();
    let shares = a.iter().map(|value| {
        let smaller = sorted.partition_point(|other| other < value);
        let equal = sorted.partition_point(|other| other <= value) - smaller;
        smaller as f64 + equal as f64 / 2.0
    });
    shares.sum::<f64>() / (a.len() as f64 * b.len() as f64)
}
