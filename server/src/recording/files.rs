//! Stores the bytes of recordings in an object store: a folder on this machine, or an S3-compatible store.
//!
//! A recording is written once under a unique key and never changed; a replacement gets a new key. Readers therefore never see a mix of two
//! recordings, and the bytes are stored before the database references them.

use std::fs::DirEntry;
use std::ops::Range;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::future::ready;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use leadscribe_engine::api::{CallId, Timestamp};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload};
use tokio::fs::File;
use tokio::io::AsyncReadExt;

use super::s3;
use crate::config::Config;
use crate::storage::RecordingKey;

/// Part size of multipart uploads, in bytes; files of at least this size are uploaded in parts. Two parts are in memory at a time. The
/// minimum of S3 is 5 MiB.
const PART_BYTES: u64 = 5 * 1024 * 1024;

/// Maximum number of parts in S3.
const MAX_PARTS: u64 = 10_000;

/// Suffix that is appended to the key of a recording for its waveform.
pub(crate) const WAVEFORM_SUFFIX: &str = ".outline";

/// Storage for the bytes of recordings.
#[derive(Clone, Debug)]
pub struct RecordingFiles(Arc<dyn ObjectStore>);

impl RecordingFiles {
    /// Uses the given object store.
    pub fn new(store: Arc<dyn ObjectStore>) -> Self {
        Self(store)
    }

    /// Opens a store in an existing folder. Writes are synced to disk, including folder entries, before they are reported as done.
    ///
    /// # Errors
    /// The folder can't be found.
    pub fn local(folder: &FilePath) -> Result<Arc<dyn ObjectStore>, object_store::Error> {
        let store = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true).with_automatic_cleanup(true);
        Ok(Arc::new(store))
    }

    /// Opens the store from the options and checks that it can be used.
    ///
    /// # Errors
    /// The reason why it can't be used, in one line.
    pub async fn open(config: &Config) -> Result<Arc<dyn ObjectStore>, String> {
        match s3::open(config).await? {
            Some(store) => Ok(store),
            None => Self::local(&config.recordings_dir()).map_err(|error| error.to_string()),
        }
    }

    /// Copies a file into the store. The copy is durable when this returns.
    ///
    /// # Errors
    /// The file can't be read, or the store fails. Then nothing is stored under the key.
    pub async fn put(&self, key: &RecordingKey, file: &FilePath) -> Result<(), object_store::Error> {
        let mut file = File::open(file).await.map_err(read_error)?;
        let bytes = file.metadata().await.map_err(read_error)?.len();
        let part_bytes = PART_BYTES.max(bytes.div_ceil(MAX_PARTS));
        let path = Path::from(key.0.as_str());
        let mut part = read_part(&mut file, part_bytes).await?;
        if (part.len() as u64) < part_bytes {
            self.0.put(&path, part.into()).await.map_err(s3::shorten_error)?;
            return Ok(());
        }
        let mut upload = Upload(Some(self.0.put_multipart(&path).await.map_err(s3::shorten_error)?));
        while !part.is_empty() {
            let sent = upload.send(part.into());
            ((), part) = tokio::try_join!(sent, read_part(&mut file, part_bytes))?;
        }
        upload.complete().await
    }

    /// Streams a range of a recording.
    ///
    /// # Errors
    /// The recording doesn't exist, or the store can't be read.
    pub async fn read(
        &self,
        key: &RecordingKey,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, Result<Bytes, object_store::Error>>, object_store::Error> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let object = self.0.get_opts(&Path::from(key.0.as_str()), options).await.map_err(s3::shorten_error)?;
        Ok(object.into_stream().map_err(s3::shorten_error).boxed())
    }

    /// Returns the stored waveform of a recording, if there is one.
    ///
    /// # Errors
    /// The store can't be read.
    pub async fn waveform(&self, key: &RecordingKey) -> Result<Option<Bytes>, object_store::Error> {
        match self.0.get(&waveform_path(key)).await {
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            found => found.map_err(s3::shorten_error)?.bytes().await.map(Some).map_err(s3::shorten_error),
        }
    }

    /// Stores the waveform of a recording next to it. It is deleted with the recording.
    ///
    /// # Errors
    /// The store fails.
    pub async fn store_waveform(&self, key: &RecordingKey, waveform: Vec<u8>) -> Result<(), object_store::Error> {
        self.0.put(&waveform_path(key), waveform.into()).await.map(drop).map_err(s3::shorten_error)
    }

    /// Lists the keys of recordings whose bytes or waveform were stored before `before`, by the store's clock. A recording with both may be
    /// listed twice.
    pub fn keys_stored_before(
        &self,
        before: Timestamp,
    ) -> BoxStream<'static, Result<RecordingKey, object_store::Error>> {
        let stored = self.0.list(None).try_filter(move |stored| ready(stored.last_modified < before));
        let key = |path: Path| match path.as_ref().strip_suffix(WAVEFORM_SUFFIX) {
            Some(recording) => RecordingKey(recording.to_owned()),
            None => RecordingKey(path.into()),
        };
        stored.map_ok(move |stored| key(stored.location)).map_err(s3::shorten_error).boxed()
    }

    /// Deletes a recording and its waveform. Missing files are not an error.
    ///
    /// # Errors
    /// The store can't be changed.
    pub async fn delete(&self, key: &RecordingKey) -> Result<(), object_store::Error> {
        for path in [waveform_path(key), Path::from(key.0.as_str())] {
            match self.0.delete(&path).await {
                Err(object_store::Error::NotFound { .. }) => {}
                other => other.map_err(s3::shorten_error)?,
            }
        }
        Ok(())
    }
}

/// Lists the unfinished files that killed processes left in a folder of recordings, if they were last written before `before`. Such a file
/// has the name of its target with `#` and a number appended, and the store doesn't list it. Blocks.
pub fn abandoned_files_before(folder: &FilePath, before: Timestamp) -> Vec<PathBuf> {
    let entries = |folder: &FilePath| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_abandoned = |entry: &DirEntry| {
        let path = entry.path();
        let name = path.strip_prefix(folder).ok().and_then(FilePath::to_str).and_then(|name| name.rsplit_once('#'));
        let is_ours = name.is_some_and(|(name, number)| {
            let recording = name.strip_suffix(WAVEFORM_SUFFIX).unwrap_or(name);
            !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
                && call_of(&RecordingKey(recording.to_owned())).is_some()
        });
        let metadata = entry.metadata().ok().filter(|metadata| is_ours && metadata.is_file());
        metadata.and_then(|metadata| metadata.modified().ok()).is_some_and(|written| Timestamp::from(written) < before)
    };
    let calls = entries(folder).filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    calls.flat_map(|call| entries(&call.path())).filter(is_abandoned).map(|entry| entry.path()).collect()
}

fn waveform_path(key: &RecordingKey) -> Path {
    Path::from(format!("{}{WAVEFORM_SUFFIX}", key.0))
}

/// Multipart upload of a file. If it is dropped before completion, its parts are deleted, because they can't be found later.
struct Upload(Option<Box<dyn MultipartUpload>>);

impl Upload {
    async fn send(&mut self, part: PutPayload) -> Result<(), object_store::Error> {
        match &mut self.0 {
            Some(upload) => upload.put_part(part).await.map_err(s3::shorten_error),
            None => Ok(()),
        }
    }

    async fn complete(mut self) -> Result<(), object_store::Error> {
        if let Some(upload) = &mut self.0 {
            upload.complete().await.map_err(s3::shorten_error)?;
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for Upload {
    /// Spawns a task, because dropping can't wait. The caller of the upload may be gone.
    fn drop(&mut self) {
        let Some(mut upload) = self.0.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            if let Err(error) = upload.abort().await.map_err(s3::shorten_error) {
                tracing::warn!(%error, "can't delete the parts of an incomplete recording");
            }
        });
    }
}

/// Reads the next `bytes` bytes of a file; fewer at its end.
async fn read_part(file: &mut File, bytes: u64) -> Result<Vec<u8>, object_store::Error> {
    let mut part = Vec::new();
    file.take(bytes).read_to_end(&mut part).await.map_err(read_error)?;
    Ok(part)
}

/// Returns a unique key for a call's recording. The key contains the digest of the content.
pub fn new_key(call: CallId, digest: &Digest, extension: &str) -> RecordingKey {
    RecordingKey(format!("{call}/{digest}-{:08x}.{extension}", rand::random::<u32>()))
}

/// Returns the call of a key, or `None` if [`new_key`] didn't create it.
pub fn call_of(key: &RecordingKey) -> Option<CallId> {
    let (call, _) = key.0.split_once('/')?;
    let is_digest = |content: &&str| content.len() == 64 && content.bytes().all(|byte| byte.is_ascii_hexdigit());
    content_id(key).filter(is_digest).and_then(|_| call.parse().ok()).map(CallId)
}

/// True if a key was created for this content.
pub fn matches_digest(key: &RecordingKey, digest: &Digest) -> bool {
    content_id(key) == Some(&digest.0)
}

/// Returns the digest in a key.
pub fn content_id(key: &RecordingKey) -> Option<&str> {
    let (_, name) = key.0.split_once('/')?;
    let (digest, _) = name.split_once('-')?;
    Some(digest)
}

/// Returns the file extension of a key.
pub fn extension(key: &RecordingKey) -> &str {
    key.0.rsplit_once('.').map_or("bin", |(_, extension)| extension)
}

/// SHA-256 of a recording's bytes, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest(String);

impl Digest {
    /// Converts a hash.
    pub fn new(hash: [u8; 32]) -> Self {
        Self(hash.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn read_error(error: std::io::Error) -> object_store::Error {
    object_store::Error::Generic { store: "file", source: Box::new(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn stores_reads_and_deletes_recordings() {
        let folder = tempfile::tempdir().unwrap();
        let files = RecordingFiles::new(RecordingFiles::local(folder.path()).unwrap());
        let source = tempfile::NamedTempFile::new().unwrap();
        // More than one part.
        let content: Vec<u8> = (0..PART_BYTES * 2 + 3).map(|n| n as u8).collect();
        std::fs::write(source.path(), &content).unwrap();
        let digest = Digest::new([7; 32]);
        let key = new_key(CallId(12), &digest, "wav");
        assert!(matches_digest(&key, &digest) && !matches_digest(&key, &Digest::new([8; 32])));
        assert_eq!(call_of(&key), Some(CallId(12)));
        assert_eq!(call_of(&RecordingKey("12/notes-of-mine.txt".to_owned())), None);

        files.put(&key, source.path()).await.unwrap();
        let parts: Vec<Bytes> = files.read(&key, 5..PART_BYTES + 9).await.unwrap().try_collect().await.unwrap();
        assert_eq!(parts.concat(), content[5..PART_BYTES as usize + 9]);

        assert_eq!(files.waveform(&key).await.unwrap(), None);
        files.store_waveform(&key, vec![1, 2]).await.unwrap();
        assert_eq!(files.waveform(&key).await.unwrap().unwrap(), [1, 2][..]);

        files.delete(&key).await.unwrap();
        files.delete(&key).await.unwrap();
        assert_eq!(files.waveform(&key).await.unwrap(), None);
        assert!(files.read(&key, 0..1).await.is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "empty folders are deleted");
    }

    #[tokio::test]
    async fn distinguishes_unfinished_from_abandoned_files() {
        let folder = tempfile::tempdir().unwrap();
        let store = RecordingFiles::local(folder.path()).unwrap();
        let key = new_key(CallId(12), &Digest::new([7; 32]), "wav");
        // Simulates a killed process.
        let mut upload = store.put_multipart(&Path::from(key.0.as_str())).await.unwrap();
        upload.put_part(vec![7; 9].into()).await.unwrap();
        std::mem::forget(upload);
        let unfinished = folder.path().join(format!("{}#1", key.0));
        let modified_at = Timestamp::from(std::fs::metadata(&unfinished).unwrap().modified().unwrap());
        for other in ["12/notes.txt#1", "notes.txt#1", &format!("{}#a", key.0), &key.0] {
            std::fs::write(folder.path().join(other), "mine").unwrap();
        }
        assert!(abandoned_files_before(folder.path(), modified_at).is_empty());
        assert_eq!(abandoned_files_before(folder.path(), modified_at + chrono::TimeDelta::days(1)), [unfinished]);
        assert!(abandoned_files_before(&folder.path().join("none"), modified_at).is_empty());
    }
}
