//! Receives a large body on disk instead of in memory, and computes its hash.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures::{Stream, StreamExt};
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use crate::recording::files::Digest;
use crate::service::error::{Result, ServiceError};

/// Bytes to buffer before writing to disk. Each write costs a hop to a blocking thread.
const WRITE_BUFFER_BYTES: usize = 1024 * 1024;

/// A body on disk. The file is locked until this value is dropped, and then deleted.
#[derive(Debug)]
pub struct Spool {
    file: NamedTempFile,
    digest: Digest,
    size_bytes: u64,
}

impl Spool {
    /// Receives a body into a file in `folder`, which is created if necessary.
    ///
    /// # Errors
    /// The error of the stream; or [`ServiceError::File`] if the file can't be written.
    pub async fn receive<S, E>(folder: &Path, chunks: S) -> Result<Self, E>
    where
        S: Stream<Item = Result<Bytes, E>>,
        E: From<ServiceError>,
    {
        let into_error = |error: ServiceError| E::from(error);
        let folder = folder.to_owned();
        let file = run_blocking(move || {
            std::fs::create_dir_all(&folder)?;
            NamedTempFile::new_in(&folder)
        });
        let mut writer = SpoolWriter { file: file.await.map_err(into_error)?, hash: Sha256::new(), bytes: 0 };
        let mut buffer = Vec::new();
        let mut chunks = std::pin::pin!(chunks);
        while let Some(chunk) = chunks.next().await {
            buffer.extend_from_slice(&chunk?);
            if buffer.len() >= WRITE_BUFFER_BYTES {
                writer = writer.write(std::mem::take(&mut buffer)).await.map_err(into_error)?;
            }
        }
        let SpoolWriter { file, hash, bytes } = writer.write(buffer).await.map_err(into_error)?;
        // Lock the file, so that cleanup doesn't delete it while it is in use, even if the clock changes. Lock after writing, because some
        // network drives refuse writes to a locked file. If the file system has no locks, cleanup decides by age alone.
        let _ = file.as_file().try_lock_shared();
        Ok(Self { file, digest: Digest::new(hash.finalize().into()), size_bytes: bytes })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> PathBuf {
        self.file.path().to_owned()
    }

    /// Opens the file for reading from its start.
    ///
    /// # Errors
    /// The file can't be opened.
    pub fn reopen(&self) -> std::io::Result<std::fs::File> {
        self.file.reopen()
    }

    /// Returns the SHA-256 of the content.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        self.size_bytes
    }
}

struct SpoolWriter {
    file: NamedTempFile,
    hash: Sha256,
    bytes: u64,
}

impl SpoolWriter {
    async fn write(mut self, chunk: Vec<u8>) -> Result<Self> {
        run_blocking(move || {
            self.hash.update(&chunk);
            self.bytes += chunk.len() as u64;
            self.file.write_all(&chunk)?;
            Ok(self)
        })
        .await
    }
}

/// Runs file operations on a blocking thread.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> std::io::Result<T> + Send + 'static) -> Result<T> {
    Ok(tokio::task::spawn_blocking(work).await??)
}
