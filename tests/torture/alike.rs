//! Timing side channel: reading another token's transcript takes as long as reading one of a missing call. Requests are
//! made in pairs, and their times are compared statistically.

use std::time::{Duration, Instant};

use crate::harness::{Client, Database, Installation, SpeechServer, eventually, on_each_database, submission, verdict};

/// Pairs of requests per comparison.
const PAIRS: usize = 2_000;

/// Allowed deviation from one half of the share of comparisons in which the first response took longer. Chance alone
/// exceeds it once in 10,000 runs (Mann-Whitney U, whose standard deviation is 0.0091 for two times 2,000).
const CHANCE: f64 = 0.036;

async fn foreign_and_missing_transcripts_take_the_same_time(database: Database) {
    let database = database.make().await;
    let installation = Installation::on_either(database.as_ref());
    installation.import_calls(2);
    let (owner, other) = (installation.token(), installation.token());
    let program = installation.api().await;
    let speech = SpeechServer::saying("the invoice is wrong", Duration::ZERO).await;
    let _worker = installation.worker(&speech);
    let sent = program.client().post("/api/speech-recognition", submission(&owner, &[1])).await.expect(200);
    assert_eq!(verdict(&sent, 1), "accepted");
    let holder = |token: &str| program.client().with_header("x-speech-token", token);
    let (owner, other) = (holder(&owner), holder(&other));
    let (owned, never_sent, absent) = (path(1), path(2), path(987_654_321));
    eventually("the transcript", async || owner.status(&owned).await == 200).await;

    let foreign = longer(&other, &owned, &absent, 404).await;
    let unsent = longer(&other, &never_sent, &absent, 404).await;
    // Checks that a difference would be detected: the owner gets the whole text.
    let own = longer(&owner, &owned, &absent, 200).await;
    println!(
        "measured: of {PAIRS} pairs, not yours took longer than not existing with probability {foreign:.3}, never sent with \
         {unsent:.3}; one's own, for comparison, with {own:.3}"
    );
    assert!((own - 0.5).abs() > CHANCE, "a difference that is there is seen: {own}");
    for share in [foreign, unsent] {
        assert!((share - 0.5).abs() < CHANCE, "time tells them apart: {share}");
    }
}
on_each_database!(
    #[ignore = "minutes: run it by `cargo xtask torture`"]
    foreign_and_missing_transcripts_take_the_same_time
);

fn path(call: u64) -> String {
    format!("/api/speech-recognition/{call}")
}

/// Returns the probability that a response about `one`, with this status, takes longer than one about `absent`. The
/// order alternates between pairs.
async fn longer(client: &Client, one: &str, absent: &str, status: u16) -> f64 {
    let mut times = (Vec::with_capacity(PAIRS), Vec::with_capacity(PAIRS));
    // The first requests warm up caches.
    for pair in 0..PAIRS + 50 {
        let (first, second) = if pair % 2 == 0 { (one, absent) } else { (absent, one) };
        let (first, second) = (timed(client, first).await, timed(client, second).await);
        let (of_one, of_absent) = if pair % 2 == 0 { (first, second) } else { (second, first) };
        assert_eq!((of_one.1, of_absent.1), (status, 404));
        if pair >= 50 {
            times.0.push(of_one.0);
            times.1.push(of_absent.0);
        }
    }
    superiority(&times.0, &times.1)
}

async fn timed(client: &Client, path: &str) -> (Duration, u16) {
    let begun = Instant::now();
    let status = client.status(path).await;
    (begun.elapsed(), status)
}

/// Returns the share of pairs of a value of `a` and one of `b` in which that of `a` is greater. Ties count half.
fn superiority(a: &[Duration], b: &[Duration]) -> f64 {
    let mut sorted = b.to_vec();
    sorted.sort_unstable();
    let below = a.iter().map(|value| {
        let less = sorted.partition_point(|other| other < value);
        let equal = sorted.partition_point(|other| other <= value) - less;
        less as f64 + equal as f64 / 2.0
    });
    below.sum::<f64>() / (a.len() as f64 * b.len() as f64)
}
