//! Transcriptions (the jobs), transcripts (the text), and transcript search.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    CallId, CampaignId, DeliveryId, DeliveryState, LeadId, RecordingSide, TokenId, TranscriptionId, TranscriptionState,
    named_enum,
};
use crate::diagnostic::{CharRange, Message};

/// The transcription job of one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Transcription {
    /// Id of the transcription.
    pub id: TranscriptionId,
    /// The call.
    pub call_id: CallId,
    /// The token that submitted the call. It owns the transcription.
    pub token_id: TokenId,
    /// The languages of the submission, 1 to 3 BCP 47 codes.
    pub languages: Vec<String>,
    /// The side or sides to transcribe.
    pub recording_side: RecordingSide,
    /// Minimum length of the recording set by the submission, in seconds.
    pub min_duration: u32,
    /// State of the transcription.
    pub state: TranscriptionState,
    /// Number of times a worker started it.
    pub attempts: u32,
    /// Error of the transcription or of its latest attempt.
    pub error: Option<Message>,
    /// Time at which the submission was accepted.
    pub queued_at: DateTime<Utc>,
    /// Start of the latest attempt.
    pub started_at: Option<DateTime<Utc>>,
    /// Time at which the transcription was completed, failed or was cancelled.
    pub finished_at: Option<DateTime<Utc>>,
}

/// `POST /api/transcriptions/cancel`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CancelTranscriptionsRequest {
    /// IDs of the calls, 1 to 1,000.
    pub call_ids: Vec<CallId>,
}

/// Result of a cancellation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CancelledTranscriptions {
    /// Calls whose transcription was waiting or running and is now cancelled, ordered by id.
    pub cancelled: Vec<CallId>,
}

/// A recognized word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Word {
    /// The word with its trailing punctuation.
    pub word: String,
    /// Start, in seconds from the beginning of the recording.
    pub start: f64,
    /// End, in seconds.
    pub end: f64,
    /// Confidence of the recognizer, 0 to 1.
    pub confidence: f64,
}

/// A continuous section of speech on one side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Segment {
    /// Start, in seconds from the beginning of the recording.
    pub start: f64,
    /// End, in seconds.
    pub end: f64,
    /// Speaker; `both` if the sides can't be told apart.
    pub side: RecordingSide,
    /// The spoken text.
    pub text: String,
    /// Confidence of the recognizer, 0 to 1.
    pub confidence: f64,
    /// Words of the segment, in order.
    pub words: Vec<Word>,
}

/// One transcribed side of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranscribedSide {
    /// The side; `both` for a recording with one channel or two identical ones.
    pub side: RecordingSide,
    /// The recognized language, a BCP 47 code; null without speech.
    pub language: Option<String>,
    /// Confidence of the language detection, 0 to 1. It is 1 if only one language was permitted.
    pub language_confidence: Option<f64>,
    /// Total length of the speech, in seconds.
    pub speech_seconds: f64,
}

named_enum! {
    /// Reason why a section of the recording has no text.
    DropReason {
        /// No speech was detected: silence or noise.
        NoSpeech = "no_speech",
        /// Sounds were detected, but no words.
        NoWords = "no_words",
    }
}

/// A section of a recording without text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DroppedSpan {
    /// Start, in seconds from the beginning of the recording.
    pub start: f64,
    /// End, in seconds.
    pub end: f64,
    /// The side.
    pub side: RecordingSide,
    /// Reason.
    pub reason: DropReason,
}

/// The speech recognizer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeechEngine {
    /// Name of the recognizer, such as `whisper.cpp`.
    pub name: String,
    /// Model, such as `base`.
    pub model: String,
}

/// The transcript of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Transcript {
    /// The call.
    pub call_id: CallId,
    /// The transcription that produced it.
    pub transcription_id: TranscriptionId,
    /// Main language of the speech, a BCP 47 code; null without speech.
    pub language: Option<String>,
    /// Length of the recording, in seconds.
    pub duration: f64,
    /// The spoken text, ordered by time.
    pub segments: Vec<Segment>,
    /// The transcribed sides.
    pub sides: Vec<TranscribedSide>,
    /// Sections of at least one second without text, ordered by time.
    pub dropped: Vec<DroppedSpan>,
    /// Number of digit sequences that were removed because they could be payment card numbers.
    pub redactions: u32,
    /// The speech recognizer.
    pub engine: SpeechEngine,
    /// Time at which the transcript was stored.
    pub created_at: DateTime<Utc>,
}

/// Response of `GET /api/speech-recognition/{call_id}` while the transcript isn't ready.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingTranscript {
    /// The call.
    pub call_id: CallId,
    /// The transcription.
    pub transcription_id: TranscriptionId,
    /// `queued` or `processing`.
    pub state: TranscriptionState,
    /// Time at which the submission was accepted.
    pub queued_at: DateTime<Utc>,
}

/// Defines a type with the conditions of a transcript search, followed by its own members.
macro_rules! transcript_search {
    ($(#[$attribute:meta])* $name:ident { $($members:tt)* }) => {
        $(#[$attribute])*
        #[cfg_attr(
            feature = "openapi",
            derive(utoipa::IntoParams, utoipa::ToSchema),
            into_params(parameter_in = Query)
        )]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The words occur one after the other.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[cfg_attr(feature = "openapi", param(example = "call me back"))]
            pub phrase: Option<String>,
            /// All of these occur: words, "quoted phrases", and prefixes with a star (`deliver*`).
            #[serde(skip_serializing_if = "Option::is_none")]
            #[cfg_attr(feature = "openapi", param(example = "deliver* \"next week\""))]
            pub search: Option<String>,
            /// One of the sides is in this language, a BCP 47 code.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[cfg_attr(feature = "openapi", param(example = "en"))]
            pub language: Option<String>,
            /// The call was created at or after this time.
            #[serde(
                default,
                deserialize_with = "crate::time::deserialize_optional",
                skip_serializing_if = "Option::is_none"
            )]
            #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "2026-05-01T00:00:00Z"))]
            pub from: Option<DateTime<Utc>>,
            /// The call was created at or before this time.
            #[serde(
                default,
                deserialize_with = "crate::time::deserialize_optional",
                skip_serializing_if = "Option::is_none"
            )]
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
            /// The recording has at least this many seconds.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[cfg_attr(feature = "openapi", param(minimum = 0))]
            pub min_duration: Option<f64>,
            /// The recording has at most this many seconds.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[cfg_attr(feature = "openapi", param(minimum = 0))]
            pub max_duration: Option<f64>,
            $($members)*
        }
    };
}
pub(super) use transcript_search;

transcript_search! {
    /// Search conditions for transcripts. All of them must match.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    TranscriptSearch {}
}

/// A passage with matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Passage {
    /// Start of the first match, in seconds from the beginning of the recording.
    pub start: f64,
    /// End of the last match, in seconds.
    pub end: f64,
    /// Speaker.
    pub side: RecordingSide,
    /// The matches with the words around them.
    pub text: String,
    /// Character ranges of the matches in `text`.
    pub matches: Vec<CharRange>,
}

/// A transcript that matches a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranscriptHit {
    /// The call.
    pub call_id: CallId,
    /// The transcription that produced it.
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
    /// Time at which the call was created.
    pub call_created_at: DateTime<Utc>,
    /// Main language of the speech, a BCP 47 code; null without speech.
    pub language: Option<String>,
    /// Length of the recording, in seconds.
    pub duration: f64,
    /// Up to 5 passages with matches, ordered by time. The beginning of the text if the search has no words.
    pub passages: Vec<Passage>,
    /// Number of matches.
    pub matches: u32,
}

/// A change of data that the panel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChangeEvent {
    /// The state of a transcription changed.
    Transcription {
        /// The call.
        call_id: CallId,
        /// The state of its latest transcription.
        state: TranscriptionState,
    },
    /// The state of a delivery changed, or it was attempted.
    Delivery {
        /// The delivery.
        delivery_id: DeliveryId,
        /// State of the delivery.
        state: DeliveryState,
    },
}

named_enum! {
    /// State of the speech recognizer.
    RecognizerState {
        /// Recordings can be transcribed.
        Ready = "ready",
        /// The model is being loaded.
        Loading = "loading",
        /// A component is missing; `error` names it and `command` installs it.
        Missing = "missing",
        /// This process only serves the API; separate workers transcribe.
        OtherProcess = "other_process",
        /// Speech recognition is disabled by the operator.
        Off = "off",
    }
}

/// `GET /api/speech-recognition/recognizer`: state of the recognizer and its queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RecognizerStatus {
    /// State of the recognizer.
    pub state: RecognizerState,
    /// The recognizer in use.
    pub engine: Option<SpeechEngine>,
    /// The missing component.
    pub error: Option<Message>,
    /// Command that installs the missing component.
    pub command: Option<String>,
    /// Number of queued transcriptions.
    pub queued: u64,
    /// Time at which the oldest of them was queued.
    pub oldest_queued_at: Option<DateTime<Utc>>,
}

/// Loudness of a recording over time, for drawing a waveform.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Peaks {
    /// Length of the recording, in seconds.
    pub duration: f64,
    /// One list per channel: the peaks of equally long sections, 0 to 255.
    pub channels: Vec<Vec<u8>>,
}
