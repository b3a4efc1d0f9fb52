//! Thirty PostgreSQL failovers under load: no response is stale, and no process needs a restart.

use crate::postgresql::failover::run_failovers;

const FAILOVER_COUNT: usize = 30;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes; run with `cargo xtask torture`"]
async fn responses_match_sql_after_thirty_failovers() {
    let stats = run_failovers(FAILOVER_COUNT, 30).await;
    assert!(stats.lost_leads > FAILOVER_COUNT, "only {} leads were lost: the test proves nothing", stats.lost_leads);
    println!(
        "measured: {FAILOVER_COUNT} failovers, {} leads created, {} of them lost by the standbys; {} searches equal to SQL's, none stale; \
         ready within {:.1} s",
        stats.created_leads,
        stats.lost_leads,
        stats.compared_searches,
        stats.max_recovery_time.as_secs_f64()
    );
}
