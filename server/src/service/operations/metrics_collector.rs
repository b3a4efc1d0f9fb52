//! Collects the metrics that aren't counted as events happen.
//!
//! Every process of an installation is scraped every few seconds, so a scrape must be cheap: one query for the backlog,
//! whose result is cached if it was slow.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::{RecognizerState, Timestamp};
use metrics::gauge;

use crate::config::Switch;
use crate::service::app::App;
use crate::storage::{Backlog, ConnectionStats, LeadIndexStats, StoreError};
use crate::telemetry;
use crate::telemetry::metrics::table::*;

/// Maximum wait for the database, so that a scrape reports an unavailable database in time.
const STORE_TIMEOUT: Duration = Duration::from_secs(3);

/// Collects the metrics and publishes them. An unavailable database is reported as a metric.
pub async fn collect(app: &Arc<App>) {
    let app_clone = app.clone();
    let count = async move { Ok::<_, StoreError>((app_clone.store.backlog().await?, app_clone.now())) };
    let result = tokio::time::timeout(STORE_TIMEOUT, app.overview_cache.backlog.get((), count)).await;
    let backlog_count = result.ok().and_then(Result::ok);
    telemetry::metrics::set_database_up(backlog_count.is_some());
    if let Some((backlog, at)) = backlog_count.as_deref() {
        set_backlog(backlog, *at);
    }
    set_database_connections(app.store.connection_stats());
    if app.config.leads.index == Switch::On {
        set_lead_index(app.store.lead_index_stats().await);
    }
    match app.recognizer.status().0 {
        RecognizerState::Ready => telemetry::metrics::set_recognizer_ready(true),
        RecognizerState::Missing => telemetry::metrics::set_recognizer_ready(false),
        RecognizerState::Loading | RecognizerState::Off | RecognizerState::OtherProcess => {}
    }
    if let Some((free, size)) = disk_space(&app.config.storage.data_dir) {
        telemetry::metrics::set_disk_space(free, size);
    }
}

/// Returns the free space and the size of a folder's file system, in bytes.
fn disk_space(folder: &Path) -> Option<(u64, u64)> {
    let statistics = rustix::fs::statvfs(folder).ok()?;
    Some((
        statistics.f_bavail.saturating_mul(statistics.f_frsize),
        statistics.f_blocks.saturating_mul(statistics.f_frsize),
    ))
}

/// Sets the number and age of queued and running jobs at `now`.
fn set_backlog(backlog: &Backlog, now: Timestamp) {
    // If the clock was set back, the age must not be negative.
    let age =
        |since: Option<Timestamp>| since.map_or(0.0, |since| (now - since).max(TimeDelta::zero()).as_seconds_f64());
    gauge!(TRANSCRIPTIONS_PENDING, "state" => "queued").set(backlog.transcriptions_queued as f64);
    gauge!(TRANSCRIPTIONS_PENDING, "state" => "processing").set(backlog.transcriptions_processing as f64);
    gauge!(OLDEST_QUEUED_TRANSCRIPTION_AGE).set(age(backlog.oldest_queued_at));
    gauge!(DELIVERIES_PENDING, "state" => "queued").set(backlog.deliveries_queued as f64);
    gauge!(DELIVERIES_PENDING, "state" => "delivering").set(backlog.deliveries_delivering as f64);
    gauge!(OLDEST_DUE_DELIVERY_AGE).set(age(backlog.first_due_at));
}

/// Sets the usage of the database connections.
fn set_database_connections(connections: ConnectionStats) {
    let ConnectionStats { max, in_use: used, idle, waiting, writes_waiting } = connections;
    gauge!(DATABASE_CONNECTIONS_MAX).set(max as f64);
    gauge!(DATABASE_CONNECTIONS_USED).set(used as f64);
    gauge!(DATABASE_CONNECTIONS_IDLE).set(idle as f64);
    gauge!(DATABASE_WAITING, "queue" => "connections").set(waiting as f64);
    if let Some(writes) = writes_waiting {
        gauge!(DATABASE_WAITING, "queue" => "writer").set(writes as f64);
    }
}

/// Sets the state of the lead index; `None` while it is not loaded.
fn set_lead_index(state: Option<LeadIndexStats>) {
    gauge!(INDEX_READY).set(f64::from(u8::from(state.is_some())));
    let LeadIndexStats { leads, bytes, lag } = state.unwrap_or_default();
    gauge!(INDEX_LEADS).set(leads as f64);
    gauge!(INDEX_BYTES).set(bytes as f64);
    gauge!(INDEX_LAG).set(lag.as_secs_f64());
}
