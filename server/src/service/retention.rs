//! Recordings that have had their time, and bytes that nobody names any more.
//!
//! The order of each step is what makes it safe: the database forgets a key before its bytes go, so whatever breaks off
//! in between leaves bytes without a name, which the next sweep finds. Two processes may do this at the same time.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use futures::TryStreamExt;
use futures::future::ready;
use futures::stream::TryChunksError;
use leadscribe_engine::api::Timestamp;

use super::error::ServiceError;
use super::recordings::forget_bytes;
use crate::app::App;
use crate::recording::{RecordingFiles, files};
use crate::storage::Origin;

/// How old bytes without a name must be to be taken away. Between writing them and naming them there are milliseconds,
/// but clocks of two machines may differ.
const UNNAMED_KEPT: TimeDelta = TimeDelta::days(1);

/// Keys whose calls are asked for at once: few milliseconds, and a thousandth of the questions.
const ASKED_AT_ONCE: usize = 1_000;

/// Forgets the recordings of calls created before `before`, but for those that wait for their transcription; gives how
/// many.
///
/// # Errors
/// When the store fails. What was forgotten until then stays so.
pub async fn purge_recordings(app: &App, before: Timestamp, by: &Origin) -> Result<u64, ServiceError> {
    let files = RecordingFiles::new(app.recordings.clone());
    let mut purged = 0;
    loop {
        let mut forgotten = 0;
        for (call, key) in app.store.old_recordings(before).await? {
            if app.store.forget_recording(call, &key, by).await? {
                forget_bytes(&files, &key).await;
                forgotten += 1;
            }
        }
        if forgotten == 0 {
            return Ok(purged);
        }
        purged += forgotten;
    }
}

/// Removes the bytes of recordings that are under a key which no call names, whatever is said of its recording's state;
/// gives how many. A crash, or a store that failed, has left them behind.
///
/// # Errors
/// When a store fails.
pub async fn sweep_recordings(app: &App) -> Result<u64, ServiceError> {
    let files = RecordingFiles::new(app.recordings.clone());
    // What isn't ours stays.
    let ours = |key| ready(Ok(files::call_of(&key).map(|call| (call, key))));
    let mut old = files.stored_before(app.now() - UNNAMED_KEPT).try_filter_map(ours).try_chunks(ASKED_AT_ONCE);
    // Gathered first: taking away what is being listed could disturb the list.
    let mut unnamed = BTreeSet::new();
    while let Some(keys) = old.try_next().await.map_err(|TryChunksError(_, error)| error)? {
        let calls = keys.iter().map(|(call, _)| *call).collect();
        let named = app.store.named_recordings(&calls).await?;
        unnamed.extend(keys.into_iter().filter(|(call, key)| named.get(call) != Some(key)).map(|(_, key)| key));
    }
    for key in &unnamed {
        forget_bytes(&files, key).await;
    }
    Ok(unnamed.len() as u64)
}
