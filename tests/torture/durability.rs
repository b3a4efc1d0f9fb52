//! Durability: 500 times kill -9 at a random time while 32 clients submit calls and the server transcribes them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::time::sleep;

use crate::harness::{ClientPool, Database, Installation, ServerProcess, SpeechServer, on_each_database};

const KILL_COUNT: usize = 500;
const CLIENT_COUNT: usize = 32;

/// One of this many starts is killed before the server is ready.
const EARLY_KILL_PERIOD: usize = 8;

/// Text of each recording.
const TRANSCRIPT_TEXT: &str = "accepted means kept";

async fn accepted_calls_survive_five_hundred_kills(database: Database) {
    check_kills(database, KILL_COUNT, CLIENT_COUNT).await;
}
on_each_database!(
    #[ignore = "takes minutes; run with `cargo xtask torture`"]
    accepted_calls_survive_five_hundred_kills
);

/// Kills a server repeatedly under the load of these clients, and checks that everything accepted still exists.
pub async fn check_kills(database: Database, kill_count: usize, client_count: usize) {
    let database = database.create().await;
    let mut installation = Installation::with_database(database.as_ref());
    // Jobs of a killed server resume after two seconds, and repeated kills don't exhaust a job's attempts.
    installation.set("LEADSCRIBE_LEASE_SECONDS", "2");
    installation.set("LEADSCRIBE_MAX_ATTEMPTS", "1000");
    installation.set("LEADSCRIBE_MAX_CONCURRENT_RECOGNITIONS", "8");
    let speech = SpeechServer::start(TRANSCRIPT_TEXT, Duration::from_millis(50)).await;
    let client_pool =
        Arc::new(ClientPool::new(client_count, &installation.create_api_key(), &installation.create_speech_token()));
    let key = installation.create_api_key();
    let mut random = StdRng::seed_from_u64(5);
    let started = Instant::now();

    for kill in 0..kill_count {
        let mut program = installation.launch(&speech, &[]);
        if kill % EARLY_KILL_PERIOD == 0 {
            sleep(Duration::from_millis(random.random_range(0..300))).await;
            program.kill();
            continue;
        }
        let mut program = program.wait_until_ready().await;
        installation.assert_database_intact();
        kill_under_load(&mut program, &client_pool, Duration::from_millis(random.random_range(0..150))).await;
    }

    let (accepted, writes, seconds) =
        (client_pool.ledger.accepted(), client_pool.ledger.acknowledged_writes(), started.elapsed().as_secs());
    assert!(accepted > kill_count, "only {accepted} calls were accepted: the test proves nothing");
    let program = installation.launch(&speech, &[]).wait_until_ready().await;
    installation.assert_database_intact();
    client_pool.resubmit_unanswered(&program.base_url).await;
    client_pool.ledger.assert_durable(&program.client().with_key(&key), TRANSCRIPT_TEXT).await;
    let recognitions = speech.request_count();
    println!(
        "measured: {kill_count} kills in {seconds} s, {writes} acknowledged writes, {accepted} of them calls, {recognitions} recognitions; \
         none lost, one result each"
    );
}

/// Kills a server some time after it acknowledged its first write.
pub async fn kill_under_load(program: &mut ServerProcess, client_pool: &Arc<ClientPool>, delay: Duration) {
    let writes_before = client_pool.ledger.acknowledged_writes();
    let clients = client_pool.start(&program.base_url);
    while client_pool.ledger.acknowledged_writes() == writes_before
        && !clients.iter().all(|client| client.is_finished())
    {
        sleep(Duration::from_millis(1)).await;
    }
    sleep(delay).await;
    program.kill();
    for client in clients {
        client.await.unwrap();
    }
}
