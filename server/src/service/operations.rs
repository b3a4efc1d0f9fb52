//! What an operator asks of the server: is it well, what waits, who did what.

use chrono::TimeDelta;
use leadscribe_engine::api::{AuditEntry, Page, RecognizerStatus};

use super::error::ServiceError;
use crate::app::App;
use crate::storage::Slice;

/// A slice of the audit log, newest first.
///
/// # Errors
/// The store failed.
pub async fn audit_log(app: &App, slice: Slice) -> Result<Page<AuditEntry>, ServiceError> {
    Ok(app.store.audit_log(slice).await?)
}

/// Whether requests can be served: the store answers and can write.
///
/// # Errors
/// It doesn't.
pub async fn check(app: &App) -> Result<(), ServiceError> {
    Ok(app.store.ping().await?)
}

/// How many transcriptions wait, and for how long the oldest has.
///
/// # Errors
/// The store failed.
pub async fn queue(app: &App) -> Result<(u64, Option<TimeDelta>), ServiceError> {
    let (depth, oldest) = app.store.queue_depth().await?;
    // A clock that was set back makes no negative age.
    Ok((depth, oldest.map(|oldest| (app.now() - oldest).max(TimeDelta::zero()))))
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
