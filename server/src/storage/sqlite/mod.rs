//! Embedded database: SQLite in one file of the data folder.
//!
//! One connection writes and a few read; in WAL mode, reads never wait for the writer. [`super::sql`] defines what is stored and how; this
//! module covers the access to SQLite.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};
use tokio::time::timeout;

use super::sql::{Database, DatabaseWork, Session, SqlStore, WorkError};
use super::wait_counter::WaitCounter;
use super::{ConnectionStats, Result, StoreError};
use crate::blocking_pool::core_count;

mod connection;
mod dialect;
mod erasure;
mod error;
pub(crate) mod inspection;
mod reader_pool;
mod session;
pub(crate) mod snapshot;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod upgrades;

pub use error::OpenError;

use error::is_locked;
use reader_pool::ReaderPool;
use session::SqliteSession;

/// Maximum number of connections that one credential uses for reads, and for small queries. Each caches up to
/// [`connection::READER_CACHE_KIB`] of pages.
const MAX_READERS: usize = 8;

/// Store in a SQLite file.
pub type SqliteStore = SqlStore<Sqlite>;

/// A SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    /// Connection for writes, which get it in FIFO order.
    writer: Arc<Mutex<Connection>>,
    writes_waiting: WaitCounter,
    readers: Arc<ReaderPool>,
    /// Connections for the small queries of every request, such as authentication. Long reads never take them.
    point_readers: Arc<ReaderPool>,
    /// Number of reads that may still run inline: one fewer than there are async threads. With a slow disk, one async thread stays free for
    /// work that needs no database.
    inline_reads: Semaphore,
}

impl Sqlite {
    /// Opens the file at `path`, creates it if it doesn't exist, and migrates its schema. Blocks.
    ///
    /// # Errors
    /// The file can't be opened, was written by a newer version of the program, or can't guarantee durable commits.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let mut writer = connection::open_writer(path)?;
        connection::migrate(&mut writer)?;
        connection::refresh_statistics(&writer)?;
        let cores = core_count();
        let readers = || Arc::new(ReaderPool::new(path.to_owned(), cores.clamp(2, MAX_READERS)));
        Ok(Self {
            writer: Arc::new(Mutex::new(writer)),
            writes_waiting: WaitCounter::default(),
            readers: readers(),
            point_readers: readers(),
            inline_reads: Semaphore::new(cores - 1),
        })
    }

    /// Waits for the turn to write, in FIFO order.
    ///
    /// # Errors
    /// Other writes took longer than [`connection::BUSY_TIMEOUT`], because the disk is slow.
    async fn lock_writer(&self) -> Result<OwnedMutexGuard<Connection>> {
        let guard = timeout(connection::BUSY_TIMEOUT, Arc::clone(&self.writer).lock_owned());
        let guard = self.writes_waiting.count_while(guard).await;
        guard.map_err(|_| StoreError::Unavailable("timed out waiting for other writes".into()))
    }

    /// Runs a read on this thread, where it waits only for the disk. `None` if enough async threads already run reads, if no connection is
    /// free, or if the file is locked.
    fn read_inline<T>(&self, work: impl Fn(&dyn Session) -> Result<T>) -> Option<Result<T>> {
        let _permit = self.inline_reads.try_acquire().ok()?;
        let reader = self.point_readers.check_out_idle()?;
        let result = work(&SqliteSession(&reader));
        Some(result).filter(|result| !result.as_ref().is_err_and(is_locked))
    }
}

impl SqliteStore {
    /// Opens the store in the file at `path`; see [`Sqlite::open`].
    ///
    /// # Errors
    /// See [`Sqlite::open`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Ok(Self::new(Sqlite::open(path)?))
    }
}

impl Database for Sqlite {
    async fn read<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T> {
        self.readers.read(work).await
    }

    async fn read_point<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T> {
        // Evaluated inline, because that is cheaper than a thread hop.
        if let Some(result) = self.read_inline(&work) {
            return result;
        }
        self.point_readers.read(work).await
    }

    async fn read_urgent<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> Result<T> {
        self.point_readers.read(work).await
    }

    async fn write<T: Send + 'static, E: WorkError>(&self, work: impl DatabaseWork<T, E>) -> Result<T, E> {
        let mut writer = self.lock_writer().await?;
        tokio::task::spawn_blocking(move || {
            let opened = writer.transaction_with_behavior(TransactionBehavior::Immediate);
            let transaction = opened.map_err(StoreError::from)?;
            let value = work(&SqliteSession(&transaction))?;
            transaction.commit().map_err(StoreError::from)?;
            Ok(value)
        })
        .await
        .map_err(StoreError::from)?
    }

    async fn write_locking<T: Send + 'static, E: WorkError>(&self, work: impl DatabaseWork<T, E>) -> Result<T, E> {
        self.write(work).await
    }

    async fn erase_deleted_data(&self, include_transcripts: bool) -> Result<()> {
        let (mut is_first, mut is_merged) = (true, !include_transcripts);
        // In steps, so that other writers aren't blocked.
        while !is_merged {
            let writer = Arc::clone(&self.writer).lock_owned().await;
            let step = tokio::task::spawn_blocking(move || erasure::merge_words(&writer, is_first)).await;
            (is_first, is_merged) = (false, step??);
        }
        let writer = Arc::clone(&self.writer).lock_owned().await;
        let log_truncated = tokio::task::spawn_blocking(move || erasure::truncate_log(&writer)).await??;
        tracing::debug!(log_truncated, "removed deleted data from the database's files");
        Ok(())
    }

    fn connection_stats(&self) -> ConnectionStats {
        let (readers, point_readers) = (self.readers.stats(), self.point_readers.stats());
        ConnectionStats {
            max: readers.max + point_readers.max,
            in_use: readers.in_use + point_readers.in_use,
            idle: readers.idle + point_readers.idle,
            waiting: readers.waiting + point_readers.waiting,
            writes_waiting: Some(self.writes_waiting.count()),
        }
    }

    async fn refresh_statistics(&self) -> Result<()> {
        let writer = Arc::clone(&self.writer).lock_owned().await;
        let (readers, point_readers) = (Arc::clone(&self.readers), Arc::clone(&self.point_readers));
        tokio::task::spawn_blocking(move || {
            if connection::refresh_statistics(&writer)? {
                readers.invalidate();
                point_readers.invalidate();
            }
            Ok(())
        })
        .await?
    }
}
