//! Recordings of calls: receive, check, store and play them.
//!
//! Writes are ordered to be crash-safe. The bytes are durable under a new key before the database refers to the key, and old
//! bytes are deleted only after the database refers to the new ones. A failure in between leaves the call unchanged, at
//! worst with unreferenced bytes.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{Stream, TryStreamExt};
use leadscribe_engine::api::{Call, CallId, Peaks, Recording, RecordingState};
use leadscribe_engine::diagnostic::recording;
use sha2::{Digest as _, Sha256};

use super::spool::Spool;
use crate::blocking_pool::{BlockingPool, Permit};
use crate::recording::files::{self, Digest};
use crate::recording::{AudioProperties, RecordingError, RecordingFiles, probe};
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::speech::audio::{self, AudioError, Waveform};
use crate::storage::{AuditContext, RecordingKey, WriteError};

#[cfg(test)]
mod tests;

/// Decodes uploads. Decoding takes a whole core, so few run concurrently.
static PROBE_POOL: LazyLock<BlockingPool> = LazyLock::new(|| BlockingPool::new(2));

/// Decodes recordings for waveforms. Separate from uploads, so that requests for waveforms don't delay them.
static WAVEFORM_POOL: LazyLock<BlockingPool> = LazyLock::new(|| BlockingPool::new(2));

/// An audio file that was checked and can be used as a recording.
#[derive(Clone, Debug)]
pub struct CheckedRecording {
    pub audio: AudioProperties,
    /// SHA-256 of the bytes.
    pub digest: Digest,
    /// Size in bytes.
    pub bytes: u64,
    /// Key of the stored bytes, set at the first try. Retries reuse the key, so the bytes are stored once.
    key: OnceLock<RecordingKey>,
}

/// Receives a recording of a call and replaces the previous one. Receiving the same bytes again changes nothing.
///
/// # Errors
/// The call doesn't exist; its recording is being transcribed; the body is not a usable recording or fails; or a store
/// failed. The recording of the call is then unchanged.
pub async fn upload<S, E>(app: &App, id: CallId, body: S, audit: &AuditContext) -> Result<Call, E>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: From<ServiceError>,
{
    if app.store.call(id).await.map_err(ServiceError::from)?.is_none() {
        return Err(ServiceError::NotFound("call").into());
    }
    let spool = Spool::receive(&app.config.spool_dir(), body).await?;
    let audio = probe_file(spool.reopen().map_err(ServiceError::from)?).await?;
    let recording =
        CheckedRecording { audio, digest: spool.digest().clone(), bytes: spool.bytes(), key: OnceLock::new() };
    store_file(app, id, &recording, &spool.path(), audit).await?;
    Ok(app.store.call(id).await.map_err(ServiceError::from)?.ok_or(ServiceError::NotFound("call"))?)
}

/// Checks a local file.
///
/// # Errors
/// The file can't be read or isn't a usable recording.
pub async fn check(path: &Path) -> Result<CheckedRecording> {
    let path = path.to_owned();
    let hashed = tokio::task::spawn_blocking(move || {
        let mut file = File::open(&path)?;
        let (digest, bytes) = hash_file(&mut file)?;
        std::io::Seek::rewind(&mut file)?;
        Ok::<_, std::io::Error>((file, digest, bytes))
    });
    let (file, digest, bytes) = hashed.await??;
    Ok(CheckedRecording { audio: probe_file(file).await?, digest, bytes, key: OnceLock::new() })
}

/// Returns whether a file is already the recording of a call.
///
/// # Errors
/// The store failed.
pub async fn is_stored(app: &App, id: CallId, checked: &CheckedRecording) -> Result<bool> {
    let stored = app.store.recording_key(id).await?;
    Ok(stored.is_some_and(|(recording, key)| {
        recording.state == RecordingState::Ready
            && recording.bytes == Some(checked.bytes)
            && files::matches_digest(&key, &checked.digest)
    }))
}

/// Stores a file as the recording of a call, unless it already is. Returns true if that changed anything.
///
/// After a failure, call it again with the same `checked`; no second copy is stored.
///
/// # Errors
/// The call doesn't exist; its recording is being transcribed; or a store failed.
pub async fn store_file(
    app: &App,
    id: CallId,
    checked: &CheckedRecording,
    path: &Path,
    audit: &AuditContext,
) -> Result<bool> {
    if is_stored(app, id, checked).await? {
        // If a previous try set the key, that try made the change and only its response was lost.
        return Ok(checked.key.get().is_some());
    }
    let store = RecordingFiles::new(app.recordings.clone());
    let key = checked.key.get_or_init(|| files::new_key(id, &checked.digest, checked.audio.extension));
    // Write at every try: the sweep may have deleted the unreferenced bytes of an earlier try.
    store.put(key, path).await?;
    let recording = Recording {
        state: RecordingState::Ready,
        media_type: Some(checked.audio.media_type.to_owned()),
        channels: Some(checked.audio.channels),
        sample_rate: Some(checked.audio.sample_rate),
        duration_seconds: Some(checked.audio.seconds),
        bytes: Some(checked.bytes),
    };
    match app.store.set_recording(id, &recording, Some(key), audit).await {
        Ok(Some(previous_key)) => {
            if let Some(previous_key) = previous_key {
                delete_unreferenced(&store, &previous_key).await;
            }
            Ok(true)
        }
        Ok(None) => {
            delete_unreferenced(&store, key).await;
            Err(ServiceError::NotFound("call"))
        }
        Err(error @ WriteError::Refused(_)) => {
            delete_unreferenced(&store, key).await;
            Err(error.into())
        }
        // Keep the bytes: the commit may have succeeded without a response. If it didn't, the sweep deletes them.
        Err(error @ WriteError::Store(_)) => Err(error.into()),
    }
}

/// Returns the recording of a call and the key of its bytes.
///
/// # Errors
/// The call doesn't exist or has no playable recording; or storage failed.
pub async fn find(app: &App, id: CallId) -> Result<(Recording, RecordingKey)> {
    match app.store.recording_key(id).await? {
        Some(recording) => Ok(recording),
        None if app.store.call(id).await?.is_some() => Err(ServiceError::NotFound("recording")),
        None => Err(ServiceError::NotFound("call")),
    }
}

/// Streams a range of a recording's bytes.
///
/// # Errors
/// The recording store failed.
pub async fn stream_bytes(
    app: &App,
    key: &RecordingKey,
    range: Range<u64>,
) -> Result<BoxStream<'static, Result<Bytes, object_store::Error>>> {
    Ok(RecordingFiles::new(app.recordings.clone()).read(key, range).await?)
}

/// Copies a recording to a local file, which is deleted when the returned value is dropped.
///
/// # Errors
/// The bytes are missing or damaged; recording storage failed; or the file can't be written.
pub async fn fetch(app: &App, recording: &Recording, key: &RecordingKey) -> Result<Spool> {
    let chunks = stream_bytes(app, key, 0..recording.bytes.unwrap_or_default()).await?;
    let spool = Spool::receive(&app.config.spool_dir(), chunks.map_err(ServiceError::from)).await?;
    // A store returns as much of a range as it has, so a truncated file yields fewer bytes.
    if recording.bytes == Some(spool.bytes()) && files::matches_digest(key, spool.digest()) {
        Ok(spool)
    } else {
        Err(ServiceError::DamagedRecording(key.clone()))
    }
}

/// Returns the waveform of a ready recording with `count` peaks. Decodes the recording only at the first request; then its
/// waveform is stored next to it.
///
/// # Errors
/// The recording can't be decoded or is damaged; or the recording store or the disk failed.
pub async fn waveform(app: &App, recording: &Recording, key: &RecordingKey, count: usize) -> Result<Peaks> {
    let store = RecordingFiles::new(app.recordings.clone());
    if let Some(stored) = load_waveform(&store, key).await? {
        return Ok(stored.peaks(count));
    }
    // Before the bytes are fetched, so that waiting requests use no disk space.
    let permit = WAVEFORM_POOL.acquire().await;
    // Another request may have stored the waveform in the meantime.
    if let Some(stored) = load_waveform(&store, key).await? {
        return Ok(stored.peaks(count));
    }
    let file = fetch(app, recording, key).await?;
    let waveform = decode(permit, move || {
        audio::compute_waveform(&file.path()).map_err(|error| match error {
            AudioError::Unusable(reason) => ServiceError::UnusableRecording(reason),
            AudioError::Io(error) => error.into(),
        })
    })
    .await?;
    if let Err(error) = store.store_waveform(key, waveform.to_bytes()).await {
        tracing::warn!(%error, "can't store the waveform of a recording; it will be computed again");
    }
    Ok(waveform.peaks(count))
}

/// Returns the stored waveform; `None` if it doesn't exist or can't be read.
async fn load_waveform(store: &RecordingFiles, key: &RecordingKey) -> Result<Option<Waveform>> {
    Ok(store.waveform(key).await?.and_then(|bytes| Waveform::from_bytes(&bytes)))
}

async fn probe_file(file: File) -> Result<AudioProperties> {
    decode(PROBE_POOL.acquire().await, || {
        probe(file).map_err(|error| match error {
            RecordingError::Unusable(reason) => ServiceError::UnusableRecording(reason),
            RecordingError::Io(error) => error.into(),
        })
    })
    .await
}

/// Decodes on a blocking thread. A panic of the decoder counts as an error in the file.
async fn decode<T: Send + 'static>(permit: Permit, work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    match permit.run(work).await {
        Ok(value) => value,
        Err(error) if error.is_panic() => {
            tracing::error!("audio decoder panicked; the file was rejected");
            Err(ServiceError::UnusableRecording(recording::decoder_crashed()))
        }
        Err(error) => Err(error.into()),
    }
}

/// Deletes unreferenced bytes. A failure only wastes space.
pub(in crate::service) async fn delete_unreferenced(store: &RecordingFiles, key: &RecordingKey) {
    if let Err(error) = store.delete(key).await {
        tracing::warn!(%error, key = key.0, "can't delete an unreferenced recording");
    }
}

fn hash_file(file: &mut File) -> std::io::Result<(Digest, u64)> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    let mut bytes = 0;
    loop {
        let read_bytes = file.read(&mut buffer)?;
        if read_bytes == 0 {
            return Ok((Digest::new(hash.finalize().into()), bytes));
        }
        hash.update(&buffer[..read_bytes]);
        bytes += read_bytes as u64;
    }
}
