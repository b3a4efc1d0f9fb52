//! What is looked up when the measurements are asked for: what isn't counted as it happens.
//!
//! Every process of an installation is asked, each every few seconds, and none of them may cost the database much: one read
//! of what is open, whose answer is kept for a while where it takes long.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use leadscribe_engine::api::RecognizerState;

use crate::app::App;
use crate::config::Switch;
use crate::storage::StoreError;
use crate::telemetry::metrics;

/// Longest wait for the database: whoever watches a server whose database is away must hear of it in time.
const PATIENCE: Duration = Duration::from_secs(3);

/// Looks it all up, and hands it to those who measure. A database that is away is itself something to be told.
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

/// Room that is left on a folder's file system, and all there is, in bytes.
fn space(folder: &Path) -> Option<(u64, u64)> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some((found.f_bavail.saturating_mul(found.f_frsize), found.f_blocks.saturating_mul(found.f_frsize)))
}
