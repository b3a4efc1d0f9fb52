//! Calls and their recordings.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{CallId, CampaignId, CampaignLeadId, LeadId, named_enum};

named_enum! {
    /// Direction of a call.
    Direction {
        /// The lead called.
        Inbound = "inbound",
        /// The call center called.
        Outbound = "outbound",
    }
}

impl Direction {
    /// Selects the lead's side: the caller of an inbound call, the callee of an outbound call.
    pub fn lead_side<T>(self, caller: T, callee: T) -> T {
        match self {
            Self::Inbound => caller,
            Self::Outbound => callee,
        }
    }
}

named_enum! {
    /// Outcome of a call.
    CallStatus {
        /// The call was answered.
        Answered = "answered",
        /// The call was not answered.
        NoAnswer = "no_answer",
        /// The line was busy.
        Busy = "busy",
        /// The call could not be made.
        Failed = "failed",
    }
}

named_enum! {
    /// State of a call's recording.
    RecordingState {
        /// The call has no recording, and none is expected.
        None = "none",
        /// The recording is being prepared.
        Pending = "pending",
        /// The recording can be played and transcribed.
        Ready = "ready",
        /// The recording could not be prepared.
        Failed = "failed",
    }
}

/// The recording of a call. With two channels, the left one is the caller and the right one the callee.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Recording {
    /// State of the recording.
    pub state: RecordingState,
    /// Media type, such as `audio/wav`.
    pub media_type: Option<String>,
    /// 1 or 2.
    pub channels: Option<u16>,
    /// Samples per second.
    pub sample_rate: Option<u32>,
    /// Length in seconds.
    pub duration_seconds: Option<f64>,
    /// Size in bytes.
    pub bytes: Option<u64>,
}

named_enum! {
    /// State of a transcription.
    TranscriptionState {
        /// Waiting for a worker.
        Queued = "queued",
        /// A worker is transcribing the call.
        Processing = "processing",
        /// The transcript is available.
        Completed = "completed",
        /// Failed after the maximum number of attempts.
        Failed = "failed",
        /// Cancelled on request.
        Cancelled = "cancelled",
    }
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Call {
    /// Id of the call.
    pub id: CallId,
    /// Unique identifier of the call in another system, up to 200 characters.
    #[serde(default)]
    pub original_identifier: Option<String>,
    /// The lead that called or was called. By default, the lead with the other party's phone number, if exactly one lead has it.
    pub lead_id: Option<LeadId>,
    /// The campaign lead that the call was made for.
    pub campaign_lead_id: Option<CampaignLeadId>,
    /// The campaign that the call was made for.
    pub campaign_id: Option<CampaignId>,
    /// Name of the agent, up to 200 characters.
    pub agent: Option<String>,
    /// Direction of the call.
    pub direction: Direction,
    /// Caller's number, up to 50 characters.
    pub caller_number: Option<String>,
    /// Callee's number, up to 50 characters.
    pub callee_number: Option<String>,
    /// Outcome of the call.
    pub status: CallStatus,
    /// Start of the call.
    pub started_at: Option<DateTime<Utc>>,
    /// End of the call, not before `started_at`.
    pub ended_at: Option<DateTime<Utc>>,
    /// Time of creation. `from` and `till` of a submission refer to it.
    pub created_at: DateTime<Utc>,
    /// Recording of the call.
    pub recording: Recording,
    /// State of the latest transcription; null if the call was never submitted.
    pub transcription_state: Option<TranscriptionState>,
}
