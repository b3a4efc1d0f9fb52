//! The embedded adapter: SQLite in one file of the data folder.
//!
//! One connection writes, a few read; in WAL mode reads never wait for the writer. Everything runs off the async
//! threads, inside a transaction: [`SqliteStore::read`] gives one snapshot, [`SqliteStore::write`] commits as a whole or
//! not at all. Work that was begun is finished even when its caller goes away, so a cancelled request leaves either
//! nothing or all of its change.
//!
//! One file per trait; `rows` maps rows to types and back, `references` checks what a write refers to, `queue` is what
//! all queues have in common.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::Mutex;

use super::{Store, StoreError};

mod access;
mod audit;
mod calls;
mod campaign_leads;
mod campaigns;
mod connection;
mod deliveries;
mod dialect;
mod error;
mod imports;
mod leads;
mod look_up;
mod queue;
mod readers;
mod references;
mod rows;
mod speech;
mod statuses;
#[cfg(test)]
mod tests;
mod transcripts;

pub use error::OpenError;

use error::cut_short;
use readers::Readers;

/// Connections that read at the same time. Each keeps up to [`connection::READER_CACHE_KIB`] of pages.
const MAX_READERS: usize = 8;

/// The store in a SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    /// First come, first served.
    writer: Arc<Mutex<Connection>>,
    readers: Arc<Readers>,
}

impl SqliteStore {
    /// Opens the file at `path`, creates it if there is none, and brings its schema up to date. Blocks.
    ///
    /// # Errors
    /// The file can't be opened, was written by a newer program, or doesn't keep what is promised of a commit.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let mut writer = connection::open_writer(path)?;
        connection::migrate(&mut writer)?;
        connection::refresh_statistics(&writer)?;
        let count = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, MAX_READERS);
        Ok(Self { writer: Arc::new(Mutex::new(writer)), readers: Arc::new(Readers::new(path.to_owned(), count)) })
    }

    /// Runs `work` on one snapshot of the store.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self.readers.permit().await;
        let readers = Arc::clone(&self.readers);
        tokio::task::spawn_blocking(move || {
            let mut reader = readers.check_out(permit)?;
            let snapshot = reader.transaction()?;
            work(&snapshot)
        })
        .await
        .map_err(cut_short)?
    }

    /// Runs `work` in a transaction of its own and commits it, unless `work` fails. It is on disk when this returns.
    async fn write<T, E>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let mut writer = Arc::clone(&self.writer).lock_owned().await;
        tokio::task::spawn_blocking(move || {
            let begun = writer.transaction_with_behavior(TransactionBehavior::Immediate);
            let transaction = begun.map_err(StoreError::from)?;
            let done = work(&transaction)?;
            transaction.commit().map_err(StoreError::from)?;
            Ok(done)
        })
        .await
        .map_err(cut_short)?
    }

    /// Lets the planner count again what has grown much. Called after imports; costs nothing when nothing has.
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

#[async_trait]
impl Store for SqliteStore {
    async fn ping(&self) -> Result<(), StoreError> {
        // A read: anybody may ask, and asking must not stand in the way of those who write.
        self.read(|snapshot| Ok(snapshot.query_row("SELECT count(*) FROM lead_statuses", [], |_| Ok(()))?)).await
    }

    async fn is_empty(&self) -> Result<bool, StoreError> {
        self.read(|connection| {
            let any: bool = connection.query_row(
                "SELECT EXISTS (SELECT 1 FROM campaigns) OR EXISTS (SELECT 1 FROM leads)
                     OR EXISTS (SELECT 1 FROM calls) OR EXISTS (SELECT 1 FROM users)",
                [],
                |row| row.get(0),
            )?;
            Ok(!any)
        })
        .await
    }
}
