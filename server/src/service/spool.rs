//! A large body while it is received: on disk, not in memory, and hashed on the way.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures::{Stream, StreamExt};
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use super::error::ServiceError;
use crate::recording::files::Digest;

/// How much is gathered before it is written to disk, in bytes: one hand-over to a blocking thread for each.
const WRITE_BYTES: usize = 1024 * 1024;

/// A body on disk. The file is locked until this is dropped, and goes then.
#[derive(Debug)]
pub struct Spool {
    file: NamedTempFile,
    digest: Digest,
    bytes: u64,
}

impl Spool {
    /// Receives a body into a file of `folder`, which is made if it isn't there.
    ///
    /// # Errors
    /// The body's own; or [`ServiceError::File`] when the file can't be written.
    pub async fn receive<S, E>(folder: &Path, chunks: S) -> Result<Self, E>
    where
        S: Stream<Item = Result<Bytes, E>>,
        E: From<ServiceError>,
    {
        let failed = |error: ServiceError| E::from(error);
        let folder = folder.to_owned();
        let file = blocking(move || {
            std::fs::create_dir_all(&folder)?;
            NamedTempFile::new_in(&folder)
        });
        let mut writer = Writer { file: file.await.map_err(failed)?, hash: Sha256::new(), bytes: 0 };
        let mut gathered = Vec::new();
        let mut chunks = std::pin::pin!(chunks);
        while let Some(chunk) = chunks.next().await {
            gathered.extend_from_slice(&chunk?);
            if gathered.len() >= WRITE_BYTES {
                writer = writer.write(std::mem::take(&mut gathered)).await.map_err(failed)?;
            }
        }
        let Writer { file, hash, bytes } = writer.write(gathered).await.map_err(failed)?;
        // So that it isn't taken for left behind, should the clock be set while it is in use. Only now: some network drives let
        // nobody write what is locked so. A file system without locks goes by the age alone.
        let _ = file.as_file().try_lock_shared();
        Ok(Self { file, digest: Digest::new(hash.finalize().into()), bytes })
    }

    /// Where it is.
    pub fn path(&self) -> PathBuf {
        self.file.path().to_owned()
    }

    /// The file, to be read from its start.
    ///
    /// # Errors
    /// When it can't be opened again.
    pub fn reopen(&self) -> std::io::Result<std::fs::File> {
        self.file.reopen()
    }

    /// SHA-256 of its content.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// Its size.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

struct Writer {
    file: NamedTempFile,
    hash: Sha256,
    bytes: u64,
}

impl Writer {
    async fn write(mut self, chunk: Vec<u8>) -> Result<Self, ServiceError> {
        blocking(move || {
            self.hash.update(&chunk);
            self.bytes += chunk.len() as u64;
            self.file.write_all(&chunk)?;
            Ok(self)
        })
        .await
    }
}

/// Does file work on a thread that may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, ServiceError> {
    Ok(tokio::task::spawn_blocking(work).await??)
}
