//! Embedded database: SQLite in one file of the data folder.
//!
//! One connection writes and a few read; in WAL mode, reads never wait for the writer. [`super::sql`] defines what is stored and how; this
//! module covers the access to SQLite.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};
use tokio::time::timeout;

use super::sql::{Database, Session, SqlStore, WorkError};
use super::waiting::Waiting;
use super::{Connections, StoreError};
use crate::blocking_pool::cores;

mod connection;
mod dialect;
mod error;
mod forget;
mod readers;
mod session;
pub mod snapshot;
pub mod survey;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod upgrades;

pub use error::OpenError;

use error::{cut_short, is_locked};
use readers::Readers;
use session::SqliteSession;

/// Maximum number of connections for reads, and of connections for small queries. Each caches up to [`connection::READER_CACHE_KIB`] of
/// pages.
const MAX_READERS: usize = 8;

/// Store in a SQLite file.
pub type SqliteStore = SqlStore<Sqlite>;

/// A SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    /// FIFO order.
    writer: Arc<Mutex<Connection>>,
    writes_waiting: Waiting,
    readers: Arc<Readers>,
    /// Connections for what many requests wait for, such as the small questions that each asks: long reads never take them.
    askers: Arc<Readers>,
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
        let cores = cores();
        let readers = || Arc::new(Readers::new(path.to_owned(), cores.clamp(2, MAX_READERS)));
        Ok(Self {
            writer: Arc::new(Mutex::new(writer)),
            writes_waiting: Waiting::default(),
            readers: readers(),
            askers: readers(),
            inline_reads: Semaphore::new(cores - 1),
        })
    }
}

impl Sqlite {
    /// Waits for the turn to write, in FIFO order.
    ///
    /// # Errors
    /// Other writes took longer than [`connection::BUSY_TIMEOUT`], because the disk is slow.
    async fn turn_to_write(&self) -> Result<OwnedMutexGuard<Connection>, StoreError> {
        let turn = timeout(connection::BUSY_TIMEOUT, Arc::clone(&self.writer).lock_owned());
        let turn = self.writes_waiting.during(turn).await;
        turn.map_err(|_| StoreError::Unavailable("timed out waiting for other writes".into()))
    }

    /// Answers on this thread; waits only for the disk. `None` if enough async threads do so already, if no connection is free, or if the
    /// file is locked.
    fn ask_inline<T>(&self, work: impl Fn(&dyn Session) -> Result<T, StoreError>) -> Option<Result<T, StoreError>> {
        let _thread = self.inline_reads.try_acquire().ok()?;
        let reader = self.askers.check_out_idle()?;
        let answer = work(&SqliteSession(&reader));
        Some(answer).filter(|answer| !answer.as_ref().is_err_and(is_locked))
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
    async fn read<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers.read(work).await
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        // Evaluated inline, because that is cheaper than a thread hop.
        if let Some(answer) = self.ask_inline(&work) {
            return answer;
        }
        self.askers.read(work).await
    }

    async fn read_urgent<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.askers.read(work).await
    }

    async fn write<T: Send + 'static, E: WorkError>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let mut writer = self.turn_to_write().await?;
        tokio::task::spawn_blocking(move || {
            let begun = writer.transaction_with_behavior(TransactionBehavior::Immediate);
            let transaction = begun.map_err(StoreError::from)?;
            let done = work(&SqliteSession(&transaction))?;
            transaction.commit().map_err(StoreError::from)?;
            Ok(done)
        })
        .await
        .map_err(cut_short)?
    }

    async fn claim<T: Send + 'static, E: WorkError>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.write(work).await
    }

    async fn forget_deleted(&self, words: bool) -> Result<(), StoreError> {
        let (mut first, mut merged) = (true, !words);
        // In steps, so that other writers aren't blocked.
        while !merged {
            let writer = Arc::clone(&self.writer).lock_owned().await;
            let step = tokio::task::spawn_blocking(move || forget::merge_words(&writer, first)).await;
            (first, merged) = (false, step.map_err(cut_short)??);
        }
        let writer = Arc::clone(&self.writer).lock_owned().await;
        let emptied = tokio::task::spawn_blocking(move || forget::empty_log(&writer)).await.map_err(cut_short)??;
        tracing::debug!(emptied, "removed deleted data from the database's files");
        Ok(())
    }

    fn connections(&self) -> Connections {
        let (readers, askers) = (self.readers.connections(), self.askers.connections());
        Connections {
            most: readers.most + askers.most,
            used: readers.used + askers.used,
            idle: readers.idle + askers.idle,
            waiting: readers.waiting + askers.waiting,
            writes_waiting: Some(self.writes_waiting.count()),
        }
    }

    async fn refresh_statistics(&self) -> Result<(), StoreError> {
        let writer = Arc::clone(&self.writer).lock_owned().await;
        let (readers, askers) = (Arc::clone(&self.readers), Arc::clone(&self.askers));
        tokio::task::spawn_blocking(move || {
            if connection::refresh_statistics(&writer)? {
                readers.renew();
                askers.renew();
            }
            Ok(())
        })
        .await
        .map_err(cut_short)?
    }
}
