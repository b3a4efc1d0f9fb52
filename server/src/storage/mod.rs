//! What the service keeps, as traits: one method per atomic use case, so that no transaction crosses them.
//!
//! [`sql`] implements them, once for every database; [`sqlite`] is the embedded one, [`postgres`] the one that many
//! processes share. Services know only the traits; the command line picks the database. On each of them the suite in
//! `conformance` must pass.

use std::sync::Arc;

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::fault::Fault;
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};
use leadscribe_engine::submission::Submission;
use leadscribe_lead_index::PackedLead;

#[cfg(test)]
pub(crate) mod conformance;
pub mod copy;
mod deliveries;
pub mod filter_sql;
pub mod postgres;
pub mod sql;
pub mod sqlite;
mod transcripts;

pub use deliveries::*;
pub use transcripts::*;

/// The store failed. The cause is for the log; nobody outside sees it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store can't be reached or can't write now; the same request may succeed later.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
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

/// A slice of a list.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// At most so many entries.
    pub count: u32,
    /// After passing over so many.
    pub offset: u64,
}

/// A lead with those of its campaign leads that are shown, by id.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundLead {
    /// The lead, ready to be written.
    pub lead: PackedLead,
    /// Its campaign leads.
    pub campaign_leads: Vec<CampaignLead>,
    /// Whether it is in any campaign, shown or not.
    pub in_campaign: bool,
}

/// The answer to a look-up, all of it from one snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The page.
    pub leads: Vec<FoundLead>,
    /// How many match in all.
    pub total: u64,
    /// Whether leads follow the page.
    pub more: bool,
    /// The campaigns of the campaign leads shown, by id.
    pub campaigns: Vec<Campaign>,
    /// All statuses.
    pub statuses: Vec<LeadStatus>,
}

/// What became of one row of a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum RowOutcome {
    /// It made something new.
    Inserted,
    /// It changed something.
    Updated,
    /// It said what was already so; nothing was touched.
    Unchanged,
    /// It contradicts what is stored; the other rows of the batch went in.
    Rejected(Fault),
}

/// What became of a batch, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchOutcome {
    /// One per row, in order.
    pub rows: Vec<RowOutcome>,
    /// Names of statuses that were added because rows used them.
    pub new_statuses: Vec<String>,
}

/// Leads and campaign leads.
#[async_trait]
pub trait LeadStore: Send + Sync {
    /// The page and total of a filter, from one snapshot. `now` decides which day `calls_today` is about.
    async fn look_up(&self, filter: &CheckedFilter, now: Timestamp) -> Result<Found, StoreError>;
    /// One lead with all its campaign leads.
    async fn lead(&self, id: LeadId, now: Timestamp) -> Result<Option<Found>, StoreError>;
    /// Stores a new lead; its id is taken from the record or given.
    async fn create_lead(&self, record: LeadRecord, by: &Origin) -> Result<Lead, WriteError>;
    /// Changes a lead; none when it doesn't exist.
    async fn update_lead(&self, id: LeadId, record: LeadRecord, by: &Origin) -> Result<Option<Lead>, WriteError>;
    /// Deletes a lead and its campaign leads; its calls stay, without it. False when it doesn't exist.
    async fn delete_lead(&self, id: LeadId, by: &Origin) -> Result<bool, WriteError>;
    /// Inserts or updates leads by `id`, or without one by `original_identifier`, in one transaction.
    async fn import_leads(&self, rows: Vec<LeadRecord>, by: &Origin) -> Result<BatchOutcome, StoreError>;

    /// One campaign lead.
    async fn campaign_lead(&self, id: CampaignLeadId) -> Result<Option<CampaignLead>, StoreError>;
    /// Puts a lead into a campaign.
    async fn create_campaign_lead(&self, record: CampaignLeadRecord, by: &Origin) -> Result<CampaignLead, WriteError>;
    /// Changes a campaign lead; none when it doesn't exist.
    async fn update_campaign_lead(
        &self,
        id: CampaignLeadId,
        record: CampaignLeadRecord,
        by: &Origin,
    ) -> Result<Option<CampaignLead>, WriteError>;
    /// Takes a lead out of a campaign. False when there is no such campaign lead.
    async fn delete_campaign_lead(&self, id: CampaignLeadId, by: &Origin) -> Result<bool, WriteError>;
    /// Inserts or updates campaign leads by `id`, or without one by lead and campaign, in one transaction.
    async fn import_campaign_leads(
        &self,
        rows: Vec<CampaignLeadRecord>,
        by: &Origin,
    ) -> Result<BatchOutcome, StoreError>;

    /// All statuses, in the order staff keep them.
    async fn statuses(&self) -> Result<Vec<LeadStatus>, StoreError>;
    /// Adds a status, or changes the one of this name.
    async fn put_status(&self, status: LeadStatus, by: &Origin) -> Result<(), WriteError>;
    /// Removes a status; refused while campaign leads have it. False when there is none of this name.
    async fn delete_status(&self, name: &str, by: &Origin) -> Result<bool, WriteError>;
}

/// Campaigns.
#[async_trait]
pub trait CampaignStore: Send + Sync {
    /// A slice of the campaigns, by id; with `search`, of those whose name contains it (A to Z without case).
    async fn campaigns(&self, search: Option<&str>, slice: Slice) -> Result<Page<Campaign>, StoreError>;
    /// One campaign.
    async fn campaign(&self, id: CampaignId) -> Result<Option<Campaign>, StoreError>;
    /// Stores a new campaign; its id is taken from the record or given.
    async fn create_campaign(&self, record: CampaignRecord, by: &Origin) -> Result<Campaign, WriteError>;
    /// Changes a campaign; none when it doesn't exist.
    async fn update_campaign(
        &self,
        id: CampaignId,
        record: CampaignRecord,
        by: &Origin,
    ) -> Result<Option<Campaign>, WriteError>;
    /// Deletes a campaign; refused while leads are in it. False when it doesn't exist.
    async fn delete_campaign(&self, id: CampaignId, by: &Origin) -> Result<bool, WriteError>;
    /// Inserts or updates campaigns by `id`, or without one by name, in one transaction.
    async fn import_campaigns(&self, rows: Vec<CampaignRecord>, by: &Origin) -> Result<BatchOutcome, StoreError>;
}

/// Which calls a list is about; of several conditions all must hold.
#[derive(Clone, Debug, Default)]
pub struct CallQuery {
    /// Of these ids; empty means of any.
    pub ids: Vec<CallId>,
    /// About this lead.
    pub lead_id: Option<LeadId>,
    /// For this campaign.
    pub campaign_id: Option<CampaignId>,
    /// In this direction.
    pub direction: Option<Direction>,
    /// Which ended so.
    pub status: Option<CallStatus>,
    /// Whose recording is in this state.
    pub recording: Option<RecordingState>,
    /// Whose latest transcription is in this state; `Some(None)` means never sent.
    pub transcription: Option<Option<TranscriptionState>>,
    /// Created at this moment or later.
    pub from: Option<Timestamp>,
    /// Created at this moment or before.
    pub till: Option<Timestamp>,
    /// Agent's name or a number contains this (A to Z without case).
    pub search: Option<String>,
    /// From the oldest; otherwise from the newest.
    pub oldest_first: bool,
}

/// Where the bytes of a recording are, relative to the recording store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingKey(pub String);

/// Calls and what is known of their recordings.
#[async_trait]
pub trait CallStore: Send + Sync {
    /// A slice of the calls that meet the query, by created_at and id.
    async fn calls(&self, query: &CallQuery, slice: Slice) -> Result<Page<Call>, StoreError>;
    /// One call.
    async fn call(&self, id: CallId) -> Result<Option<Call>, StoreError>;
    /// Stores a new call; its id is taken from the record or given.
    async fn create_call(&self, record: CallRecord, by: &Origin) -> Result<Call, WriteError>;
    /// Changes a call; none when it doesn't exist.
    async fn update_call(&self, id: CallId, record: CallRecord, by: &Origin) -> Result<Option<Call>, WriteError>;
    /// Inserts or updates calls by `id`, in one transaction.
    async fn import_calls(&self, rows: Vec<CallRecord>, by: &Origin) -> Result<BatchOutcome, StoreError>;
    /// Sets what is known of a call's recording, and where its bytes are. Gives the key it had before, if another;
    /// none when the call doesn't exist.
    async fn set_recording(
        &self,
        id: CallId,
        recording: &Recording,
        key: Option<&RecordingKey>,
        by: &Origin,
    ) -> Result<Option<Option<RecordingKey>>, WriteError>;
    /// Where the bytes of a ready recording are.
    async fn recording_key(&self, id: CallId) -> Result<Option<(Recording, RecordingKey)>, StoreError>;
}

/// A key under which a submission may be repeated.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    /// The sender's key, 1 to 255 visible ASCII characters.
    pub key: String,
    /// SHA-256 over what was sent; another fingerprint under the same key is refused.
    pub fingerprint: [u8; 32],
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq)]
pub enum SubmitOutcome {
    /// It was carried out now.
    Done(SubmissionResponse),
    /// It was carried out before under the same idempotency key; this was the answer.
    Replayed(SubmissionResponse),
    /// Something else was sent before under the same idempotency key.
    KeyReused,
}

/// Submissions and transcriptions.
#[async_trait]
pub trait SpeechStore: Send + Sync {
    /// Decides on every call of the submission and queues those accepted, in one transaction that is on disk when this
    /// returns. With `dry_run` nothing is written, and the minutes are counted.
    ///
    /// A call is accepted again once its transcription has failed. Idempotency keys belong to the token.
    async fn submit(
        &self,
        submission: &Submission,
        token: TokenId,
        dry_run: bool,
        idempotency: Option<&IdempotencyKey>,
        by: &Origin,
    ) -> Result<SubmitOutcome, StoreError>;
    /// Forgets idempotency keys used before `before`; gives how many.
    async fn purge_idempotency_keys(&self, before: Timestamp) -> Result<u64, StoreError>;
    /// How many transcriptions are queued, and since when the oldest is.
    async fn queue_depth(&self) -> Result<(u64, Option<Timestamp>), StoreError>;
}

/// SHA-256 of a secret. Secrets are random and long, so a plain hash is enough; passwords use Argon2id.
pub type SecretHash = [u8; 32];

/// Staff, sessions, API keys and speech tokens.
#[async_trait]
pub trait AccessStore: Send + Sync {
    /// All staff, by e-mail.
    async fn users(&self) -> Result<Vec<User>, StoreError>;
    /// The member of staff with this e-mail (lower case), with the Argon2id hash in PHC form.
    async fn user_by_email(&self, email: &str) -> Result<Option<(User, String)>, StoreError>;
    /// Adds a member of staff; refused when the e-mail is taken.
    async fn create_user(&self, email: &str, hash: &str, role: Role, by: &Origin) -> Result<User, WriteError>;
    /// Changes role or password hash; a new password ends the user's sessions. None when there is no such user;
    /// refused when no admin would remain.
    async fn update_user(
        &self,
        id: UserId,
        role: Option<Role>,
        hash: Option<&str>,
        by: &Origin,
    ) -> Result<Option<User>, WriteError>;
    /// Removes a member of staff and their sessions; refused for the last admin. False when there is no such user.
    async fn delete_user(&self, id: UserId, by: &Origin) -> Result<bool, WriteError>;

    /// Opens a session and notes the log-in.
    async fn create_session(
        &self,
        user: UserId,
        session: SecretHash,
        csrf_token: &str,
        expires_at: Timestamp,
        by: &Origin,
    ) -> Result<(), WriteError>;
    /// The session with this hash that hasn't expired.
    async fn session(&self, session: SecretHash, now: Timestamp) -> Result<Option<SessionResponse>, StoreError>;
    /// Ends a session.
    async fn delete_session(&self, session: SecretHash) -> Result<(), StoreError>;
    /// Forgets sessions that ended before `before`; gives how many.
    async fn purge_sessions(&self, before: Timestamp) -> Result<u64, StoreError>;

    /// All API keys, newest first.
    async fn api_keys(&self) -> Result<Vec<ApiKey>, StoreError>;
    /// Stores a new API key.
    async fn create_api_key(
        &self,
        request: &NewApiKeyRequest,
        hash: SecretHash,
        prefix: &str,
        by: &Origin,
    ) -> Result<ApiKey, WriteError>;
    /// The API key with this hash, be it expired or revoked; notes its use, to the minute.
    async fn use_api_key(&self, hash: SecretHash, now: Timestamp) -> Result<Option<ApiKey>, StoreError>;
    /// Revokes an API key. None when there is no such key; revoking twice changes nothing.
    async fn revoke_api_key(&self, id: ApiKeyId, by: &Origin) -> Result<Option<ApiKey>, WriteError>;

    /// All speech tokens, newest first.
    async fn speech_tokens(&self) -> Result<Vec<SpeechToken>, StoreError>;
    /// Stores a new speech token.
    async fn create_speech_token(
        &self,
        name: &str,
        hash: SecretHash,
        prefix: &str,
        by: &Origin,
    ) -> Result<SpeechToken, WriteError>;
    /// The speech token with this hash, be it revoked; notes its use, to the minute.
    async fn use_speech_token(&self, hash: SecretHash, now: Timestamp) -> Result<Option<SpeechToken>, StoreError>;
    /// Changes the secret of a token; what it owns stays its own. None when there is no such token; refused when it is
    /// revoked.
    async fn rotate_speech_token(
        &self,
        id: TokenId,
        hash: SecretHash,
        prefix: &str,
        by: &Origin,
    ) -> Result<Option<SpeechToken>, WriteError>;
    /// Revokes a token. None when there is no such token; revoking twice changes nothing.
    async fn revoke_speech_token(&self, id: TokenId, by: &Origin) -> Result<Option<SpeechToken>, WriteError>;
}

/// Imports and the rows they refused.
#[async_trait]
pub trait ImportStore: Send + Sync {
    /// Notes the start of an import.
    async fn create_import(&self, kind: ImportKind, file_name: &str, by: &Origin) -> Result<Import, WriteError>;
    /// Notes how far an import is, and adds refused rows.
    async fn update_import(&self, import: &Import, rejected: &[RejectedRow], now: Timestamp) -> Result<(), StoreError>;
    /// Marks running imports as failed about which nothing was noted since `silent_since`; gives how many. One that goes
    /// on after all is running again with the next note.
    async fn fail_lost_imports(&self, error: &str, silent_since: Timestamp, now: Timestamp) -> Result<u64, StoreError>;
    /// A slice of the imports, newest first.
    async fn imports(&self, slice: Slice) -> Result<Page<Import>, StoreError>;
    /// One import.
    async fn import(&self, id: ImportId) -> Result<Option<Import>, StoreError>;
    /// A slice of the rows an import refused, by line.
    async fn rejected_rows(&self, id: ImportId, slice: Slice) -> Result<Page<RejectedRow>, StoreError>;
}

/// The audit log. Changes enter it in their own transaction, through their [`Origin`].
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// A slice of the log, newest first.
    async fn audit_log(&self, slice: Slice) -> Result<Page<AuditEntry>, StoreError>;
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
    + std::fmt::Debug
{
    /// Whether the store answers.
    async fn ping(&self) -> Result<(), StoreError>;
    /// Whether nothing was ever stored but what every installation starts with: no campaigns, leads, calls or users.
    async fn is_empty(&self) -> Result<bool, StoreError>;
    /// Keeps all leads in memory too, so that look-ups take about a millisecond, for as long as it is polled. Never ends.
    async fn keep_lead_index(&self);
    /// Calls `heard` when another process may have done something, where the store can tell. Nothing depends on it:
    /// whoever waits also looks now and then. Never ends.
    async fn listen(&self, heard: Arc<dyn Fn(Notice) + Send + Sync>);
}
