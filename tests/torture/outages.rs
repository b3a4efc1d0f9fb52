//! The PostgreSQL server stops or crashes fifty times under load, and nothing is lost.

use std::time::Duration;

use leadscribe_test_postgres::Shutdown;

use crate::postgresql::restart::go_through;

const OUTAGES: usize = 50;

/// Time limit for the processes to recover after the server is back.
const HEALED_WITHIN: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn fifty_database_outages_lose_nothing() {
    let outages: Vec<_> = [Shutdown::Fast, Shutdown::Immediate].into_iter().cycle().take(OUTAGES).collect();
    let measured = go_through(&outages).await;
    let longest = measured.healed.iter().max().unwrap();
    assert!(*longest <= HEALED_WITHIN, "healed after {:?}", measured.healed);
    println!(
        "measured: {OUTAGES} outages, {} calls accepted, {} answers 503 and no other refusal; healed within {:.1} s",
        measured.accepted,
        measured.unavailable,
        longest.as_secs_f64()
    );
}
