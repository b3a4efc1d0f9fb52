//! Collects the metrics that aren't counted as events happen.
//!
//! Every process of an installation is scraped every few seconds, so a scrape must be cheap: one query for the backlog,
//! whose result is cached if it was slow.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use leadscribe_engine::api::RecognizerState;

use crate::app::App;
use crate::config::Switch;
use crate::storage::StoreError;
use crate::telemetry::metrics;

/// Maximum wait for the database, so that a scrape reports an unavailable database in time.
const PATIENCE: Duration = Duration::from_secs(3);

/// Collects the metrics and publishes them. An unavailable database is reported as a metric.
pub async fn take(app: &Arc<App>) {
    let counting = app.clone();
    let counted = async move { Ok::<_, StoreError>((counting.store.backlog().await?, counting.now())) };
    let asked = tokio::time::timeout(PATIENCE, app.pictures.backlog.get((), counted)).await;
    let answer = asked.ok().and_then(Result::ok);
    metrics::store_up(answer.is_some());
    if let Some((backlog, at)) = answer.as_deref() {
        metrics::backlog(backlog, *at);
    }
    metrics::connections(app.store.connections());
    if app.config.leads.index == Switch::On {
        metrics::lead_index(app.store.lead_index().await);
    }
    match app.recognizer.status().0 {
        RecognizerState::Ready => metrics::recognizer(true),
        RecognizerState::Missing => metrics::recognizer(false),
        RecognizerState::Loading | RecognizerState::Off | RecognizerState::Elsewhere => {}
    }
    if let Some((free, size)) = space(&app.config.storage.data_dir) {
        metrics::disk(free, size);
    }
}

/// Returns the free space and the size of a folder's file system, in bytes.
fn space(folder: &Path) -> Option<(u64, u64)> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some((found.f_bavail.saturating_mul(found.f_frsize), found.f_blocks.saturating_mul(found.f_frsize)))
}
