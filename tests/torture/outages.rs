//! The PostgreSQL server stops or crashes fifty times under load, and nothing is lost.

use std::time::Duration;

use leadscribe_test_postgres::Shutdown;

use crate::postgresql::restart::run_outages;

const OUTAGE_COUNT: usize = 50;

/// Time limit for the processes to recover after the server is back.
const MAX_RECOVERY_TIME: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes; run with `cargo xtask torture`"]
async fn fifty_database_outages_lose_nothing() {
    let outages: Vec<_> = [Shutdown::Fast, Shutdown::Immediate].into_iter().cycle().take(OUTAGE_COUNT).collect();
    let stats = run_outages(&outages).await;
    let max_recovery_time = stats.recovery_times.iter().max().unwrap();
    assert!(*max_recovery_time <= MAX_RECOVERY_TIME, "recovered after {:?}", stats.recovery_times);
    println!(
        "measured: {OUTAGE_COUNT} outages, {} calls accepted, {} responses with 503 and no other error; recovered within {:.1} s",
        stats.accepted_calls,
        stats.unavailable_responses,
        max_recovery_time.as_secs_f64()
    );
}
