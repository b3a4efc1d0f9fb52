//! Imports that lost the process that carried them out. Any number of processes import into one store, so that none can
//! tell by its own start that the others have stopped; what tells is that nothing was noted for long.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;

use crate::app::App;
use crate::outage;

/// How long a running import may be silent: a batch takes a second, or with fifty recordings on a slow way to their store
/// some minutes. One that took longer goes on all the same, and is running again with its next batch.
const SILENCE: TimeDelta = TimeDelta::minutes(5);

/// How often they are looked for.
const EVERY: Duration = Duration::from_secs(60);

/// Marks lost imports as failed, for ever: at once, then every minute. A failure is noted; the next look makes up for
/// it.
pub async fn watch(app: &Arc<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let now = app.now();
        match app.store.fail_lost_imports("the server stopped while it ran", now - SILENCE, now).await {
            Ok(0) => {}
            Ok(imports) => tracing::warn!(imports, "imports were running when their server stopped; run them again"),
            Err(error) => outage::failed(app, "look for lost imports", &error),
        }
    }
}
