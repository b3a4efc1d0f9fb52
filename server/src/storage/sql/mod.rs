//! The store in SQL, written once for every database.
//!
//! One file per trait of the store, with the statements it needs. What runs them is a [`Session`]; where databases differ,
//! a [`Dialect`] knows how. [`SqlStore`] implements the store's traits on any [`Database`]: `sqlite` and `postgres` are the
//! two there are.
//!
//! Everything runs off the async threads, inside a transaction: [`Database::read`] gives one snapshot,
//! [`Database::write`] commits as a whole or not at all. Work that was begun is finished even when its caller goes away,
//! so a cancelled request leaves either nothing or all of its change.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{Connections, InstallationId, LeadIndexState, Notice, Store};
use crate::in_flight::InFlight;
use crate::storage::{StoreError, WriteError};

mod access;
mod audit;
mod bind;
mod calls;
mod campaign_leads;
mod campaigns;
mod clock;
mod deliveries;
mod dialect;
mod ids;
mod imports;
mod lead_actions;
pub(super) mod lead_changes;
mod lead_index;
mod leads;
mod lists;
mod look_up;
mod overview;
mod queue;
mod record;
mod references;
mod rows;
mod session;
mod speech;
mod statuses;
pub(super) mod survey;
mod transcripts;
mod undo_journal;
mod views;

use lead_index::KeptIndex;

pub use bind::Bind;
pub(crate) use bind::binds;
pub use dialect::{CustomType, Dialect};
pub use session::{FromColumn, Row, Session};

/// A database: gives sessions.
pub trait Database: Debug + Send + Sync + 'static {
    /// Runs `work` on one snapshot.
    fn read<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send;

    /// Runs one statement that finds a row or two by an index, of pages that are always at hand because each request asks
    /// so, on the database that writes.
    fn ask<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send {
        self.read_primary(work)
    }

    /// Runs `work` on one snapshot of the database that writes, even where reads usually go elsewhere.
    fn read_primary<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send {
        self.read(work)
    }

    /// Runs `work` as [`Database::read_primary`] does, on connections that long reads never take: many requests wait for it.
    fn read_urgent<T: Send + 'static>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send {
        self.read_primary(work)
    }

    /// Runs `work` in a transaction of its own and commits it, unless `work` fails. It is on disk when this returns.
    ///
    /// Nobody else's writes come between what `work` reads and what it writes. Where the database lets writers go on side
    /// by side, one that others have overtaken is undone and run again: so `work` may run more than once.
    fn write<T: Send + 'static, E: WorkError>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send;

    /// Runs work that locks what it depends on, such as the claim of a queue's next entry or a submission, and commits it,
    /// unless `work` fails. Unlike [`Database::write`] it may see what others commit meanwhile.
    fn claim<T: Send + 'static, E: WorkError>(
        &self,
        work: impl Fn(&dyn Session) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send;

    /// Lets the planner count again what has grown much. Called after imports; costs little when nothing has.
    fn refresh_statistics(&self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Takes what was deleted out of the database's files, where the database doesn't see to that itself; if `words` that of
    /// transcripts too.
    fn forget_deleted(&self, _words: bool) -> impl Future<Output = Result<(), StoreError>> + Send {
        std::future::ready(Ok(()))
    }

    /// How busy the connections are.
    fn connections(&self) -> Connections;

    /// Calls `heard` when another process may have done something. Never ends.
    fn listen(&self, _heard: Arc<dyn Fn(Notice) + Send + Sync>) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }
}

/// What the work of a transaction can fail with.
pub trait WorkError: From<StoreError> + Send + 'static {
    /// Whether another transaction came between, so that the work should be run again.
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

/// The store in a database.
#[derive(Debug)]
pub struct SqlStore<D> {
    database: Arc<D>,
    index: Arc<KeptIndex>,
    /// Credentials whose use is being noted: table and id.
    use_notes: InFlight<(&'static str, i64)>,
}

impl<D: Database> SqlStore<D> {
    /// The store in this database, whose schema is up to date.
    pub fn new(database: D) -> Self {
        Self { database: Arc::new(database), index: Arc::default(), use_notes: InFlight::default() }
    }

    /// Builds the lead index, and leaves it to look-ups to bring it up to date; for tests.
    #[cfg(test)]
    pub async fn indexed(self) -> Self {
        lead_index::rebuild(self.database(), &self.index).await.expect("the lead index is built");
        self
    }

    /// What follows each batch of imported leads: the planner counts anew, and notes that nobody needs are forgotten.
    async fn after_import(&self) {
        self.prune_lead_changes().await;
        self.refresh_statistics().await;
    }

    /// Forgets some notes of changed leads that nobody needs; the hourly purge forgets the others.
    async fn prune_lead_changes(&self) {
        let pruned = self.database.claim(lead_changes::prune).await;
        left_for_later("notes of changed leads were not pruned", pruned.map(|_| ()));
    }

    /// Lets the planner count anew.
    async fn refresh_statistics(&self) {
        left_for_later("the planner's statistics were not refreshed", self.database.refresh_statistics().await);
    }

    /// The database.
    pub fn database(&self) -> &D {
        &self.database
    }
}

/// Says that tidying up failed. What it follows is committed, and is answered as such: whoever was told of a failure would
/// do the same again. The next change tidies up for this one too.
fn left_for_later(what: &'static str, tidied: Result<(), StoreError>) {
    if let Err(error) = tidied {
        tracing::warn!(error = &error as &dyn std::error::Error, "{what}");
    }
}

#[async_trait]
impl<D: Database> Store for SqlStore<D> {
    async fn ping(&self) -> Result<(), StoreError> {
        // A read: anybody may ask, and asking must not stand in the way of those who write.
        self.database.ask(|session| session.value::<i64>("SELECT count(*) FROM lead_statuses", &[])).await?;
        Ok(())
    }

    async fn try_write(&self) -> Result<(), StoreError> {
        let write = |session: &dyn Session| {
            // Committed together, so that nobody sees it. To set what stands there already would write nothing in SQLite.
            session.execute("INSERT INTO installation (id) VALUES ('')", &[])?;
            session.execute("DELETE FROM installation WHERE id = ''", &[])?;
            Ok(())
        };
        self.database.write(write).await
    }

    async fn is_empty(&self) -> Result<bool, StoreError> {
        let any = "SELECT EXISTS (SELECT 1 FROM campaigns) OR EXISTS (SELECT 1 FROM leads)
                       OR EXISTS (SELECT 1 FROM calls) OR EXISTS (SELECT 1 FROM users)";
        Ok(!self.database.read(move |session| session.value::<bool>(any, &[])).await?)
    }

    async fn installation(&self) -> Result<InstallationId, StoreError> {
        let id = self.database.read_primary(|session| session.value("SELECT id FROM installation", &[])).await?;
        Ok(InstallationId(id))
    }

    async fn keep_lead_index(&self) {
        lead_index::keep(self.database(), &self.index).await;
    }

    async fn lead_index(&self) -> Option<LeadIndexState> {
        let index = Arc::clone(&self.index);
        // A million rows are looked at: not here, where others wait for their turn.
        tokio::task::spawn_blocking(move || index.look()).await.unwrap_or_default()
    }

    async fn purge_lead_changes(&self) -> Result<u64, StoreError> {
        self.database.claim(lead_changes::prune).await
    }

    async fn forget_deleted(&self, words: bool) -> Result<(), StoreError> {
        self.database.forget_deleted(words).await
    }

    fn connections(&self) -> Connections {
        self.database.connections()
    }

    async fn listen(&self, heard: Arc<dyn Fn(Notice) + Send + Sync>) {
        self.database.listen(heard).await;
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Failed(Box::new(error))
    }
}
