//! Accepted means kept: the power fails 50 times at a random moment, and what was not synced is gone.
//!
//! The program is killed on a disk that keeps what was synced. It is SQLite's trial: PostgreSQL keeps its own promise, by
//! `fsync` and `synchronous_commit`, on a machine of its own.

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

/// What each recording says.
const SAID: &str = "the power is back";

/// Lets the power fail, so often, under load; gives what was answered meanwhile and a server without faults to ask.
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
async fn what_was_accepted_outlives_fifty_power_cuts() {
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

/// The control: a log that isn't synced at each commit is what `synchronous=NORMAL` means.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn a_power_cut_takes_what_was_accepted_if_commits_are_not_synced() {
    let (crowd, key, installation, speech) = cut(1, &[("POWER_LIE", "-wal")]).await;
    let program = installation.launch(&speech, &[]).ready().await;
    let lost = crowd.ledger.lost(&program.client().with_key(&key)).await.len();
    let accepted = crowd.ledger.accepted();
    assert!(lost > 0, "all {accepted} calls that were accepted are there: this trial can't see a loss");
    println!("measured: with the log's syncs left out {lost} of {accepted} accepted calls are lost");
}
