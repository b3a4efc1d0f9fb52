//! Information for operators: health, backlog, retention and the audit log.

pub(crate) mod change_feed;
pub(crate) mod change_log;
pub(crate) mod list_export;
pub(crate) mod metrics_collector;
pub(crate) mod overview;
pub mod retention;

use leadscribe_engine::api::{AuditEntry, Page, RecognizerStatus, Retention};

use crate::service::app::App;
use crate::service::error::Result;
use crate::storage::{AuditQuery, Slice, UNDO_RETENTION_DAYS};

/// Returns a slice of the matching audit log entries.
///
/// # Errors
/// The store failed.
pub async fn audit_log(app: &App, query: &AuditQuery, slice: Slice) -> Result<Page<AuditEntry>> {
    Ok(app.store.audit_log(query, slice).await?)
}

/// Returns the configured retention periods.
pub fn retention(app: &App) -> Retention {
    let days = |days: u32| (days > 0).then_some(days);
    let config = &app.config.retention;
    Retention {
        transcript_days: days(config.transcript_days),
        recording_days: days(config.recording_days),
        delivery_days: days(config.delivery_days),
        change_days: days(config.change_days),
        import_undo_days: UNDO_RETENTION_DAYS,
    }
}

/// Checks whether the server can serve requests, that is, whether the store responds. A full disk doesn't matter.
///
/// # Errors
/// The store doesn't respond.
pub async fn check(app: &App) -> Result<()> {
    Ok(app.store.ping().await?)
}

/// Returns whether recordings can be transcribed, and the queue.
///
/// # Errors
/// The store failed.
pub async fn recognizer(app: &App) -> Result<RecognizerStatus> {
    let (queued, oldest_queued_at) = app.store.queue_depth().await?;
    let (state, engine, missing) = app.recognizer.status();
    let (error, command) = missing.map(|missing| (missing.message, missing.command)).unzip();
    Ok(RecognizerStatus { state, engine, error, command: command.flatten(), queued, oldest_queued_at })
}
