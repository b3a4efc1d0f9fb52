//! Durability: 50 power failures at random moments, each losing what was not synced.
//!
//! The program is killed on a disk that keeps only synced data. This tests SQLite: PostgreSQL guarantees durability
//! itself, by `fsync` and `synchronous_commit`, usually on another machine.

mod disk;

use std::sync::Arc;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::kept::kill_at_work;
use crate::harness::{Crowd, Installation, SpeechServer};
use disk::{Disk, Unsynced};

const CUTS: usize = 50;
const CLIENTS: usize = 32;

/// Text of each recording.
const SAID: &str = "the power is back";

/// Simulates this number of power failures under load. Returns the clients with their ledger, an API key, and the
/// installation with its speech server.
async fn cut(cuts: usize, lie: &[(&str, &str)]) -> (Arc<Crowd>, String, Installation, SpeechServer) {
    let mut installation = Installation::embedded();
    installation.set("LEADSCRIBE_LEASE_SECONDS", "2");
    installation.set("LEADSCRIBE_MAX_ATTEMPTS", "1000");
    installation.set("LEADSCRIBE_RECOGNITIONS", "8");
    let speech = SpeechServer::saying(SAID, Duration::from_millis(50)).await;
    let key = installation.key();
    let crowd = Arc::new(Crowd::new(CLIENTS, &key, &installation.token()));
    let disk = Disk::below(&installation.data());
    let mut random = StdRng::seed_from_u64(17);
    for cut in 0..cuts {
        let mut program = installation.launch(&speech, &[&disk.options()[..], lie].concat()).ready().await;
        kill_at_work(&mut program, &crowd, Duration::from_millis(random.random_range(0..200))).await;
        disk.power_is_back(&mut if cut % 2 == 0 { Unsynced::Gone } else { Unsynced::Partly(&mut random) });
        installation.expect_whole();
    }
    (crowd, key, installation, speech)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn accepted_calls_survive_fifty_power_failures() {
    let (crowd, key, installation, speech) = cut(CUTS, &[]).await;
    let (accepted, answers) = (crowd.ledger.accepted(), crowd.ledger.answers());
    assert!(accepted > CUTS, "only {accepted} calls were accepted: nothing was tried");
    let program = installation.launch(&speech, &[]).ready().await;
    crowd.settle(&program.base).await;
    crowd.ledger.expect_kept(&program.client().with_key(&key), SAID).await;
    println!(
        "measured: {CUTS} power cuts, {accepted} calls accepted of {answers} answered writes; none lost, one result each"
    );
}

/// Control experiment: a log that isn't synced at each commit, as with `synchronous=NORMAL`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn power_failure_loses_calls_without_synced_commits() {
    let (crowd, key, installation, speech) = cut(1, &[("POWER_LIE", "-wal")]).await;
    let program = installation.launch(&speech, &[]).ready().await;
    let lost = crowd.ledger.lost(&program.client().with_key(&key)).await.len();
    let accepted = crowd.ledger.accepted();
    assert!(lost > 0, "all {accepted} calls that were accepted are there: this trial can't see a loss");
    println!("measured: with the log's syncs left out {lost} of {accepted} accepted calls are lost");
}
