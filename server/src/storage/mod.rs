//! What the service keeps, as traits: one method per atomic use case, so that no transaction crosses them. Each area has a
//! file; here is what all have in common, and [`Store`], which is all of them.
//!
//! [`sql`] implements them, once for every database; [`sqlite`] is the embedded one, [`postgres`] the one that many
//! processes share. Services know only the traits; the command line picks the database. On each of them the suite in
//! `conformance` must pass.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::fault::Fault;

mod access;
mod calls;
mod clock;
#[cfg(test)]
pub(crate) mod conformance;
pub mod copy;
mod deliveries;
pub mod filter_sql;
mod imports;
mod leads;
mod lists;
mod overview;
pub mod postgres;
pub mod snapshot;
mod speech;
pub mod sql;
pub mod sqlite;
pub mod survey;
mod transcripts;
mod views;
mod waiting;

pub use access::*;
pub use calls::*;
pub use clock::*;
pub use deliveries::*;
pub use filter_sql::TooManyValues;
pub use imports::*;
pub use leads::*;
pub use lists::*;
pub use overview::*;
pub use speech::*;
pub use transcripts::*;
pub use views::*;

/// The store failed. The cause is for the log; nobody outside sees it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store can't be reached or can't write now; the same request may succeed later.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The answer to a commit was lost: what was written may be stored, or not.
    #[error("the answer of the store was lost; the change may be stored")]
    CommitUnknown(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What it needs was held by others for too long; the same request may succeed later.
    #[error("the store is busy")]
    Busy(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Others came between what a transaction read and what it wrote. It was undone, and can be run again.
    #[error("the store undid a transaction that others had overtaken")]
    Conflict(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Anything else.
    #[error("the store failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A write was not done.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// It contradicts what is stored: a name is taken, a lead doesn't exist.
    #[error("refused: {}", .0.detail)]
    Refused(Fault),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Who changes something, in which request and when: what the audit log keeps with each change.
#[derive(Clone, Debug)]
pub struct Origin {
    /// `user:3`, `api_key:5`, `speech_token:2`, `command_line`.
    pub actor: String,
    /// The request.
    pub request_id: Option<String>,
    /// Now.
    pub at: Timestamp,
}

impl Origin {
    /// The actor when nobody is known.
    pub const ANONYMOUS: &'static str = "anonymous";
}

/// Which installation a database is: random, made with it, and the same in its copies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstallationId(pub String);

/// A slice of a list.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// At most so many entries.
    pub count: u32,
    /// After passing over so many.
    pub offset: u64,
}

/// Which entries of the audit log; of several conditions all must hold.
///
/// Who, what and to what are either whole (`user:3`, `lead.update`, `lead:17`) or a kind of them (`user`, `lead`, `lead`).
#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    /// Who did it.
    pub actor: Option<String>,
    /// What was done.
    pub action: Option<String>,
    /// To what.
    pub subject: Option<String>,
    /// Done then or later.
    pub from: Option<Timestamp>,
    /// Done then or before.
    pub till: Option<Timestamp>,
    /// In which order.
    pub order: Order<AuditOrder>,
}

/// The audit log. Changes enter it in their own transaction, through their [`Origin`].
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// A slice of those entries that match.
    async fn audit_log(&self, query: &AuditQuery, slice: Slice) -> Result<Page<AuditEntry>, StoreError>;
    /// Notes something that changed nothing but must be known, such as a failed log-in or the reading of a transcript.
    async fn note(&self, action: &str, subject: &str, by: &Origin) -> Result<(), StoreError>;
}

/// What another process may have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// There may be a transcription to be claimed.
    TranscriptionQueued,
    /// There may be a delivery to be claimed.
    DeliveryQueued,
    /// The state of a transcription or delivery may be another.
    StateChanged,
}

/// How busy the connections of this process to its database are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Connections {
    /// Most that there may be.
    pub most: usize,
    /// Those at work.
    pub used: usize,
    /// Those that are open and rest.
    pub idle: usize,
    /// How much work waits for one.
    pub waiting: usize,
    /// How much work waits to write, where one writes at a time.
    pub writes_waiting: Option<usize>,
}

/// The leads that are kept in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeadIndexState {
    /// How many.
    pub leads: usize,
    /// The memory they take.
    pub bytes: usize,
    /// Since when they haven't been seen to be in step with the database.
    pub behind: Duration,
}

/// Everything the service keeps.
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
    + ExportStore<CallQuery>
    + ExportStore<CampaignQuery>
    + ExportStore<DeliveryQuery>
    + ExportStore<ImportQuery>
    + ExportStore<AuditQuery>
    + ExportStore<TranscriptQuery>
    + std::fmt::Debug
{
    /// Whether the store answers.
    async fn ping(&self) -> Result<(), StoreError>;
    /// Whether something can be written: writes a little, of which nothing stays.
    async fn try_write(&self) -> Result<(), StoreError>;
    /// Whether nothing was ever stored but what every installation starts with: no campaigns, leads, calls or users.
    async fn is_empty(&self) -> Result<bool, StoreError>;
    /// Which installation it is.
    async fn installation(&self) -> Result<InstallationId, StoreError>;
    /// Keeps all leads in memory too, so that look-ups take about a millisecond, for as long as it is polled. Never ends.
    async fn keep_lead_index(&self);
    /// The leads in memory; none while they aren't there.
    async fn lead_index(&self) -> Option<LeadIndexState>;
    /// Forgets some of the notes of changes that the leads in memory are brought up to date by, where there are more than are
    /// worth following; gives how many. To be called until it gives 0.
    async fn purge_lead_changes(&self) -> Result<u64, StoreError>;
    /// Takes what was deleted out of the database's files, if `words` that of transcripts too, for which all words are written
    /// anew. SQLite only marks some of it until then; PostgreSQL keeps it until its own `VACUUM`.
    async fn forget_deleted(&self, words: bool) -> Result<(), StoreError>;
    /// How busy the connections to the database are.
    fn connections(&self) -> Connections;
    /// Calls `heard` when another process may have done something, where the store can tell. Nothing depends on it:
    /// whoever waits also looks now and then. Never ends.
    async fn listen(&self, heard: Arc<dyn Fn(Notice) + Send + Sync>);
}
