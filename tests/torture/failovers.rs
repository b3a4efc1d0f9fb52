//! Thirty PostgreSQL failovers under load: no response is stale, and no process needs a restart.

use crate::postgresql::failover::run_failovers;

const FAILOVER_COUNT: usize = 30;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn responses_match_sql_after_thirty_failovers() {
    let outcome = run_failovers(FAILOVER_COUNT, 30).await;
    assert!(
        outcome.lost_leads > FAILOVER_COUNT,
        "only {} leads were lost: the test proves nothing",
        outcome.lost_leads
    );
    println!(
        "measured: {FAILOVER_COUNT} failovers, {} leads made, {} of them lost by the standbys; {} answers as SQL's and none stale; \
         ready within {:.1} s",
        outcome.created_leads,
        outcome.lost_leads,
        outcome.compared_searches,
        outcome.max_recovery_time.as_secs_f64()
    );
}
