//! Purges expired data. Sessions, idempotency keys and leftover uploads expire after fixed times; transcripts, recordings
//! and deliveries after the configured number of days. Also purges the undo journal, rejected rows of imports, and lead
//! changes beyond the number that is tracked.
//!
//! Several processes may do this concurrently.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use crate::app::App;
use crate::service::error::ServiceError;
use crate::service::retention;
use crate::storage::{ACTION_UNDO_KEPT, DRY_RUNS_KEPT, Origin, REJECTED_KEPT, UNDO_KEPT};
use crate::telemetry::causes;

/// Interval between runs.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Number of runs between sweeps. A sweep deletes unreferenced recording bytes and removes purged data from the database
/// files. It runs once a day, because it lists all recordings and rewrites the word index.
const SWEEP_EVERY: u32 = 24;

/// Retention of idempotency keys. No reasonable client repeats a request after a longer time.
const KEYS_KEPT: TimeDelta = TimeDelta::days(2);

/// Age at which an upload can no longer be in progress.
const UPLOADS_KEPT: TimeDelta = TimeDelta::days(1);

/// Number of purged items of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
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
    /// Change records of leads.
    pub lead_changes: u64,
}

/// Purges now and then every hour. Never returns. A failure is logged; the next run continues.
pub async fn run(app: Arc<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    // The previous process may have ended before it removed purged transcripts from the database files.
    let mut said = app.config.retention.transcript_days > 0;
    for run in (0..SWEEP_EVERY).cycle() {
        ticks.tick().await;
        match purge(&app).await {
            Ok(purged) => {
                said |= purged.transcripts > 0;
                tracing::debug!(?purged, "purged expired data");
            }
            Err(error) => tracing::warn!(cause = causes(&error), "can't purge expired data"),
        }
        if run == 0 {
            match retention::sweep_recordings(&app).await {
                Ok(swept) => tracing::debug!(swept, "checked for unreferenced recordings"),
                Err(error) => tracing::warn!(cause = causes(&error), "can't check for unreferenced recordings"),
            }
        }
        if run == 0 {
            match app.store.forget_deleted(said).await {
                Ok(()) => said = false,
                Err(error) => tracing::warn!(
                    cause = causes(&error),
                    "can't remove purged data from the database's \
                     files"
                ),
            }
        }
    }
}

/// Purges everything that has expired.
///
/// # Errors
/// The store failed.
pub async fn purge(app: &App) -> Result<Purged, ServiceError> {
    let now = app.now();
    let by = Origin { actor: "retention".to_owned(), request_id: None, at: now };
    let sessions = app.store.purge_sessions(now).await?;
    let idempotency_keys = app.store.purge_idempotency_keys(now - KEYS_KEPT).await?;
    let (spool, before) = (app.config.spool_dir(), now - UPLOADS_KEPT);
    let uploads = tokio::task::spawn_blocking(move || remove_old_files(&spool, before)).await.unwrap_or(0);
    let options = &app.config.retention;
    let transcripts = match expired(options.transcript_days, now) {
        Some(before) => app.store.purge_transcripts(before, &by).await?,
        None => 0,
    };
    let recordings = match expired(options.recording_days, now) {
        Some(before) => retention::purge_recordings(app, before, &by).await?,
        None => 0,
    };
    let deliveries = match expired(options.delivery_days, now) {
        Some(before) => app.store.purge_deliveries(before).await?,
        None => 0,
    };
    let mut undo_rows = 0;
    loop {
        match app.store.purge_undo_journal(now - UNDO_KEPT, now - ACTION_UNDO_KEPT).await? {
            0 => break,
            some => undo_rows += some,
        }
    }
    let mut rejected_rows = 0;
    loop {
        match app.store.purge_rejected_rows(now - REJECTED_KEPT, now - DRY_RUNS_KEPT).await? {
            0 => break,
            some => rejected_rows += some,
        }
    }
    let mut lead_changes = 0;
    loop {
        match app.store.purge_lead_changes().await? {
            0 => break,
            some => lead_changes += some,
        }
    }
    Ok(Purged {
        sessions,
        idempotency_keys,
        uploads,
        transcripts,
        recordings,
        deliveries,
        undo_rows,
        rejected_rows,
        lead_changes,
    })
}

/// Returns the time before which data has expired; `None` if it never expires.
fn expired(days: u32, now: Timestamp) -> Option<Timestamp> {
    (days > 0).then(|| now - TimeDelta::days(days.into()))
}

/// Removes files in a folder that weren't written since `before` and aren't locked. A file that can't be removed is left for
/// the next run.
fn remove_old_files(folder: &Path, before: Timestamp) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let is_old = |entry: &std::fs::DirEntry| {
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        written.is_ok_and(|written| Timestamp::from(written) < before)
    };
    let remove = |path: &Path| !is_locked(path) && std::fs::remove_file(path).is_ok();
    entries.flatten().filter(|entry| is_old(entry) && remove(&entry.path())).count() as u64
}

/// Returns whether a process has locked a file. False on a file system without locks.
fn is_locked(path: &Path) -> bool {
    // Network drives can lock only writable files.
    let opened = File::options().read(true).write(true).open(path);
    opened.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

#[cfg(test)]
mod tests;
