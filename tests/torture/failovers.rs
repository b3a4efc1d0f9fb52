//! Thirty PostgreSQL failovers under load: no response is stale, and no process needs a restart.

use crate::postgresql::failover::fail_over;

const FAILOVERS: usize = 30;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: run it by `cargo xtask torture`"]
async fn responses_match_sql_after_thirty_failovers() {
    let went = fail_over(FAILOVERS, 30).await;
    assert!(went.lost > FAILOVERS, "only {} leads were lost: nothing was tried", went.lost);
    println!(
        "measured: {FAILOVERS} failovers, {} leads made, {} of them lost by the standbys; {} answers as SQL's and none stale; \
         ready within {:.1} s",
        went.made,
        went.lost,
        went.compared,
        went.healed.as_secs_f64()
    );
}
