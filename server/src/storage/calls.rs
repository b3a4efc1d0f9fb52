//! What is asked of a store about calls and their recordings.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::fault::Fault;
use leadscribe_engine::record::CallRecord;

use super::{BatchOutcome, Origin, Slice, StoreError, WriteError};

/// Which calls a list is about; of several conditions all must hold.
#[derive(Clone, Debug, Default)]
pub struct CallQuery {
    /// Of these ids; empty means of any.
    pub ids: Vec<CallId>,
    /// Which another system knows by this.
    pub original_identifier: Option<String>,
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
    /// One of whose transcriptions ended at this moment or later, in a transcript or in a failure.
    pub transcription_from: Option<Timestamp>,
    /// One of whose transcriptions ended at this moment or before.
    pub transcription_till: Option<Timestamp>,
    /// Agent's name, a number, or the lead's first and last name contain this (A to Z without case).
    pub search: Option<String>,
    /// In which order.
    pub order: Order<CallOrder>,
}

/// Where the bytes of a recording are, relative to the recording store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordingKey(pub String);

/// Calls and what is known of their recordings.
#[async_trait]
pub trait CallStore: Send + Sync {
    /// A slice of the calls that meet the query.
    async fn calls(&self, query: &CallQuery, slice: Slice) -> Result<Page<Call>, StoreError>;
    /// One call.
    async fn call(&self, id: CallId) -> Result<Option<Call>, StoreError>;
    /// Stores a new call; its id is taken from the record or given.
    async fn create_call(&self, record: CallRecord, by: &Origin) -> Result<Call, WriteError>;
    /// Changes a call; none when it doesn't exist.
    async fn update_call(&self, id: CallId, record: CallRecord, by: &Origin) -> Result<Option<Call>, WriteError>;
    /// Inserts or updates calls by `id`, or without one by `original_identifier`, in one transaction.
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
    /// Why [`CallStore::set_recording`] would refuse another recording of a call; none when it would not, or there is no such call.
    async fn recording_in_use(&self, id: CallId) -> Result<Option<Fault>, StoreError>;
    /// Where the bytes of a ready recording are.
    async fn recording_key(&self, id: CallId) -> Result<Option<(Recording, RecordingKey)>, StoreError>;
    /// Where the bytes of these calls' recordings are, whatever state the recordings are in; calls without any aren't there.
    async fn named_recordings(&self, ids: &BTreeSet<CallId>) -> Result<BTreeMap<CallId, RecordingKey>, StoreError>;
}
