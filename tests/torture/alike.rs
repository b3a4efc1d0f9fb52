//! Not yours and not existing take the same time: a transcript that another token owns is asked for beside one of a call that
//! isn't there, in pairs, and no statistician could tell which is which.

use std::time::{Duration, Instant};

use crate::harness::{Client, Database, Installation, SpeechServer, eventually, on_each_database, submission, verdict};

/// Pairs of requests of each comparison.
const PAIRS: usize = 2_000;

/// How often, of so many comparisons of one answer with another, the first took longer, as a share: half of them where time
/// tells nothing. By chance alone it is off by more than this once in 10,000 runs (Mann and Whitney's U, whose standard
/// deviation is 0.0091 for two times 2,000).
const CHANCE: f64 = 0.036;

async fn not_yours_takes_as_long_as_not_existing(database: Database) {
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
    // That a difference would be seen: who owns it is given the whole text.
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
    not_yours_takes_as_long_as_not_existing
);

fn path(call: u64) -> String {
    format!("/api/speech-recognition/{call}")
}

/// How likely an answer about `one`, of this status, takes longer than an answer about `absent`. Each pair is asked in the
/// other order than the one before it.
async fn longer(client: &Client, one: &str, absent: &str, status: u16) -> f64 {
    let mut times = (Vec::with_capacity(PAIRS), Vec::with_capacity(PAIRS));
    // The first answers fill caches.
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

/// The share of all pairs of one value of `a` and one of `b` in which that of `a` is greater; equal ones count half.
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
