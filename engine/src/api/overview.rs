//! The overview that staff see first: daily activity, pending work, and the leads that can be called now.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::{CampaignId, NotCallableCode};

/// Activity of one day in a time zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DayActivity {
    /// The day.
    pub date: NaiveDate,
    /// Start of the day.
    pub start: DateTime<Utc>,
    /// Start of the next day.
    pub end: DateTime<Utc>,
    /// Calls of this day that were answered.
    pub answered: u64,
    /// Calls of this day that were not answered.
    pub unanswered: u64,
    /// Transcriptions that were completed.
    pub transcribed: u64,
    /// Transcriptions that failed permanently.
    pub failed: u64,
}

/// Number of calls by transcription state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranscriptionStates {
    /// Waiting.
    pub queued: u64,
    /// Running.
    pub processing: u64,
    /// Failed, and not submitted again since.
    pub failed: u64,
    /// Time at which the oldest waiting transcription was queued.
    pub oldest_queued_at: Option<DateTime<Utc>>,
}

/// Number of deliveries by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryStates {
    /// Waiting for the transcription of their call.
    pub waiting: u64,
    /// Waiting for their first or next attempt.
    pub queued: u64,
    /// Running.
    pub delivering: u64,
    /// Accepted by their endpoints.
    pub delivered: u64,
    /// Failed.
    pub failed: u64,
    /// Stopped, because the endpoint responded with 410.
    pub stopped: u64,
}

/// Daily activity and pending work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActivityOverview {
    /// Time of the overview.
    pub counted_at: DateTime<Utc>,
    /// Time zone of the days.
    pub timezone: String,
    /// The days, oldest first. The last one is today so far.
    pub days: Vec<DayActivity>,
    /// Transcriptions by state.
    pub transcriptions: TranscriptionStates,
    /// Deliveries by state.
    pub deliveries: DeliveryStates,
}

/// Number of leads of a campaign that can be called now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CampaignOverview {
    /// The campaign.
    pub campaign_id: CampaignId,
    /// Name of the campaign.
    pub name: String,
    /// Number of leads in the campaign; null if counting took too long.
    pub leads: Option<u64>,
    /// Number of leads that can be called now; null if counting took too long.
    pub callable: Option<u64>,
    /// Filter that finds these leads, as JSON text.
    #[cfg_attr(feature = "openapi", schema(example = r#"{"campaign_id":2,"callable":true}"#))]
    pub filter: String,
}

/// Number of leads that can't be called now for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReasonOverview {
    /// The reason.
    pub code: NotCallableCode,
    /// Number of leads with this reason, on the lead itself or in at least one campaign; null if counting took too long.
    pub leads: Option<u64>,
    /// Filter that finds these leads, as JSON text.
    #[cfg_attr(feature = "openapi", schema(example = r#"{"not_callable_reason":"frozen"}"#))]
    pub filter: String,
}

/// Leads that can be called now, and the reasons for the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallableOverview {
    /// Time of the overview.
    pub counted_at: DateTime<Utc>,
    /// Number of leads; null if counting took too long.
    pub leads: Option<u64>,
    /// Number of active campaigns.
    pub active_campaigns: u64,
    /// The active campaigns, newest first, at most 100.
    pub campaigns: Vec<CampaignOverview>,
    /// All reasons, in documented order.
    pub reasons: Vec<ReasonOverview>,
}
