//! What an operator asks of the server: is it well, what waits, who did what.

use leadscribe_engine::api::{AuditEntry, Page, RecognizerStatus, Retention};

use super::error::ServiceError;
use crate::app::App;
use crate::storage::{AuditQuery, Slice, UNDO_DAYS};

/// A slice of those entries of the audit log that match.
///
/// # Errors
/// The store failed.
pub async fn audit_log(app: &App, query: &AuditQuery, slice: Slice) -> Result<Page<AuditEntry>, ServiceError> {
    Ok(app.store.audit_log(query, slice).await?)
}

/// How long things are kept here.
pub fn retention(app: &App) -> Retention {
    let days = |days: u32| (days > 0).then_some(days);
    let kept = &app.config.retention;
    Retention {
        transcript_days: days(kept.transcript_days),
        recording_days: days(kept.recording_days),
        delivery_days: days(kept.delivery_days),
        import_undo_days: UNDO_DAYS,
    }
}

/// Whether requests can be served: the store answers. A disk that is full doesn't keep it from that.
///
/// # Errors
/// It doesn't.
pub async fn check(app: &App) -> Result<(), ServiceError> {
    Ok(app.store.ping().await?)
}

/// Whether recordings can be transcribed, and what waits.
///
/// # Errors
/// The store failed.
pub async fn recognizer(app: &App) -> Result<RecognizerStatus, ServiceError> {
    let (queued, oldest_queued_at) = app.store.queue_depth().await?;
    let (state, engine, detail) = app.recognizer.status();
    Ok(RecognizerStatus { state, engine, detail, queued, oldest_queued_at })
}
