//! The response to a speech recognition submission. The request is in [`crate::submission`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CallId, SpeechRequestId, TranscriptionId, named_enum};

named_enum! {
    /// The side of a call to transcribe.
    RecordingSide {
        /// The caller: the left channel.
        Caller = "caller",
        /// The callee: the right channel.
        Callee = "callee",
        /// Both sides, each labeled.
        Both = "both",
    }
}

named_enum! {
    /// Reason why a call was skipped. If several apply, the first in this order.
    SkipReason {
        /// The call doesn't exist.
        NotFound = "not_found",
        /// The call was created outside `from` and `till`.
        OutOfRange = "out_of_range",
        /// The call has no recording.
        RecordingMissing = "recording_missing",
        /// The recording is still being prepared.
        RecordingPending = "recording_pending",
        /// The recording could not be prepared.
        RecordingFailed = "recording_failed",
        /// The recording is shorter than `min_duration`.
        TooShort = "too_short",
        /// The recording has one channel, so its sides can't be told apart.
        SideUnavailable = "side_unavailable",
        /// The call was submitted before.
        AlreadySent = "already_sent",
    }
}

impl SkipReason {
    /// Returns one sentence for users.
    pub const fn message(self) -> &'static str {
        match self {
            Self::NotFound => "There is no such call.",
            Self::OutOfRange => "The call was created outside the given range.",
            Self::RecordingMissing => "The call has no recording.",
            Self::RecordingPending => "The recording is still being prepared.",
            Self::RecordingFailed => "The recording could not be prepared.",
            Self::TooShort => "The recording is shorter than the minimum duration.",
            Self::SideUnavailable => "The recording has one channel, so one side can't be transcribed alone.",
            Self::AlreadySent => "The call was already sent.",
        }
    }
}

/// The outcome for one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum CallOutcome {
    /// The call will be transcribed.
    Accepted {
        /// Id of the transcription; null in a dry run, where nothing is queued.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transcription_id: Option<TranscriptionId>,
    },
    /// The call won't be transcribed.
    Skipped {
        /// Reason.
        reason: SkipReason,
        /// The reason in words.
        message: String,
    },
}

impl CallOutcome {
    /// Returns the outcome of a call skipped for `reason`, with its message.
    pub fn skipped(reason: SkipReason) -> Self {
        Self::Skipped { reason, message: reason.message().to_owned() }
    }
}

/// The outcomes of a submission, one per call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubmissionResults {
    /// Outcomes by call id.
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, CallOutcome>))]
    pub calls: BTreeMap<CallId, CallOutcome>,
}

/// The response to a submission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubmissionResponse {
    /// The outcomes.
    pub results: SubmissionResults,
    /// In a dry run: minutes of recording that would be transcribed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_minutes: Option<f64>,
    /// Identifies the deliveries to the callback, one per accepted call. Absent without `callback_url` and in a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speech_request_id: Option<SpeechRequestId>,
}
