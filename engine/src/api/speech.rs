//! The answer to a speech recognition submission. The request is in [`crate::submission`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CallId, TranscriptionId, named_enum};

named_enum! {
    /// Which side of a call is transcribed.
    RecordingSide {
        /// Who called: the left channel.
        Caller = "caller",
        /// Who was called: the right channel.
        Callee = "callee",
        /// Both, each with its side.
        Both = "both",
    }
}

named_enum! {
    /// Why a call was not sent. The first that applies, in this order.
    SkipReason {
        /// There is no such call.
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
        /// The call was sent before.
        AlreadySent = "already_sent",
    }
}

impl SkipReason {
    /// One sentence for people.
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
    /// It will be transcribed.
    Accepted {
        /// The work; none in a dry run, where nothing is queued.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transcription_id: Option<TranscriptionId>,
    },
    /// It will not.
    Skipped {
        /// Why.
        reason: SkipReason,
        /// Why, for people.
        message: String,
    },
}

impl CallOutcome {
    /// Skipped for `reason`, with its message.
    pub fn skipped(reason: SkipReason) -> Self {
        Self::Skipped { reason, message: reason.message().to_owned() }
    }
}

/// The outcomes of a submission, one per call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubmissionResults {
    /// By call id.
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, CallOutcome>))]
    pub calls: BTreeMap<CallId, CallOutcome>,
}

/// The answer to a submission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubmissionResponse {
    /// The outcomes.
    pub results: SubmissionResults,
    /// In a dry run: the minutes of recording that would be transcribed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_minutes: Option<f64>,
}
