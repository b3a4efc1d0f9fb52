//! Purges expired data. Sessions, idempotency keys and leftover uploads expire after fixed times; transcripts, recordings,
//! deliveries and changes after the configured number of days. Also purges the undo journal and rejected rows of imports.
//!
//! Several processes may do this concurrently.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use crate::service::app::App;
use crate::service::error::ServiceError;
use crate::service::operations::retention;
use crate::storage::{
    ACTION_UNDO_RETENTION, AuditContext, DRY_RUN_RETENTION, IDEMPOTENCY_KEY_LIFETIME, REJECTED_ROW_RETENTION,
    StoreError, UNDO_RETENTION,
};
use crate::telemetry::error_chain;

/// Interval between runs.
const PURGE_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Number of runs between sweeps. A sweep deletes unreferenced recording bytes and removes purged data from the database
/// files. It runs once a day, because it lists all recordings and rewrites the word index.
const RUNS_PER_SWEEP: u32 = 24;

/// Age at which an upload can no longer be in progress.
const UPLOAD_RETENTION: TimeDelta = TimeDelta::days(1);

/// Number of purged items of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PurgeCounts {
    /// Ended sessions.
    pub sessions: u64,
    /// Idempotency keys.
    pub idempotency_keys: u64,
    /// Files in the spool.
    pub uploads: u64,
    /// Transcripts.
    pub transcripts: u64,
    /// Recordings.
    pub recordings: u64,
    /// Finished deliveries.
    pub deliveries: u64,
    /// Rows of the undo journal, and actions on leads.
    pub undo_rows: u64,
    /// Rejected rows of imports, and dry runs.
    pub rejected_rows: u64,
    /// Changes in the log.
    pub changes: u64,
}

/// Purges immediately and then every hour. Never returns. A failure is logged; the next run continues.
pub async fn run(app: Arc<App>) {
    let mut ticks = tokio::time::interval(PURGE_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    // The previous process may have ended before it removed purged transcripts from the database files.
    let mut has_purged_transcripts = app.config.retention.transcript_days > 0;
    for run in (0..RUNS_PER_SWEEP).cycle() {
        ticks.tick().await;
        match purge(&app).await {
            Ok(purged) => {
                has_purged_transcripts |= purged.transcripts > 0;
                tracing::debug!(?purged, "purged expired data");
            }
            Err(error) => tracing::warn!(cause = error_chain(&error), "can't purge expired data"),
        }
        if run == 0 {
            match retention::sweep_recordings(&app).await {
                Ok(deleted) => tracing::debug!(deleted, "checked for unreferenced recordings"),
                Err(error) => tracing::warn!(cause = error_chain(&error), "can't check for unreferenced recordings"),
            }
            match app.store.erase_deleted_data(has_purged_transcripts).await {
                Ok(()) => has_purged_transcripts = false,
                Err(error) => {
                    tracing::warn!(cause = error_chain(&error), "can't remove purged data from the database's files")
                }
            }
        }
    }
}

/// Purges everything that has expired.
///
/// # Errors
/// The store failed.
pub async fn purge(app: &App) -> Result<PurgeCounts, ServiceError> {
    let now = app.now();
    let audit = AuditContext::new("retention", now);
    let sessions = app.store.purge_sessions(now).await?;
    let idempotency_keys = app.store.purge_idempotency_keys(now - IDEMPOTENCY_KEY_LIFETIME).await?;
    let (spool, before) = (app.config.spool_dir(), now - UPLOAD_RETENTION);
    let uploads = tokio::task::spawn_blocking(move || remove_old_files(&spool, before)).await.unwrap_or(0);
    let retention_config = &app.config.retention;
    let transcripts = match expiry_cutoff(retention_config.transcript_days, now) {
        Some(before) => app.store.purge_transcripts(before, &audit).await?,
        None => 0,
    };
    let recordings = match expiry_cutoff(retention_config.recording_days, now) {
        Some(before) => retention::purge_recordings(app, before, &audit).await?,
        None => 0,
    };
    let deliveries = match expiry_cutoff(retention_config.delivery_days, now) {
        Some(before) => app.store.purge_deliveries(before).await?,
        None => 0,
    };
    let undo_rows =
        purge_batches(|| app.store.purge_undo_journal(now - UNDO_RETENTION, now - ACTION_UNDO_RETENTION)).await?;
    let rejected_rows =
        purge_batches(|| app.store.purge_rejected_rows(now - REJECTED_ROW_RETENTION, now - DRY_RUN_RETENTION)).await?;
    let changes = match expiry_cutoff(retention_config.change_days, now) {
        Some(before) => purge_batches(|| app.store.purge_changes(before)).await?,
        None => 0,
    };
    Ok(PurgeCounts {
        sessions,
        idempotency_keys,
        uploads,
        transcripts,
        recordings,
        deliveries,
        undo_rows,
        rejected_rows,
        changes,
    })
}

/// Calls `purge_batch` until nothing is left, and returns the total.
async fn purge_batches<F>(purge_batch: impl Fn() -> F) -> Result<u64, StoreError>
where
    F: Future<Output = Result<u64, StoreError>>,
{
    let mut total = 0;
    loop {
        match purge_batch().await? {
            0 => return Ok(total),
            count => total += count,
        }
    }
}

/// Returns the time before which data has expired; `None` if it never expires.
fn expiry_cutoff(days: u32, now: Timestamp) -> Option<Timestamp> {
    (days > 0).then(|| now - TimeDelta::days(days.into()))
}

/// Removes files in a folder that weren't written since `before` and aren't locked. A file that can't be removed is left for
/// the next run.
fn remove_old_files(folder: &Path, before: Timestamp) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let is_old = |entry: &std::fs::DirEntry| {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| Timestamp::from(modified) < before)
    };
    let remove = |path: &Path| !is_locked(path) && std::fs::remove_file(path).is_ok();
    entries.flatten().filter(|entry| is_old(entry) && remove(&entry.path())).count() as u64
}

/// Returns whether a process has locked a file. False on a file system without locks.
fn is_locked(path: &Path) -> bool {
    // Network drives can only lock files that are opened for writing.
    let opened = File::options().read(true).write(true).open(path);
    opened.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

#[cfg(test)]
mod tests;
