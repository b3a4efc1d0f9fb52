//! The embedded database: SQLite in one file of the data folder.
//!
//! One connection writes, a few read; in WAL mode reads never wait for the writer. What is stored, and how, stands in
//! [`super::sql`]; here is only how SQLite is opened and spoken to.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{Mutex, Semaphore};

use super::sql::{Database, Session, SqlStore, WorkError};
use super::waiting::Waiting;
use super::{Connections, StoreError};

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

/// Connections that read at the same time. Each keeps up to [`connection::READER_CACHE_KIB`] of pages.
const MAX_READERS: usize = 8;

/// The store in a SQLite file.
pub type SqliteStore = SqlStore<Sqlite>;

/// A SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    /// First come, first served.
    writer: Arc<Mutex<Connection>>,
    writes_waiting: Waiting,
    readers: Arc<Readers>,
    /// Reads that may run on the async threads now: one fewer than there are of those. While the disk is slow, one async thread goes
    /// on with what needs no database.
    inline_reads: Semaphore,
}

impl Sqlite {
    /// Opens the file at `path`, creates it if there is none, and brings its schema up to date. Blocks.
    ///
    /// # Errors
    /// The file can't be opened, was written by a newer program, or doesn't keep what is promised of a commit.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let mut writer = connection::open_writer(path)?;
        connection::migrate(&mut writer)?;
        connection::refresh_statistics(&writer)?;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Self {
            writer: Arc::new(Mutex::new(writer)),
            writes_waiting: Waiting::default(),
            readers: Arc::new(Readers::new(path.to_owned(), cores.clamp(2, MAX_READERS))),
            inline_reads: Semaphore::new(cores - 1),
        })
    }
}

impl Sqlite {
    /// Answers on this thread, without waiting for anything but the disk. None when enough async threads do so already, when no
    /// connection is free, or when the file is locked.
    fn ask_inline<T>(&self, work: impl Fn(&dyn Session) -> Result<T, StoreError>) -> Option<Result<T, StoreError>> {
        let _thread = self.inline_reads.try_acquire().ok()?;
        let reader = self.readers.check_out_idle()?;
        let answer = work(&SqliteSession(&reader));
        Some(answer).filter(|answer| !answer.as_ref().is_err_and(is_locked))
    }
}

impl SqliteStore {
    /// The store in the file at `path`; see [`Sqlite::open`].
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
        let permit = self.readers.permit().await;
        let readers = Arc::clone(&self.readers);
        tokio::task::spawn_blocking(move || {
            let mut reader = readers.check_out(permit)?;
            let snapshot = reader.transaction()?;
            work(&SqliteSession(&snapshot))
        })
        .await
        .map_err(cut_short)?
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        // On this thread: it takes less than the change to another thread would.
        if let Some(answer) = self.ask_inline(&work) {
            return answer;
        }
        self.read(work).await
    }

    async fn write<T: Send + 'static, E: WorkError>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let mut writer = self.writes_waiting.during(Arc::clone(&self.writer).lock_owned()).await;
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
        // Step by step, so that other writes get their turn.
        while !merged {
            let writer = Arc::clone(&self.writer).lock_owned().await;
            let step = tokio::task::spawn_blocking(move || forget::merge_words(&writer, first)).await;
            (first, merged) = (false, step.map_err(cut_short)??);
        }
        let writer = Arc::clone(&self.writer).lock_owned().await;
        let emptied = tokio::task::spawn_blocking(move || forget::empty_log(&writer)).await.map_err(cut_short)??;
        tracing::debug!(emptied, "took what was deleted out of the database's files");
        Ok(())
    }

    fn connections(&self) -> Connections {
        Connections { writes_waiting: Some(self.writes_waiting.count()), ..self.readers.connections() }
    }

    async fn refresh_statistics(&self) -> Result<(), StoreError> {
        let writer = Arc::clone(&self.writer).lock_owned().await;
        let readers = Arc::clone(&self.readers);
        tokio::task::spawn_blocking(move || {
            if connection::refresh_statistics(&writer)? {
                readers.renew();
            }
            Ok(())
        })
        .await
        .map_err(cut_short)?
    }
}
