//! Store interface for calls and their recordings.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::CallRecord;

use super::{AuditContext, BatchOutcome, Result, Slice, WriteError};

/// Filter and order of a list of calls. All given conditions must hold.
#[derive(Clone, Debug, Default)]
pub struct CallQuery {
    /// These ids; empty for any.
    pub ids: Vec<CallId>,
    /// Identifier in another system.
    pub original_identifier: Option<String>,
    /// Lead of the call.
    pub lead_id: Option<LeadId>,
    /// Campaign of the call.
    pub campaign_id: Option<CampaignId>,
    /// Direction of the call.
    pub direction: Option<Direction>,
    /// Final status of the call.
    pub status: Option<CallStatus>,
    /// State of the recording.
    pub recording: Option<RecordingState>,
    /// State of the latest transcription; `Some(None)` for calls that were never submitted.
    pub transcription: Option<Option<TranscriptionState>>,
    /// Created at this time or later.
    pub from: Option<Timestamp>,
    /// Created at this time or earlier.
    pub till: Option<Timestamp>,
    /// A transcription of the call completed or failed at this time or later.
    pub transcription_from: Option<Timestamp>,
    /// A transcription of the call completed or failed at this time or earlier.
    pub transcription_till: Option<Timestamp>,
    /// Text in the agent's name, a number, or the lead's first and last name; ASCII letters match in either case.
    pub search: Option<String>,
    /// Order of the list.
    pub order: Order<CallOrder>,
}

/// Location of a recording's bytes, relative to the recording store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordingKey(pub String);

/// Calls and the metadata of their recordings.
#[async_trait]
pub trait CallStore: Send + Sync {
    /// Slice of the calls that match the query.
    async fn calls(&self, query: &CallQuery, slice: Slice) -> Result<Page<Call>>;
    /// A single call.
    async fn call(&self, id: CallId) -> Result<Option<Call>>;
    /// Stores a new call, with the record's id or an assigned one.
    async fn create_call(&self, record: CallRecord, audit: &AuditContext) -> Result<Call, WriteError>;
    /// Changes a call; `None` if it doesn't exist.
    async fn update_call(
        &self,
        id: CallId,
        record: CallRecord,
        audit: &AuditContext,
    ) -> Result<Option<Call>, WriteError>;
    /// Inserts or updates calls by `id`, or by `original_identifier` if a row has no id, in one transaction.
    async fn import_calls(&self, rows: Vec<CallRecord>, audit: &AuditContext) -> Result<BatchOutcome>;
    /// Sets the metadata of a call's recording and the key of its bytes. Returns the previous key, if it is another one. `None` if the call
    /// doesn't exist.
    async fn set_recording(
        &self,
        id: CallId,
        recording: &Recording,
        key: Option<&RecordingKey>,
        audit: &AuditContext,
    ) -> Result<Option<Option<RecordingKey>>, WriteError>;
    /// Reason for which [`CallStore::set_recording`] would refuse another recording of a call. `None` if it wouldn't, or if the call
    /// doesn't exist.
    async fn recording_replacement_refusal(&self, id: CallId) -> Result<Option<Diagnostic>>;
    /// Metadata and key of a ready recording.
    async fn recording_key(&self, id: CallId) -> Result<Option<(Recording, RecordingKey)>>;
    /// Keys of these calls' recordings, whatever their state. Calls without a key are omitted.
    async fn recording_keys(&self, ids: &BTreeSet<CallId>) -> Result<BTreeMap<CallId, RecordingKey>>;
}
