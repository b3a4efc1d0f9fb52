//! Calls and their recordings.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{CallId, CampaignId, CampaignLeadId, LeadId, named_enum};

named_enum! {
    /// Who called whom.
    Direction {
        /// The lead called.
        Inbound = "inbound",
        /// The call centre called.
        Outbound = "outbound",
    }
}

impl Direction {
    /// Of what is known of the caller and of who was called, that which is about the lead.
    pub fn of_lead<T>(self, caller: T, callee: T) -> T {
        match self {
            Self::Inbound => caller,
            Self::Outbound => callee,
        }
    }
}

named_enum! {
    /// How a call ended.
    CallStatus {
        /// Somebody spoke.
        Answered = "answered",
        /// Nobody took it.
        NoAnswer = "no_answer",
        /// The line was busy.
        Busy = "busy",
        /// It could not be made.
        Failed = "failed",
    }
}

named_enum! {
    /// What is known of a call's recording.
    RecordingState {
        /// There is none, and none is expected.
        None = "none",
        /// It is still being prepared.
        Pending = "pending",
        /// It can be played and transcribed.
        Ready = "ready",
        /// It could not be prepared.
        Failed = "failed",
    }
}

/// The recording of a call. Of two channels the left is the caller, the right the callee.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Recording {
    /// Whether it can be used.
    pub state: RecordingState,
    /// Media type, such as `audio/wav`.
    pub media_type: Option<String>,
    /// 1 or 2.
    pub channels: Option<u16>,
    /// Samples a second.
    pub sample_rate: Option<u32>,
    /// Length in seconds.
    pub duration_seconds: Option<f64>,
    /// Size in bytes.
    pub bytes: Option<u64>,
}

named_enum! {
    /// How far the work on a transcription is.
    TranscriptionState {
        /// Waits for a worker.
        Queued = "queued",
        /// A worker is at it.
        Processing = "processing",
        /// The transcript is there.
        Completed = "completed",
        /// Given up after the permitted attempts.
        Failed = "failed",
        /// Given up because somebody said so.
        Cancelled = "cancelled",
    }
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Call {
    /// Its id.
    pub id: CallId,
    /// What another system knows it by, up to 200 characters; no other call has the same.
    #[serde(default)]
    pub original_identifier: Option<String>,
    /// The lead called or calling. A new call that doesn't name one is of the only lead that has the number at its other end.
    pub lead_id: Option<LeadId>,
    /// The campaign lead it was made for.
    pub campaign_lead_id: Option<CampaignLeadId>,
    /// The campaign it was made for.
    pub campaign_id: Option<CampaignId>,
    /// Name of the agent, up to 200 characters.
    pub agent: Option<String>,
    /// Who called whom.
    pub direction: Direction,
    /// The number that called, up to 50 characters.
    pub caller_number: Option<String>,
    /// The number that was called, up to 50 characters.
    pub callee_number: Option<String>,
    /// How it ended.
    pub status: CallStatus,
    /// When it began.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended; not before `started_at`.
    pub ended_at: Option<DateTime<Utc>>,
    /// When it was created; what `from` and `till` of a submission compare.
    pub created_at: DateTime<Utc>,
    /// Its recording.
    pub recording: Recording,
    /// The state of its latest transcription, if it was ever sent.
    pub transcription_state: Option<TranscriptionState>,
}
