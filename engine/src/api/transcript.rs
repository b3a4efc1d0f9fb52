//! Transcriptions (the work), transcripts (the text), and what is found in them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    CallId, CampaignId, DeliveryId, DeliveryState, LeadId, RecordingSide, TokenId, TranscriptionId, TranscriptionState,
    named_enum,
};
use crate::fault::CharRange;

/// The work on one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Transcription {
    /// Its id.
    pub id: TranscriptionId,
    /// The call.
    pub call_id: CallId,
    /// The token it was sent with, which owns it.
    pub token_id: TokenId,
    /// The languages of the submission, 1 to 3 BCP 47 codes.
    pub languages: Vec<String>,
    /// The side or sides that are transcribed.
    pub recording_side: RecordingSide,
    /// The shortest recording that the submission asked for, in seconds.
    pub min_duration: u32,
    /// How far it is.
    pub state: TranscriptionState,
    /// How often a worker began it.
    pub attempts: u32,
    /// Why it failed, or why its latest attempt did.
    pub error: Option<String>,
    /// When it was accepted.
    pub queued_at: DateTime<Utc>,
    /// When the latest attempt began.
    pub started_at: Option<DateTime<Utc>>,
    /// When it was completed or given up.
    pub finished_at: Option<DateTime<Utc>>,
}

/// `POST /api/transcriptions/cancel`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CancelTranscriptionsRequest {
    /// The calls, 1 to 1,000.
    pub call_ids: Vec<CallId>,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CancelledTranscriptions {
    /// The calls whose transcription was waiting or under way; it is cancelled now. In the order of their ids.
    pub cancelled: Vec<CallId>,
}

/// A word as it was heard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Word {
    /// The word, with the punctuation that follows it.
    pub word: String,
    /// When it begins, in seconds from the beginning of the recording.
    pub start: f64,
    /// When it ends, in seconds.
    pub end: f64,
    /// How sure the recogniser is: 0 to 1.
    pub confidence: f64,
}

/// A stretch of speech of one side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Segment {
    /// When it begins, in seconds from the beginning of the recording.
    pub start: f64,
    /// When it ends, in seconds.
    pub end: f64,
    /// Who speaks; `both` where the sides can't be told apart.
    pub side: RecordingSide,
    /// What is said.
    pub text: String,
    /// How sure the recogniser is: 0 to 1.
    pub confidence: f64,
    /// Its words, in order.
    pub words: Vec<Word>,
}

/// One side as it was transcribed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranscribedSide {
    /// The side; `both` for a recording of one channel, or of two equal ones.
    pub side: RecordingSide,
    /// The language it was recognised in, a BCP 47 code; none where nobody spoke.
    pub language: Option<String>,
    /// How sure the choice of the language is: 0 to 1. It is 1 where only one was permitted.
    pub language_confidence: Option<f64>,
    /// How long somebody spoke, in seconds.
    pub speech_seconds: f64,
}

named_enum! {
    /// Why a stretch of the recording has no text.
    DropReason {
        /// No voice was found in it: silence or noise.
        NoSpeech = "no_speech",
        /// The recogniser heard sounds in it, but no words.
        NoWords = "no_words",
    }
}

/// A stretch of a recording that was left out of the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Dropped {
    /// When it begins, in seconds from the beginning of the recording.
    pub start: f64,
    /// When it ends, in seconds.
    pub end: f64,
    /// The side.
    pub side: RecordingSide,
    /// Why.
    pub reason: DropReason,
}

/// What recognised the speech.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechEngine {
    /// Its name, such as `whisper.cpp`.
    pub name: String,
    /// Its model, such as `base`.
    pub model: String,
}

/// The text of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Transcript {
    /// The call.
    pub call_id: CallId,
    /// The work it came of.
    pub transcription_id: TranscriptionId,
    /// The language of most of the speech, a BCP 47 code; none where nobody spoke.
    pub language: Option<String>,
    /// Length of the recording, in seconds.
    pub duration: f64,
    /// What was said, by time.
    pub segments: Vec<Segment>,
    /// The sides, as they were transcribed.
    pub sides: Vec<TranscribedSide>,
    /// Stretches of a second or more that were left out, by time.
    pub dropped: Vec<Dropped>,
    /// How many numbers were taken out because they may be those of payment cards.
    pub redactions: u32,
    /// What recognised the speech.
    pub engine: SpeechEngine,
    /// When it was stored.
    pub created_at: DateTime<Utc>,
}

/// `GET /api/speech-recognition/{call_id}` before the transcript is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingTranscript {
    /// The call.
    pub call_id: CallId,
    /// The work.
    pub transcription_id: TranscriptionId,
    /// `queued` or `processing`.
    pub state: TranscriptionState,
    /// When it was accepted.
    pub queued_at: DateTime<Utc>,
}

/// Which transcripts are searched; of several conditions all must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams, utoipa::ToSchema), into_params(parameter_in = Query))]
#[serde(default, deny_unknown_fields)]
pub struct TranscriptSearch {
    /// These words are said one after the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "call me back"))]
    pub phrase: Option<String>,
    /// All of these are said somewhere: words, "phrases in quotes", and beginnings with a star (`deliver*`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "deliver* \"next week\""))]
    pub words: Option<String>,
    /// One of the sides speaks this language, a BCP 47 code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(example = "en"))]
    pub language: Option<String>,
    /// The call was created at this moment or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "2026-05-01T00:00:00Z"))]
    pub from: Option<DateTime<Utc>>,
    /// The call was created at this moment or before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "2026-05-31 23:59:59"))]
    pub till: Option<DateTime<Utc>>,
    /// The call was made for this campaign.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<i64>, minimum = 1))]
    pub campaign_id: Option<CampaignId>,
    /// The call was about this lead.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<i64>, minimum = 1))]
    pub lead_id: Option<LeadId>,
    /// The recording has so many seconds or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 0))]
    pub min_duration: Option<f64>,
    /// The recording has so many seconds or fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 0))]
    pub max_duration: Option<f64>,
}

/// A passage in which something was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Passage {
    /// When the first word that was found is said, in seconds from the beginning of the recording.
    pub start: f64,
    /// When the last one ends, in seconds.
    pub end: f64,
    /// Who says it.
    pub side: RecordingSide,
    /// The words around it.
    pub text: String,
    /// The characters of `text` that were found.
    pub matches: Vec<CharRange>,
}

/// A transcript that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranscriptHit {
    /// The call.
    pub call_id: CallId,
    /// The work it came of.
    pub transcription_id: TranscriptionId,
    /// The token that owns it.
    pub token_id: TokenId,
    /// The lead.
    pub lead_id: Option<LeadId>,
    /// The campaign.
    pub campaign_id: Option<CampaignId>,
    /// Name of the campaign.
    pub campaign_name: Option<String>,
    /// Name of the agent.
    pub agent: Option<String>,
    /// When the call was created.
    pub call_created_at: DateTime<Utc>,
    /// The language of most of the speech, a BCP 47 code; none where nobody spoke.
    pub language: Option<String>,
    /// Length of the recording, in seconds.
    pub duration: f64,
    /// Where it was found, by time, at most 5; the beginning of the text where no words were searched for.
    pub passages: Vec<Passage>,
    /// In how many places it was found.
    pub matches: u32,
}

/// Something that happened to what the panel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Change {
    /// A transcription has another state.
    Transcription {
        /// The call.
        call_id: CallId,
        /// The state of its latest transcription.
        state: TranscriptionState,
    },
    /// A delivery has another state, or was attempted.
    Delivery {
        /// The delivery.
        delivery_id: DeliveryId,
        /// Its state.
        state: DeliveryState,
    },
}

named_enum! {
    /// Whether recordings can be transcribed.
    RecognizerState {
        /// They are.
        Ready = "ready",
        /// Its model is being loaded.
        Loading = "loading",
        /// Something is missing; `detail` says what, and what brings it.
        Missing = "missing",
        /// Not by this process, which only serves the API; workers do it.
        Elsewhere = "elsewhere",
        /// Not at all: the operator has turned it off.
        Off = "off",
    }
}

/// `GET /api/speech-recognition/recognizer`: whether recordings can be transcribed, and what waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecognizerStatus {
    /// Whether they can.
    pub state: RecognizerState,
    /// With what.
    pub engine: Option<SpeechEngine>,
    /// What is missing, and the command that brings it.
    pub detail: Option<String>,
    /// How many transcriptions wait.
    pub queued: u64,
    /// Since when the oldest waits.
    pub oldest_queued_at: Option<DateTime<Utc>>,
}

/// The outline of a recording's loudness, for drawing it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Peaks {
    /// Length of the recording, in seconds.
    pub duration: f64,
    /// The loudest sample of each of so many equal stretches, 0 to 255, one list per channel.
    pub channels: Vec<Vec<u8>>,
}
