//! Retention of recordings: deletes expired recordings and unreferenced bytes.
//!
//! Each step is ordered to be crash-safe. The database forgets a key before its bytes are deleted, so a failure in between
//! leaves unreferenced bytes for the next sweep. Several processes may run this concurrently. Bytes that may belong to
//! another installation are never deleted ([`owner`]).

use std::collections::BTreeSet;
use std::path::Path;

use chrono::TimeDelta;
use futures::TryStreamExt;
use futures::future::ready;
use futures::stream::TryChunksError;
use leadscribe_engine::api::Timestamp;

use crate::recording::{RecordingFiles, files, owner};
use crate::service::app::App;
use crate::service::calls::recordings::delete_unreferenced;
use crate::service::error::Result;
use crate::storage::{AuditContext, RecordingKey};

/// Minimum age of unreferenced bytes before they are deleted. Bytes are referenced milliseconds after they are written, but
/// clocks of machines may differ.
const MIN_UNREFERENCED_AGE: TimeDelta = TimeDelta::days(1);

/// Number of keys checked in one query, which takes a few milliseconds.
const KEYS_PER_QUERY: usize = 1_000;

/// Returns whether the recording store belongs to this installation. If it clearly does and has no owner file yet, one is
/// written.
///
/// # Errors
/// A store failed.
pub async fn owns_recordings(app: &App) -> Result<bool> {
    let installation = app.store.installation_id().await?;
    if let Some(owner) = owner::read(&app.recordings).await? {
        return Ok(owner == installation);
    }
    let StoredRecordings { referenced, unreferenced } = list_stored_before(app, Timestamp::MAX_UTC).await?;
    let is_ours = owner::can_claim(referenced, unreferenced.len());
    if is_ours {
        owner::write(&app.recordings, &installation).await?;
    }
    Ok(is_ours)
}

/// Deletes the recordings of calls created before `before`, except those waiting for transcription. Returns their number.
///
/// # Errors
/// A store failed. Recordings that were already deleted stay deleted.
pub async fn purge_recordings(app: &App, before: Timestamp, audit: &AuditContext) -> Result<u64> {
    let files = RecordingFiles::new(app.recordings.clone());
    let mut purged = 0;
    let mut expired = app.store.old_recordings(before).await?;
    // Check before any recording is deleted, because the result may depend on their number.
    let is_owner = !expired.is_empty() && owns_recordings(app).await?;
    loop {
        let mut removed = 0;
        for (call, key) in expired {
            if app.store.remove_recording(call, &key, audit).await? {
                if is_owner {
                    delete_unreferenced(&files, &key).await;
                }
                removed += 1;
            }
        }
        if removed == 0 {
            return Ok(purged);
        }
        purged += removed;
        expired = app.store.old_recordings(before).await?;
    }
}

/// Deletes bytes that no call refers to, and incomplete files. Returns their number.
/// Such bytes remain after a crash or a failure of the store.
///
/// # Errors
/// A store failed.
pub async fn sweep_recordings(app: &App) -> Result<u64> {
    if !owns_recordings(app).await? {
        tracing::warn!(
            "recordings may belong to another installation; none are deleted; run `leadscribe doctor` for details"
        );
        return Ok(0);
    }
    let files = RecordingFiles::new(app.recordings.clone());
    let before = app.now() - MIN_UNREFERENCED_AGE;
    let StoredRecordings { unreferenced, .. } = list_stored_before(app, before).await?;
    for key in &unreferenced {
        delete_unreferenced(&files, key).await;
    }
    let incomplete = match app.config.recordings.url.as_str() {
        "none" => {
            let folder = app.config.recordings_dir();
            tokio::task::spawn_blocking(move || remove_incomplete_files(&folder, before)).await?
        }
        // Buckets delete incomplete uploads with a lifecycle rule.
        _ => 0,
    };
    Ok((unreferenced.len() + incomplete) as u64)
}

/// Deletes files in the recordings folder that were never completely stored. Returns their number.
fn remove_incomplete_files(folder: &Path, before: Timestamp) -> usize {
    let mut removed = 0;
    for file in files::abandoned_files_before(folder, before) {
        match std::fs::remove_file(&file) {
            Ok(()) => removed += 1,
            Err(error) => tracing::warn!(%error, file = %file.display(), "can't delete an incomplete recording"),
        }
        // Fails if the folder has other files of the call.
        let _ = file.parent().map(std::fs::remove_dir);
    }
    removed
}

/// Contents of the recording store.
struct StoredRecordings {
    /// Number of recordings that calls refer to.
    referenced: usize,
    /// Keys that no call refers to.
    unreferenced: BTreeSet<RecordingKey>,
}

/// Returns the recordings stored before `before`, by the clock of the recording store.
async fn list_stored_before(app: &App, before: Timestamp) -> Result<StoredRecordings> {
    let files = RecordingFiles::new(app.recordings.clone());
    // Ignore files of other programs.
    let parse_key = |key| ready(Ok(files::call_of(&key).map(|call| (call, key))));
    let mut stored_keys = files.keys_stored_before(before).try_filter_map(parse_key).try_chunks(KEYS_PER_QUERY);
    // Collect all keys first: deleting while listing could disturb the listing.
    let mut stored = StoredRecordings { referenced: 0, unreferenced: BTreeSet::new() };
    while let Some(keys) = stored_keys.try_next().await.map_err(|TryChunksError(_, error)| error)? {
        let calls = keys.iter().map(|(call, _)| *call).collect();
        let referenced_keys = app.store.recording_keys(&calls).await?;
        // A recording and its waveform share a key.
        let keys: BTreeSet<_> = keys.into_iter().collect();
        let (referenced, unreferenced): (Vec<_>, Vec<_>) =
            keys.into_iter().partition(|(call, key)| referenced_keys.get(call) == Some(key));
        stored.referenced += referenced.len();
        stored.unreferenced.extend(unreferenced.into_iter().map(|(_, key)| key));
    }
    Ok(stored)
}
