//! Takes away what has had its time: sessions, idempotency keys, and uploads that a crash left behind.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use crate::app::App;
use crate::storage::StoreError;

/// How often it runs.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// How long an idempotency key is kept: longer than any sane client repeats a request.
const KEYS_KEPT: TimeDelta = TimeDelta::days(2);

/// How old an upload is when nobody can be sending it any more.
const UPLOADS_KEPT: TimeDelta = TimeDelta::days(1);

/// How much was taken away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    /// Sessions that have ended.
    pub sessions: u64,
    /// Idempotency keys.
    pub idempotency_keys: u64,
    /// Files in the spool.
    pub uploads: u64,
}

/// Runs for ever: at once, then every hour. A failure is logged; the next run makes up for it.
pub async fn run(app: Arc<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match purge(&app).await {
            Ok(purged) => tracing::debug!(?purged, "purged what has expired"),
            Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "can't purge what has expired"),
        }
    }
}

/// Takes away what has expired by now.
///
/// # Errors
/// When the store fails.
pub async fn purge(app: &App) -> Result<Purged, StoreError> {
    let now = app.now();
    let sessions = app.store.purge_sessions(now).await?;
    let idempotency_keys = app.store.purge_idempotency_keys(now - KEYS_KEPT).await?;
    let (spool, before) = (app.config.spool_dir(), now - UPLOADS_KEPT);
    let uploads = tokio::task::spawn_blocking(move || remove_old_files(&spool, before)).await.unwrap_or(0);
    Ok(Purged { sessions, idempotency_keys, uploads })
}

/// Removes the files of a folder that weren't written to since `before`. One that can't be removed is left to the next run.
fn remove_old_files(folder: &Path, before: Timestamp) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let is_old = |entry: &std::fs::DirEntry| {
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        written.is_ok_and(|written| Timestamp::from(written) < before)
    };
    let removed = entries.flatten().filter(|entry| is_old(entry) && std::fs::remove_file(entry.path()).is_ok());
    removed.count() as u64
}

#[cfg(test)]
mod tests {
    use std::fs;

    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn only_old_uploads_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (left_behind, arriving) = (folder.path().join("left-behind"), folder.path().join("arriving"));
        fs::write(&left_behind, "half").unwrap();
        fs::write(&arriving, "half").unwrap();
        let written = Timestamp::from(fs::metadata(&arriving).unwrap().modified().unwrap());
        let an_hour_ago = written - TimeDelta::hours(1);
        fs::File::options().write(true).open(&left_behind).unwrap().set_modified(an_hour_ago.into()).unwrap();

        assert_eq!(remove_old_files(folder.path(), written - TimeDelta::minutes(1)), 1);
        assert!(!left_behind.exists() && arriving.exists());
        assert_eq!(remove_old_files(&folder.path().join("none"), written), 0);
    }
}
