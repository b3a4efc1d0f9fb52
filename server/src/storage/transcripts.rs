//! Store interface for workers and for readers of transcripts.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::Message;
use leadscribe_engine::transcript_search::Search;

use super::{AuditContext, RecordingKey, Result, Slice};
use crate::transcript::NewTranscript;

/// A claim on a queue entry, valid until its lease ends.
///
/// The fencing token increases with every claim of the entry. A write with an outdated token is refused, so that a stalled worker can't
/// overwrite the result of its successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim<Id> {
    /// Id of the entry.
    pub id: Id,
    /// Fencing token of the claim.
    pub fencing_token: i64,
}

/// Result of a write under a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a lost claim means that the work was given to another worker"]
pub enum FencedWrite {
    /// The write was done.
    Done,
    /// The claim was lost; nothing was written.
    ClaimLost,
}

/// A transcription claimed by a worker, with all data it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimedTranscription {
    /// Claim on the transcription.
    pub claim: Claim<TranscriptionId>,
    /// The transcription; `attempts` includes this attempt.
    pub transcription: Transcription,
    /// Metadata and key of the recording; `None` if it no longer exists.
    pub recording: Option<(Recording, RecordingKey)>,
}

/// Filter and order of a transcript search. All given conditions must hold.
#[derive(Clone, Debug, Default)]
pub struct TranscriptQuery {
    /// Words and phrases, all of which must occur.
    pub search: Option<Search>,
    /// Token that owns the transcript.
    pub token_id: Option<TokenId>,
    /// Language of one of the sides, including regional variants: `en` matches `en-GB` too.
    pub language: Option<String>,
    /// The call was created at this time or later.
    pub from: Option<Timestamp>,
    /// The call was created at this time or earlier.
    pub till: Option<Timestamp>,
    /// Campaign of the call.
    pub campaign_id: Option<CampaignId>,
    /// Lead of the call.
    pub lead_id: Option<LeadId>,
    /// Minimum length of the recording, in seconds.
    pub min_duration: Option<f64>,
    /// Maximum length of the recording, in seconds.
    pub max_duration: Option<f64>,
    /// Order of the list.
    pub order: Order<TranscriptOrder>,
}

/// The transcription queue and its transcripts.
#[async_trait]
pub trait TranscriptStore: Send + Sync {
    /// Claims a transcription whose lease has expired, or else the due one that has waited longest. The lease ends `lease` after `now`.
    /// `None` if there is nothing to do.
    async fn claim_transcription(&self, lease: TimeDelta, now: Timestamp) -> Result<Option<ClaimedTranscription>>;
    /// Extends the lease to `until`.
    async fn extend_transcription(&self, claim: Claim<TranscriptionId>, until: Timestamp) -> Result<FencedWrite>;
    /// Stores the transcript, completes the transcription, and queues the delivery that waited for it, in one transaction.
    async fn complete_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        transcript: &NewTranscript,
        now: Timestamp,
    ) -> Result<FencedWrite>;
    /// Requeues the transcription, due at `due`, and stores the reason.
    async fn retry_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        error: &Message,
        due: Timestamp,
        now: Timestamp,
    ) -> Result<FencedWrite>;
    /// Marks the transcription as failed, and queues the delivery that waited for it. Its call can be submitted again.
    async fn fail_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        error: &Message,
        now: Timestamp,
    ) -> Result<FencedWrite>;
    /// Requeues an unfinished transcription as if it had not been started. Used by a worker that stops.
    async fn release_transcription(&self, claim: Claim<TranscriptionId>, now: Timestamp) -> Result<FencedWrite>;

    /// All transcriptions of a call, the latest first.
    async fn transcriptions(&self, call: CallId) -> Result<Vec<Transcription>>;
    /// Latest transcription of a call if it belongs to this token. Reads nothing of other tokens' transcriptions, so that the response time
    /// doesn't reveal whether there is one.
    async fn token_transcription(&self, call: CallId, token: TokenId) -> Result<Option<Transcription>>;
    /// Transcript of a call, for any token; `None` if there is none yet or it was purged.
    async fn transcript(&self, call: CallId) -> Result<Option<Transcript>>;
    /// Transcripts that match the query, in its order, with the passages found.
    async fn search_transcripts(&self, query: &TranscriptQuery, slice: Slice) -> Result<Page<TranscriptHit>>;

    /// Changes at `since` or later, oldest first, each with its timestamp: 1,000 changes, plus any with the same timestamp as the last one.
    async fn changes_since(&self, since: Timestamp) -> Result<Vec<(Timestamp, ChangeEvent)>>;

    /// Deletes transcripts stored before `before`. Returns their number. Their transcriptions stay completed.
    async fn purge_transcripts(&self, before: Timestamp, audit: &AuditContext) -> Result<u64>;
    /// Ready recordings of calls created before `before` that no open transcription needs, at most 1,000.
    async fn old_recordings(&self, before: Timestamp) -> Result<Vec<(CallId, RecordingKey)>>;
    /// Deletes the reference to a recording: its state becomes `none`. False if the call no longer has this key or an open transcription
    /// needs the recording.
    async fn remove_recording(&self, call: CallId, key: &RecordingKey, audit: &AuditContext) -> Result<bool>;
}
