//! What workers and readers of transcripts ask of a store.

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::words::Search;

use super::{Origin, RecordingKey, Slice, StoreError};

/// The right to work on an entry of a queue, until its lease ends.
///
/// `fence` rises with every claim of the entry. A write by a claim whose fence isn't the latest is refused, so that a
/// worker that stalled can't undo what its successor did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim<Id> {
    /// The entry.
    pub id: Id,
    /// Which claim of it this is.
    pub fence: i64,
}

/// What came of a write by a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a lost claim means that the work was given to another worker"]
pub enum ByClaim {
    /// It is written.
    Done,
    /// The claim was lost: nothing is written.
    Lost,
}

/// A transcription that a worker has claimed, with all it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimedTranscription {
    /// The claim.
    pub claim: Claim<TranscriptionId>,
    /// The work; `attempts` counts this one.
    pub transcription: Transcription,
    /// Where the recording is; none when it is there no more.
    pub recording: Option<(Recording, RecordingKey)>,
}

/// What a worker gives back: a transcript without what the store knows itself.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTranscript {
    /// The language of most of the speech.
    pub language: Option<String>,
    /// Length of the recording, in seconds.
    pub duration: f64,
    /// What was said, by time.
    pub segments: Vec<Segment>,
    /// The sides.
    pub sides: Vec<TranscribedSide>,
    /// What was left out.
    pub dropped: Vec<Dropped>,
    /// How many numbers were taken out.
    pub redactions: u32,
    /// What recognised the speech.
    pub engine: SpeechEngine,
}

/// Which transcripts a search is about; of several conditions all must hold.
#[derive(Clone, Debug, Default)]
pub struct TranscriptQuery {
    /// Words and phrases, all of which are said.
    pub search: Option<Search>,
    /// Owned by this token.
    pub token_id: Option<TokenId>,
    /// One of the sides speaks this language, or a variety of it: `en` stands for `en-GB` too.
    pub language: Option<String>,
    /// The call was created at this moment or later.
    pub from: Option<Timestamp>,
    /// The call was created at this moment or before.
    pub till: Option<Timestamp>,
    /// The call was made for this campaign.
    pub campaign_id: Option<CampaignId>,
    /// The call was about this lead.
    pub lead_id: Option<LeadId>,
    /// The recording has so many seconds or more.
    pub min_duration: Option<f64>,
    /// The recording has so many seconds or fewer.
    pub max_duration: Option<f64>,
    /// In which order.
    pub order: Order<TranscriptOrder>,
}

/// The queue of transcriptions, and the transcripts that came of it.
#[async_trait]
pub trait TranscriptStore: Send + Sync {
    /// Claims a transcription whose worker's lease has ended, or else the one that is due and has waited longest.
    /// The lease ends `lease` after `now`. None when there is nothing to do.
    async fn claim_transcription(
        &self,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<ClaimedTranscription>, StoreError>;
    /// Moves the end of the lease to `until`.
    async fn extend_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        until: Timestamp,
    ) -> Result<ByClaim, StoreError>;
    /// Stores the transcript and completes the transcription, in one transaction.
    async fn complete_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        transcript: &NewTranscript,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError>;
    /// Puts the transcription back into the queue, due at `due`, and notes why.
    async fn retry_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        error: &str,
        due: Timestamp,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError>;
    /// Gives the transcription up; its call can be sent again.
    async fn fail_transcription(
        &self,
        claim: Claim<TranscriptionId>,
        error: &str,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError>;
    /// Gives an unfinished transcription back at once, as if it had not been begun: for a worker that stops.
    async fn release_transcription(&self, claim: Claim<TranscriptionId>, now: Timestamp)
    -> Result<ByClaim, StoreError>;

    /// All transcriptions of a call, the latest first.
    async fn transcriptions(&self, call: CallId) -> Result<Vec<Transcription>, StoreError>;
    /// The latest transcription of a call where it is this token's. Of another's nothing is read, so that to find it takes no longer
    /// than to find none.
    async fn own_transcription(&self, call: CallId, token: TokenId) -> Result<Option<Transcription>, StoreError>;
    /// The transcript of a call, whoever owns it; none before it is there, or when it was purged.
    async fn transcript(&self, call: CallId) -> Result<Option<Transcript>, StoreError>;
    /// The transcripts that meet the query, by the call's created_at and id, newest first, with what was found in them.
    async fn search_transcripts(
        &self,
        query: &TranscriptQuery,
        slice: Slice,
    ) -> Result<Page<TranscriptHit>, StoreError>;

    /// What changed at `since` or later, oldest first, each change with its moment: 1,000 changes and those of the same
    /// moment as the last of them.
    async fn changes(&self, since: Timestamp) -> Result<Vec<(Timestamp, Change)>, StoreError>;

    /// Forgets transcripts stored before `before`; gives how many. Their transcriptions stay completed.
    async fn purge_transcripts(&self, before: Timestamp, by: &Origin) -> Result<u64, StoreError>;
    /// Ready recordings of calls created before `before` that no open transcription needs, at most 1,000.
    async fn old_recordings(&self, before: Timestamp) -> Result<Vec<(CallId, RecordingKey)>, StoreError>;
    /// Forgets a recording: its state becomes `none`. Gives false when it isn't there under this key any more, or an
    /// open transcription needs it.
    async fn forget_recording(&self, call: CallId, key: &RecordingKey, by: &Origin) -> Result<bool, StoreError>;
}
