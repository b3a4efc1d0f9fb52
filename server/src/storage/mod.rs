//! Storage interface of the services, as traits with one method per atomic use case, so that no transaction spans several calls. Each area
//! has its own file; this file contains what they share, and [`Store`], which combines them.
//!
//! [`sql`] implements the traits once for all databases; [`sqlite`] is the embedded database, and [`postgres`] the one that several
//! processes can share. Services only know the traits; the command line selects the database. Each database must pass the suite in
//! `conformance`.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Location};

mod access;
mod calls;
mod changes;
mod clock;
#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod copy;
mod deliveries;
mod filter_sql;
mod idempotency;
mod imports;
pub(crate) mod inspection;
mod leads;
mod lists;
mod overview;
pub mod postgres;
mod serialized_lead;
pub(crate) mod snapshot;
mod speech;
pub(crate) mod sql;
pub mod sqlite;
mod transcripts;
mod views;
mod wait_counter;
mod webhooks;

pub use access::*;
pub use calls::*;
pub use changes::*;
pub use clock::*;
pub use deliveries::*;
pub use filter_sql::TooManyBoundValues;
pub use idempotency::*;
pub use imports::*;
pub use leads::*;
pub use lists::*;
pub use overview::*;
pub use serialized_lead::{LeadMembers, SerializedLead};
pub use speech::*;
pub use transcripts::*;
pub use views::*;
pub use webhooks::*;

/// Result of a store operation.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Failure of the store. The cause is for the log only and is never shown to clients.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store can't be reached or can't write now. The request may succeed later.
    #[error("storage is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The response to a commit was lost. The changes may or may not be stored.
    #[error("the storage's response was lost; the change may have been stored")]
    CommitUnknown(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Other transactions held what this one needed for too long. The request may succeed later.
    #[error("storage is busy")]
    Busy(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A concurrent transaction conflicted with this one, which was rolled back and can be retried.
    #[error("a transaction was rolled back because of concurrent writes")]
    Conflict(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Any other failure.
    #[error("storage failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<tokio::task::JoinError> for StoreError {
    /// Converts the error of work on another thread, which panicked or was stopped because the program is shutting down.
    fn from(error: tokio::task::JoinError) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// Diagnostic code of a write that expects another version of a record.
pub const EDIT_CONFLICT: &str = "edit_conflict";

/// Error of a write: it was refused, or the store failed.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The write contradicts stored data; for example, a name is taken, or a lead doesn't exist.
    #[error("refused: {}", .0.message)]
    Refused(Diagnostic),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl WriteError {
    /// Replaces the JSON Pointer of a refusal.
    pub fn map_pointer(mut self, map: impl FnOnce(&str) -> Location) -> Self {
        if let Self::Refused(diagnostic) = &mut self
            && let Location::Pointer(pointer) = &diagnostic.location
        {
            diagnostic.location = map(pointer);
        }
        self
    }
}

/// Actor, request and time of a change, which the audit log stores with each change, and the idempotency key of the request.
#[derive(Clone, Debug)]
pub struct AuditContext {
    /// Actor: `user:3`, `api_key:5`, `speech_token:2`, `command_line`.
    pub actor: String,
    /// Id of the request.
    pub request_id: Option<String>,
    /// Current time.
    pub at: Timestamp,
    /// Idempotency key of the request, for operations that create something.
    pub idempotency: Option<IdempotencyKey>,
}

impl AuditContext {
    /// Actor of a change if the actor is unknown.
    pub const ANONYMOUS: &'static str = "anonymous";

    /// Context of a change that no request asked for.
    pub fn new(actor: impl Into<String>, at: Timestamp) -> Self {
        Self { actor: actor.into(), request_id: None, at, idempotency: None }
    }

    /// True if the change was made by an earlier request with the same idempotency key.
    pub fn is_replayed(&self) -> bool {
        self.idempotency.as_ref().is_some_and(IdempotencyKey::is_replayed)
    }
}

/// Id of an installation: random, created with the database, and the same in its copies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstallationId(pub String);

/// A slice of a list.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// Maximum number of entries.
    pub count: u32,
    /// Number of entries to skip.
    pub offset: u64,
}

/// Filter and order of audit entries. All given conditions must hold.
///
/// Each of actor, action and subject is a complete value, such as `user:3` or `lead.update`, or a kind, such as `user` or `lead`.
#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    /// Actor.
    pub actor: Option<String>,
    /// Action.
    pub action: Option<String>,
    /// Subject.
    pub subject: Option<String>,
    /// At this time or later.
    pub from: Option<Timestamp>,
    /// At this time or earlier.
    pub till: Option<Timestamp>,
    /// Order of the list.
    pub order: Order<AuditOrder>,
}

/// The audit log. Changes add their entries in their own transaction, from their [`AuditContext`].
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Slice of the entries that match.
    async fn audit_log(&self, query: &AuditQuery, slice: Slice) -> Result<Page<AuditEntry>>;
    /// Adds an entry for an event without a change, such as a failed login or the reading of a transcript.
    async fn record_event(&self, action: &str, subject: &str, audit: &AuditContext) -> Result<()>;
}

/// Notification from another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A transcription may be ready to claim.
    TranscriptionQueued,
    /// A delivery may be ready to claim.
    DeliveryQueued,
    /// The state of a transcription or delivery may have changed.
    StateChanged,
}

/// Utilization of this process's database connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectionStats {
    /// Maximum number of connections.
    pub max: usize,
    /// Connections in use.
    pub in_use: usize,
    /// Open connections that are idle.
    pub idle: usize,
    /// Tasks waiting for a connection.
    pub waiting: usize,
    /// Tasks waiting to write, if only one can write at a time.
    pub writes_waiting: Option<usize>,
}

/// Statistics of the lead index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeadIndexStats {
    /// Number of leads.
    pub leads: usize,
    /// Memory use in bytes.
    pub bytes: usize,
    /// Time since the index was last known to match the database.
    pub lag: Duration,
}

/// Everything that the services store.
#[async_trait]
pub trait Store:
    LeadStore
    + CampaignStore
    + CallStore
    + SpeechStore
    + TranscriptStore
    + DeliveryStore
    + AccessStore
    + ImportStore
    + AuditStore
    + OverviewStore
    + ViewStore
    + ClockStore
    + ChangeStore
    + WebhookStore
    + ExportStore<CallQuery>
    + ExportStore<CampaignQuery>
    + ExportStore<DeliveryQuery>
    + ExportStore<ImportQuery>
    + ExportStore<AuditQuery>
    + ExportStore<TranscriptQuery>
    + std::fmt::Debug
{
    /// Checks that the store responds.
    async fn ping(&self) -> Result<()>;
    /// Checks that the store can write, by a small write that leaves nothing behind.
    async fn check_writable(&self) -> Result<()>;
    /// True if nothing was stored beyond the initial data: no campaigns, leads, calls or users.
    async fn is_empty(&self) -> Result<bool>;
    /// Id of the installation.
    async fn installation_id(&self) -> Result<InstallationId>;
    /// Keeps a copy of all leads in memory for as long as it is polled, so that lookups take about a millisecond. Never returns.
    async fn maintain_lead_index(&self);
    /// Statistics of the lead index; `None` while it isn't loaded.
    async fn lead_index_stats(&self) -> Option<LeadIndexStats>;
    /// Removes deleted data from the database's files; with `include_transcripts`, deleted transcripts too, which
    /// rewrites the whole full-text index. SQLite only marks some of it as free until then; PostgreSQL keeps it until
    /// its own `VACUUM`.
    async fn erase_deleted_data(&self, include_transcripts: bool) -> Result<()>;
    /// Utilization of the database connections.
    fn connection_stats(&self) -> ConnectionStats;
    /// Calls `on_notice` after a notification that another process may have changed something, if the store supports that. Only a hint:
    /// waiting tasks also poll. Never returns.
    async fn listen(&self, on_notice: Arc<dyn Fn(Notice) + Send + Sync>);
}
