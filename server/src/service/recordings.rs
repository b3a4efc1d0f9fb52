//! Recordings of calls: received, looked into, kept, and played.
//!
//! The order of a write is what makes it safe: bytes are durable under a key of their own before the database names
//! the key, and old bytes go only after it names the new ones. Whatever breaks off in between leaves the call as it
//! was, at worst with bytes that nobody names.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{Stream, TryStreamExt};
use leadscribe_engine::api::{Call, CallId, Peaks, Recording, RecordingState};
use sha2::{Digest as _, Sha256};

use super::error::ServiceError;
use super::spool::Spool;
use crate::app::App;
use crate::blocking_pool::{BlockingPool, Permit};
use crate::recording::files::{self, Digest};
use crate::recording::{Audio, RecordingError, RecordingFiles, probe};
use crate::speech::audio::{self, AudioError, Outline};
use crate::storage::{Origin, RecordingKey, WriteError};

#[cfg(test)]
mod tests;

/// Decodes uploads. Decoding takes a whole core, so few run at a time.
static PROBES: LazyLock<BlockingPool> = LazyLock::new(|| BlockingPool::new(2));

/// Decodes recordings for their outlines, apart from uploads: a client that asks for many outlines delays no upload.
static OUTLINES: LazyLock<BlockingPool> = LazyLock::new(|| BlockingPool::new(2));

/// An audio file that was looked into and can be a recording.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What it holds.
    pub audio: Audio,
    /// SHA-256 of its bytes.
    pub digest: Digest,
    /// Its size in bytes.
    pub bytes: u64,
    /// Where its bytes are, once that was tried: in one place, however often a database that is away is asked to name it.
    key: OnceLock<RecordingKey>,
}

/// Receives the recording of a call, and replaces the one it had. The same bytes again change nothing.
///
/// # Errors
/// There is no such call; the recording it has is transcribed; what was sent can't be used as a recording; the body's own error; or a store failed. The call's
/// recording is then what it was.
pub async fn upload<S, E>(app: &App, id: CallId, body: S, by: &Origin) -> Result<Call, E>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: From<ServiceError>,
{
    if app.store.call(id).await.map_err(ServiceError::from)?.is_none() {
        return Err(ServiceError::NotFound("call").into());
    }
    let spool = Spool::receive(&app.config.spool_dir(), body).await?;
    let audio = look_into(spool.reopen().map_err(ServiceError::from)?).await?;
    let checked = Checked { audio, digest: spool.digest().clone(), bytes: spool.bytes(), key: OnceLock::new() };
    keep(app, id, &checked, &spool.path(), by).await?;
    Ok(app.store.call(id).await.map_err(ServiceError::from)?.ok_or(ServiceError::NotFound("call"))?)
}

/// Looks into a file of this machine.
///
/// # Errors
/// It can't be read, or can't be used as a recording.
pub async fn check(path: &Path) -> Result<Checked, ServiceError> {
    let path = path.to_owned();
    let hashed = tokio::task::spawn_blocking(move || {
        let mut file = File::open(&path)?;
        let (digest, bytes) = hash(&mut file)?;
        std::io::Seek::rewind(&mut file)?;
        Ok::<_, std::io::Error>((file, digest, bytes))
    });
    let (file, digest, bytes) = hashed.await??;
    Ok(Checked { audio: look_into(file).await?, digest, bytes, key: OnceLock::new() })
}

/// Whether a file is the recording of a call already.
///
/// # Errors
/// The store failed.
pub async fn is_kept(app: &App, id: CallId, checked: &Checked) -> Result<bool, ServiceError> {
    let stored = app.store.recording_key(id).await?;
    Ok(stored.is_some_and(|(recording, key)| {
        recording.state == RecordingState::Ready
            && recording.bytes == Some(checked.bytes)
            && files::is_key_of(&key, &checked.digest)
    }))
}

/// Makes a file the recording of a call, unless it is already. True when that changed something.
///
/// After a failure it can be asked for again, with the same `checked`, and stores no second copy.
///
/// # Errors
/// There is no such call; the recording it has is transcribed; or a store failed.
pub async fn keep(app: &App, id: CallId, checked: &Checked, path: &Path, by: &Origin) -> Result<bool, ServiceError> {
    if is_kept(app, id, checked).await? {
        // Where this was tried before, the answer was lost and not the change.
        return Ok(checked.key.get().is_some());
    }
    let store = RecordingFiles::new(app.recordings.clone());
    let key = checked.key.get_or_init(|| files::fresh_key(id, &checked.digest, checked.audio.extension));
    // At every try: while nobody names them, the bytes of the one before may have been swept.
    store.put(key, path).await?;
    let recording = Recording {
        state: RecordingState::Ready,
        media_type: Some(checked.audio.media_type.to_owned()),
        channels: Some(checked.audio.channels),
        sample_rate: Some(checked.audio.sample_rate),
        duration_seconds: Some(checked.audio.seconds),
        bytes: Some(checked.bytes),
    };
    match app.store.set_recording(id, &recording, Some(key), by).await {
        Ok(Some(before)) => {
            if let Some(before) = before {
                forget_bytes(&store, &before).await;
            }
            Ok(true)
        }
        Ok(None) => {
            forget_bytes(&store, key).await;
            Err(ServiceError::NotFound("call"))
        }
        Err(error @ WriteError::Refused(_)) => {
            forget_bytes(&store, key).await;
            Err(error.into())
        }
        // The key may be named all the same: of a commit without an answer nobody knows whether it arrived. If it is not, the
        // sweep takes the bytes.
        Err(error @ WriteError::Store(_)) => Err(error.into()),
    }
}

/// What is known of a call's recording, and where its bytes are.
///
/// # Errors
/// There is no such call, or it has no recording that can be played; or the store failed.
pub async fn find(app: &App, id: CallId) -> Result<(Recording, RecordingKey), ServiceError> {
    match app.store.recording_key(id).await? {
        Some(found) => Ok(found),
        None if app.store.call(id).await?.is_some() => Err(ServiceError::NotFound("recording")),
        None => Err(ServiceError::NotFound("call")),
    }
}

/// Some of a recording's bytes, as they are read.
///
/// # Errors
/// The recordings' store failed.
pub async fn play(
    app: &App,
    key: &RecordingKey,
    range: Range<u64>,
) -> Result<BoxStream<'static, Result<Bytes, object_store::Error>>, ServiceError> {
    Ok(RecordingFiles::new(app.recordings.clone()).read(key, range).await?)
}

/// Copies a recording into a file of this machine, which goes when what is given back is dropped.
///
/// # Errors
/// There are no bytes under the key, or not those that were stored; the recordings' store failed; or the file can't be
/// written.
pub async fn fetch(app: &App, recording: &Recording, key: &RecordingKey) -> Result<Spool, ServiceError> {
    let chunks = play(app, key, 0..recording.bytes.unwrap_or_default()).await?;
    let spool = Spool::receive(&app.config.spool_dir(), chunks.map_err(ServiceError::from)).await?;
    // A store gives what it has of a range: of a file that was cut short, its beginning.
    if recording.bytes == Some(spool.bytes()) && files::is_key_of(key, spool.digest()) {
        Ok(spool)
    } else {
        Err(ServiceError::DamagedRecording(key.clone()))
    }
}

/// The outline of a ready recording's loudness, in `count` stretches. The recording is decoded for the first only; then its
/// outline is kept beside it.
///
/// # Errors
/// It can't be decoded, or isn't what was stored; or the recordings' store or the disk failed.
pub async fn peaks(app: &App, recording: &Recording, key: &RecordingKey, count: usize) -> Result<Peaks, ServiceError> {
    let store = RecordingFiles::new(app.recordings.clone());
    if let Some(kept) = kept_outline(&store, key).await? {
        return Ok(kept.peaks(count));
    }
    // Before its bytes are fetched: those that wait take no room on the disk.
    let permit = OUTLINES.permit().await;
    // While one waited, another may have drawn it.
    if let Some(kept) = kept_outline(&store, key).await? {
        return Ok(kept.peaks(count));
    }
    let file = fetch(app, recording, key).await?;
    let outline = decode(permit, move || {
        audio::outline(&file.path()).map_err(|error| match error {
            AudioError::Unusable(why) => ServiceError::UnusableRecording(why),
            AudioError::Io(error) => error.into(),
        })
    })
    .await?;
    if let Err(error) = store.keep_outline(key, outline.to_bytes()).await {
        tracing::warn!(%error, "the outline of a recording could not be kept; it is drawn anew the next time");
    }
    Ok(outline.peaks(count))
}

/// The outline that was kept; none when none was, or what is there can't be read.
async fn kept_outline(store: &RecordingFiles, key: &RecordingKey) -> Result<Option<Outline>, ServiceError> {
    Ok(store.outline(key).await?.and_then(|bytes| Outline::from_bytes(&bytes)))
}

/// Probes a file.
async fn look_into(file: File) -> Result<Audio, ServiceError> {
    decode(PROBES.permit().await, || {
        probe(file).map_err(|error| match error {
            RecordingError::Unusable(why) => ServiceError::UnusableRecording(why.to_string()),
            RecordingError::Io(error) => error.into(),
        })
    })
    .await
}

/// Decodes on a thread that may block. A panic of a decoder is the file's fault.
async fn decode<T: Send + 'static>(
    permit: Permit,
    work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, ServiceError> {
    match permit.run(work).await {
        Ok(decoded) => decoded,
        Err(error) if error.is_panic() => {
            tracing::error!("a decoder panicked; the file was refused");
            Err(ServiceError::UnusableRecording("the file is damaged: it can't be decoded".to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}

/// Removes bytes that nobody names any more. A failure costs only their space.
pub(super) async fn forget_bytes(store: &RecordingFiles, key: &RecordingKey) {
    if let Err(error) = store.delete(key).await {
        tracing::warn!(%error, key = key.0, "the bytes of a recording that is forgotten could not be removed");
    }
}

fn hash(file: &mut File) -> std::io::Result<(Digest, u64)> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((Digest::new(hash.finalize().into()), bytes));
        }
        hash.update(&buffer[..read]);
        bytes += read as u64;
    }
}
