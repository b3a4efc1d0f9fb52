//! SQL implementation of the store, shared by all databases.
//!
//! One file per trait of the store, with its statements. A [`Session`] runs statements, and a [`Dialect`] covers the differences between
//! databases. [`SqlStore`] implements the store's traits for any [`Database`]; the implementations are `sqlite` and `postgres`.
//!
//! All work runs off the async threads and inside a transaction: [`Database::read`] provides one snapshot, and [`Database::write`] commits
//! everything or nothing. Work that was started is finished even if its caller is cancelled, so a cancelled request leaves either none or
//! all of its changes.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{ConnectionStats, InstallationId, LeadIndexStats, Notice, Store};
use crate::in_flight::InFlightKeys;
use crate::storage::{Result, StoreError, WriteError};

mod access;
mod audit;
mod bind;
mod calls;
mod campaign_leads;
mod campaigns;
pub(super) mod change_log;
mod clock;
mod deliveries;
mod dialect;
mod endpoint_queue;
mod entity;
mod idempotency;
mod ids;
mod imports;
mod input_format;
pub(super) mod inspection;
mod lead_actions;
mod lead_index;
mod lead_lookup;
mod leads;
mod lists;
mod overview;
mod queue;
mod record;
mod references;
mod rows;
pub(crate) mod session;
mod speech;
mod statuses;
mod transcripts;
mod undo;
mod undo_journal;
mod views;
mod webhooks;

use lead_index::IndexCache;

pub use bind::Bind;
pub(crate) use bind::binds;
pub use dialect::{CustomType, Dialect};
pub use session::{Row, Session};

/// A database that provides sessions.
pub trait Database: Debug + Send + Sync + 'static {
    /// Runs `work` on one snapshot.
    fn read<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> impl Future<Output = Result<T>> + Send;

    /// Runs one statement on the primary that finds a row or two by an index. Every request runs such a statement, so the pages it reads are
    /// cached and it may run on an async thread.
    fn read_point<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> impl Future<Output = Result<T>> + Send {
        self.read_primary(work)
    }

    /// Runs `work` on one snapshot of the primary, even if other reads go to a replica.
    fn read_primary<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> impl Future<Output = Result<T>> + Send {
        self.read(work)
    }

    /// Like [`Database::read_primary`], but on connections reserved for short reads. For work that many requests wait for.
    fn read_urgent<T: Send + 'static>(&self, work: impl DatabaseWork<T>) -> impl Future<Output = Result<T>> + Send {
        self.read_primary(work)
    }

    /// Runs `work` in its own transaction and commits it, unless `work` fails. The data is on disk when this returns.
    ///
    /// No other write happens between the reads and writes of `work`. Databases with concurrent writers detect conflicts, roll back and
    /// retry, so `work` may run more than once.
    fn write<T: Send + 'static, E: WorkError>(
        &self,
        work: impl DatabaseWork<T, E>,
    ) -> impl Future<Output = Result<T, E>> + Send;

    /// Runs work that locks the rows it depends on, such as a claim of a queue entry or a submission, and commits it unless `work` fails.
    /// Unlike [`Database::write`], it may see changes that others commit while it runs.
    fn write_locking<T: Send + 'static, E: WorkError>(
        &self,
        work: impl DatabaseWork<T, E>,
    ) -> impl Future<Output = Result<T, E>> + Send;

    /// Refreshes the planner's statistics of tables that have grown much. Called after imports; cheap if nothing has changed.
    fn refresh_statistics(&self) -> impl Future<Output = Result<()>> + Send;

    /// Removes deleted data from the database's files, if the database doesn't do that itself; with `include_transcripts`, deleted
    /// transcripts too.
    fn erase_deleted_data(&self, _include_transcripts: bool) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    /// Utilization of the connections.
    fn connection_stats(&self) -> ConnectionStats;

    /// Calls `on_notice` after a notification that another process may have changed something. Never returns.
    fn listen(&self, _on_notice: Arc<dyn Fn(Notice) + Send + Sync>) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }
}

/// Work on one snapshot or in one transaction.
pub trait DatabaseWork<T, E = StoreError>: Fn(&dyn Session) -> Result<T, E> + Send + 'static {}

impl<T, E, F: Fn(&dyn Session) -> Result<T, E> + Send + 'static> DatabaseWork<T, E> for F {}

/// Error of the work in a transaction.
pub trait WorkError: From<StoreError> + Send + 'static {
    /// True if a concurrent transaction conflicted and the work should be retried.
    fn is_conflict(&self) -> bool;
}

impl WorkError for StoreError {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Conflict(_))
    }
}

impl WorkError for WriteError {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_conflict())
    }
}

/// Store on top of a database.
#[derive(Debug)]
pub struct SqlStore<D> {
    database: Arc<D>,
    index: Arc<IndexCache>,
    /// Credentials whose use is being recorded: table and id.
    pending_uses: InFlightKeys<(&'static str, i64)>,
}

impl<D: Database> SqlStore<D> {
    /// Creates the store for this database, whose schema must be up to date.
    pub fn new(database: D) -> Self {
        Self { database: Arc::new(database), index: Arc::default(), pending_uses: InFlightKeys::default() }
    }

    /// Builds the lead index once and leaves updates to lookups. For tests.
    #[cfg(test)]
    pub async fn with_lead_index(self) -> Self {
        lead_index::rebuild(self.database(), &self.index).await.expect("lead index built");
        self
    }

    /// Refreshes the planner's statistics after a change, which is committed: a failure must not fail its request, because a client that got an
    /// error would repeat it. The next change repeats the refresh.
    async fn refresh_statistics(&self) {
        if let Err(error) = self.database.refresh_statistics().await {
            tracing::warn!(error = &error as &dyn std::error::Error, "can't refresh the planner's statistics");
        }
    }

    /// The underlying database.
    pub fn database(&self) -> &D {
        &self.database
    }
}

#[async_trait]
impl<D: Database> Store for SqlStore<D> {
    async fn ping(&self) -> Result<()> {
        // A read only: the endpoint is public and must not block writers.
        self.database
            .read_point(|session| session.query_value::<i64>("SELECT count(*) FROM lead_statuses", &[]))
            .await?;
        Ok(())
    }

    async fn check_writable(&self) -> Result<()> {
        let write = |session: &dyn Session| {
            // Both statements commit together, so the row is never visible. SQLite wouldn't write anything for an update to the same value.
            session.execute("INSERT INTO installation (id) VALUES ('')", &[])?;
            session.execute("DELETE FROM installation WHERE id = ''", &[])?;
            Ok(())
        };
        self.database.write(write).await
    }

    async fn is_empty(&self) -> Result<bool> {
        let sql = "SELECT EXISTS (SELECT 1 FROM campaigns) OR EXISTS (SELECT 1 FROM leads)
                       OR EXISTS (SELECT 1 FROM calls) OR EXISTS (SELECT 1 FROM users)";
        Ok(!self.database.read(move |session| session.query_value::<bool>(sql, &[])).await?)
    }

    async fn installation_id(&self) -> Result<InstallationId> {
        let id = self.database.read_primary(|session| session.query_value("SELECT id FROM installation", &[])).await?;
        Ok(InstallationId(id))
    }

    async fn maintain_lead_index(&self) {
        lead_index::maintain(self.database(), &self.index).await;
    }

    async fn lead_index_stats(&self) -> Option<LeadIndexStats> {
        let index = Arc::clone(&self.index);
        // Reading the size scans up to a million rows, so it must not run on an async thread.
        tokio::task::spawn_blocking(move || index.stats()).await.unwrap_or_default()
    }

    async fn erase_deleted_data(&self, include_transcripts: bool) -> Result<()> {
        self.database.erase_deleted_data(include_transcripts).await
    }

    fn connection_stats(&self) -> ConnectionStats {
        self.database.connection_stats()
    }

    async fn listen(&self, on_notice: Arc<dyn Fn(Notice) + Send + Sync>) {
        self.database.listen(on_notice).await;
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Failed(Box::new(error))
    }
}
