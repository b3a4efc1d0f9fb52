//! Durability: 500 times kill -9 at a random moment while 32 clients submit calls and the server transcribes them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::time::sleep;

use crate::harness::{Crowd, Database, Installation, Program, SpeechServer, on_each_database};

const KILLS: usize = 500;
const CLIENTS: usize = 32;

/// One of this many starts is killed before the server is ready.
const EARLY: usize = 8;

/// Text of each recording.
const SAID: &str = "accepted means kept";

async fn accepted_calls_survive_five_hundred_kills(database: Database) {
    let database = database.make().await;
    let mut installation = Installation::on_either(database.as_ref());
    // Jobs of a killed server resume after two seconds, and repeated kills don't exhaust a job's attempts.
    installation.set("LEADSCRIBE_LEASE_SECONDS", "2");
    installation.set("LEADSCRIBE_MAX_ATTEMPTS", "1000");
    installation.set("LEADSCRIBE_RECOGNITIONS", "8");
    let speech = SpeechServer::saying(SAID, Duration::from_millis(50)).await;
    let crowd = Arc::new(Crowd::new(CLIENTS, &installation.key(), &installation.token()));
    let key = installation.key();
    let mut random = StdRng::seed_from_u64(5);
    let begun = Instant::now();

    for kill in 0..KILLS {
        let mut program = installation.launch(&speech, &[]);
        if kill % EARLY == 0 {
            sleep(Duration::from_millis(random.random_range(0..300))).await;
            program.kill();
            continue;
        }
        let mut program = program.ready().await;
        installation.expect_whole();
        kill_at_work(&mut program, &crowd, Duration::from_millis(random.random_range(0..150))).await;
    }

    let (accepted, answers, took) = (crowd.ledger.accepted(), crowd.ledger.answers(), begun.elapsed().as_secs());
    assert!(accepted > KILLS, "only {accepted} calls were accepted: nothing was tried");
    let program = installation.launch(&speech, &[]).ready().await;
    installation.expect_whole();
    crowd.settle(&program.base).await;
    crowd.ledger.expect_kept(&program.client().with_key(&key), SAID).await;
    let asked = speech.asked();
    println!(
        "measured: {KILLS} kills in {took} s, {accepted} calls accepted of {answers} answered writes, {asked} recognitions; \
         none lost, one result each"
    );
}
on_each_database!(
    #[ignore = "minutes: run it by `cargo xtask torture`"]
    accepted_calls_survive_five_hundred_kills
);

/// Kills a server some time after its first response.
pub async fn kill_at_work(program: &mut Program, crowd: &Arc<Crowd>, after: Duration) {
    let before = crowd.ledger.answers();
    let clients = crowd.begin(&program.base);
    while crowd.ledger.answers() == before && !clients.iter().all(|client| client.is_finished()) {
        sleep(Duration::from_millis(1)).await;
    }
    sleep(after).await;
    program.kill();
    for client in clients {
        client.await.unwrap();
    }
}
