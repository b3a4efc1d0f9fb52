//! Recordings that have had their time, and bytes that nobody names any more.
//!
//! The order of each step is what makes it safe: the database forgets a key before its bytes go, so whatever breaks off
//! in between leaves bytes without a name, which the next sweep finds. Two processes may do this at the same time. No
//! bytes go that may be another installation's ([`owner`]).

use std::collections::BTreeSet;
use std::path::Path;

use chrono::TimeDelta;
use futures::TryStreamExt;
use futures::future::ready;
use futures::stream::TryChunksError;
use leadscribe_engine::api::Timestamp;

use super::error::ServiceError;
use super::recordings::forget_bytes;
use crate::app::App;
use crate::recording::{RecordingFiles, files, owner};
use crate::storage::{Origin, RecordingKey};

/// How old bytes without a name must be to be taken away. Between writing them and naming them there are milliseconds,
/// but clocks of two machines may differ.
const UNNAMED_KEPT: TimeDelta = TimeDelta::days(1);

/// Keys whose calls are asked for at once: few milliseconds, and a thousandth of the questions.
const ASKED_AT_ONCE: usize = 1_000;

/// Whether the recordings in their store are those of this installation. The first time this is asked where they plainly are, a
/// note of it is left beside them.
///
/// # Errors
/// When a store fails.
pub async fn owns_recordings(app: &App) -> Result<bool, ServiceError> {
    let installation = app.store.installation().await?;
    if let Some(owner) = owner::read(&app.recordings).await? {
        return Ok(owner == installation);
    }
    let Stored { named, unnamed } = stored_before(app, Timestamp::MAX_UTC).await?;
    let is_ours = owner::is_plain(named, unnamed.len());
    if is_ours {
        owner::write(&app.recordings, &installation).await?;
    }
    Ok(is_ours)
}

/// Forgets the recordings of calls created before `before`, but for those that wait for their transcription; gives how
/// many.
///
/// # Errors
/// When a store fails. What was forgotten until then stays so.
pub async fn purge_recordings(app: &App, before: Timestamp, by: &Origin) -> Result<u64, ServiceError> {
    let files = RecordingFiles::new(app.recordings.clone());
    let mut purged = 0;
    let mut old = app.store.old_recordings(before).await?;
    // Asked before any name goes, since the answer may depend on how many there are.
    let owns = !old.is_empty() && owns_recordings(app).await?;
    loop {
        let mut forgotten = 0;
        for (call, key) in old {
            if app.store.forget_recording(call, &key, by).await? {
                if owns {
                    forget_bytes(&files, &key).await;
                }
                forgotten += 1;
            }
        }
        if forgotten == 0 {
            return Ok(purged);
        }
        purged += forgotten;
        old = app.store.old_recordings(before).await?;
    }
}

/// Removes the bytes of recordings that are under a key which no call names, whatever is said of its recording's state, and
/// those that are only in part in their folder; gives how many. A crash, or a store that failed, has left them behind.
///
/// # Errors
/// When a store fails.
pub async fn sweep_recordings(app: &App) -> Result<u64, ServiceError> {
    if !owns_recordings(app).await? {
        tracing::warn!(
            "the recordings may be those of another installation: none is taken away; `leadscribe doctor` says more"
        );
        return Ok(0);
    }
    let files = RecordingFiles::new(app.recordings.clone());
    let before = app.now() - UNNAMED_KEPT;
    let Stored { unnamed, .. } = stored_before(app, before).await?;
    for key in &unnamed {
        forget_bytes(&files, key).await;
    }
    let half_stored = match app.config.recordings.url.as_str() {
        "none" => {
            let folder = app.config.recordings_dir();
            tokio::task::spawn_blocking(move || remove_half_stored(&folder, before)).await?
        }
        // A bucket has a rule for its own.
        _ => 0,
    };
    Ok((unnamed.len() + half_stored) as u64)
}

/// Removes what is left of recordings that were being stored in a folder; gives how many files.
fn remove_half_stored(folder: &Path, before: Timestamp) -> usize {
    let mut removed = 0;
    for file in files::half_stored_before(folder, before) {
        match std::fs::remove_file(&file) {
            Ok(()) => removed += 1,
            Err(error) => tracing::warn!(%error, file = %file.display(), "half a recording could not be removed"),
        }
        // Unless there is something else of the call.
        let _ = file.parent().map(std::fs::remove_dir);
    }
    removed
}

/// What is in the recordings' store.
struct Stored {
    /// How many recordings there are that calls name.
    named: usize,
    /// The keys that no call names.
    unnamed: BTreeSet<RecordingKey>,
}

/// The recordings that were stored before `before`, by the clock of the store.
async fn stored_before(app: &App, before: Timestamp) -> Result<Stored, ServiceError> {
    let files = RecordingFiles::new(app.recordings.clone());
    // What isn't ours stays.
    let ours = |key| ready(Ok(files::call_of(&key).map(|call| (call, key))));
    let mut old = files.stored_before(before).try_filter_map(ours).try_chunks(ASKED_AT_ONCE);
    // Gathered first: taking away what is being listed could disturb the list.
    let mut stored = Stored { named: 0, unnamed: BTreeSet::new() };
    while let Some(keys) = old.try_next().await.map_err(|TryChunksError(_, error)| error)? {
        let calls = keys.iter().map(|(call, _)| *call).collect();
        let names = app.store.named_recordings(&calls).await?;
        // A recording comes with its outline.
        let keys: BTreeSet<_> = keys.into_iter().collect();
        let (named, unnamed): (Vec<_>, Vec<_>) = keys.into_iter().partition(|(call, key)| names.get(call) == Some(key));
        stored.named += named.len();
        stored.unnamed.extend(unnamed.into_iter().map(|(_, key)| key));
    }
    Ok(stored)
}
