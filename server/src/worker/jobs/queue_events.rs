//! Queues deliveries of the events of webhooks.

use std::sync::Arc;
use std::time::Duration;

use crate::service::app::App;
use crate::storage::StoreError;

/// Interval at which the log of changes is checked. A delay of one second still counts as live.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Reads new changes for all webhooks, now and then at every interval. Never returns.
pub async fn run(app: Arc<App>) {
    loop {
        let has_more = queue(&app).await.unwrap_or_else(|error| {
            app.outage.record_failure("queue events of webhooks", &error);
            false
        });
        if !has_more {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

/// Queues deliveries of new events. Returns true if there may be more.
async fn queue(app: &App) -> Result<bool, StoreError> {
    let queued = app.store.queue_events(app.config.callbacks.max_pending_deliveries, app.now()).await?;
    if queued.deliveries > 0 {
        app.notifiers.deliveries.notify_one();
    }
    Ok(queued.has_more)
}
