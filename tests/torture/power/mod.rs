//! Durability: 50 power failures at random times, each losing what was not synced.
//!
//! The program is killed on a disk that keeps only synced data. This tests SQLite: PostgreSQL guarantees durability
//! itself, by `fsync` and `synchronous_commit`, usually on another machine.

mod disk;

use std::sync::Arc;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::durability::kill_under_load;
use crate::harness::{ClientPool, Installation, SpeechServer};
use disk::{SimulatedDisk, UnsyncedData};

const POWER_FAILURES: usize = 50;
const CLIENT_COUNT: usize = 32;

/// Text of each recording.
const TRANSCRIPT_TEXT: &str = "the power is back";

/// Simulates this number of power failures under load. Returns the clients with their ledger, an API key, and the
/// installation with its speech server.
async fn run_power_failures(
    failures: usize,
    disk_options: &[(&str, &str)],
) -> (Arc<ClientPool>, String, Installation, SpeechServer) {
    let mut installation = Installation::embedded();
    installation.set("LEADSCRIBE_LEASE_SECONDS", "2");
    installation.set("LEADSCRIBE_MAX_ATTEMPTS", "1000");
    installation.set("LEADSCRIBE_MAX_CONCURRENT_RECOGNITIONS", "8");
    let speech = SpeechServer::start(TRANSCRIPT_TEXT, Duration::from_millis(50)).await;
    let key = installation.create_api_key();
    let client_pool = Arc::new(ClientPool::new(CLIENT_COUNT, &key, &installation.create_speech_token()));
    let disk = SimulatedDisk::for_data_dir(&installation.data_dir());
    let mut random = StdRng::seed_from_u64(17);
    for failure in 0..failures {
        let mut program =
            installation.launch(&speech, &[&disk.options()[..], disk_options].concat()).wait_until_ready().await;
        kill_under_load(&mut program, &client_pool, Duration::from_millis(random.random_range(0..200))).await;
        disk.restore_after_power_failure(&mut if failure % 2 == 0 {
            UnsyncedData::Lost
        } else {
            UnsyncedData::PartlyWritten(&mut random)
        });
        installation.assert_database_intact();
    }
    (client_pool, key, installation, speech)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; run with `cargo xtask torture`"]
async fn accepted_calls_survive_fifty_power_failures() {
    let (client_pool, key, installation, speech) = run_power_failures(POWER_FAILURES, &[]).await;
    let (accepted, writes) = (client_pool.ledger.accepted(), client_pool.ledger.acknowledged_writes());
    assert!(accepted > POWER_FAILURES, "only {accepted} calls were accepted: the test proves nothing");
    let program = installation.launch(&speech, &[]).wait_until_ready().await;
    client_pool.resubmit_unanswered(&program.base_url).await;
    client_pool.ledger.assert_durable(&program.client().with_key(&key), TRANSCRIPT_TEXT).await;
    println!(
        "measured: {POWER_FAILURES} power failures, {writes} acknowledged writes, {accepted} of them calls; none lost, one result each"
    );
}

/// Control experiment: a log that isn't synced at each commit, as with `synchronous=NORMAL`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; run with `cargo xtask torture`"]
async fn power_failure_loses_calls_without_synced_commits() {
    let (client_pool, key, installation, speech) = run_power_failures(1, &[("POWER_UNSYNCED_SUFFIX", "-wal")]).await;
    let program = installation.launch(&speech, &[]).wait_until_ready().await;
    let lost = client_pool.ledger.lost_calls(&program.client().with_key(&key)).await.len();
    let accepted = client_pool.ledger.accepted();
    assert!(lost > 0, "all {accepted} accepted calls survived: this trial can't detect a loss");
    println!("measured: without syncs of the write-ahead log, {lost} of {accepted} accepted calls are lost");
}
