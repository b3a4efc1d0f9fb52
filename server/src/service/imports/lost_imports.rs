//! Detects imports whose process died. Several processes may import into one store, so a process can't conclude from its own
//! start that other imports have stopped. An import counts as lost when it has recorded no progress for a while.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use leadscribe_engine::diagnostic::work;

use crate::service::app::App;

/// Time without progress after which a running import counts as lost. A batch takes a second, or some minutes with fifty
/// recordings and a slow connection to their store. A slower import continues anyway and is marked as running again with its
/// next batch.
const STALL_TIMEOUT: TimeDelta = TimeDelta::minutes(5);

/// Interval between checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// Time at which the store was last found unavailable. Imports that wait for the store record no progress until it is back.
#[derive(Debug, Default)]
struct LastOutage(Option<Timestamp>);

impl LastOutage {
    /// Returns whether the store has been available long enough for every live import to record progress.
    fn is_over(&self, now: Timestamp) -> bool {
        self.0.is_none_or(|outage| now - outage >= STALL_TIMEOUT)
    }
}

/// Marks lost imports as failed: immediately, then every minute. Never returns. A failed check is logged and repeated once the
/// store has been available for five minutes.
pub async fn watch(app: &Arc<App>) {
    let mut ticks = tokio::time::interval(CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut last_outage = LastOutage::default();
    loop {
        ticks.tick().await;
        let now = app.now();
        let result = if last_outage.is_over(now) {
            app.store.fail_lost_imports(&work::import_interrupted(), now - STALL_TIMEOUT, now).await
        } else {
            app.store.ping().await.map(|()| 0)
        };
        match result {
            Ok(0) => {}
            Ok(imports) => {
                tracing::warn!(imports, "imports were interrupted when their server stopped; run them again")
            }
            Err(error) => {
                last_outage = LastOutage(Some(app.now()));
                app.outage.record_failure("check for interrupted imports", &error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_waiting_for_the_store_are_not_lost() {
        let time = |minutes| "2026-05-01T12:00:00Z".parse::<Timestamp>().unwrap() + TimeDelta::minutes(minutes);
        assert!(LastOutage::default().is_over(time(0)));
        let outage = LastOutage(Some(time(0)));
        assert_eq!([0, 1, 4, 5].map(|minutes| outage.is_over(time(minutes))), [false, false, false, true]);
    }
}
