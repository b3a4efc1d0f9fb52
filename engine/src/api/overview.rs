//! What staff see first: what happened day by day, what waits, and which leads can be called now.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::{CampaignId, NotCallableCode};

/// What happened on one day, by the clock of a time zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DayActivity {
    /// The day.
    pub date: NaiveDate,
    /// When it began.
    pub from: DateTime<Utc>,
    /// When the next day begins.
    pub till: DateTime<Utc>,
    /// Calls of this day that were answered.
    pub answered: u64,
    /// Calls of this day that were not.
    pub unanswered: u64,
    /// Transcriptions that were completed.
    pub transcribed: u64,
    /// Transcriptions that failed for good.
    pub failed: u64,
}

/// How many calls are in which state of their transcription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TranscriptionStates {
    /// Waiting.
    pub queued: u64,
    /// Under way.
    pub processing: u64,
    /// Failed, and not sent again since.
    pub failed: u64,
    /// Since when the oldest of those waiting has waited.
    pub oldest_queued_at: Option<DateTime<Utc>>,
}

/// How many deliveries are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeliveryStates {
    /// Waiting.
    pub queued: u64,
    /// Under way.
    pub delivering: u64,
    /// Taken by their endpoints.
    pub delivered: u64,
    /// Given up.
    pub failed: u64,
    /// Stopped, because their endpoint was gone.
    pub stopped: u64,
}

/// What happened day by day, and what waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActivityOverview {
    /// As of when.
    pub at: DateTime<Utc>,
    /// The time zone whose days these are.
    pub timezone: String,
    /// The days, oldest first; the last is today, as far as it has gone.
    pub days: Vec<DayActivity>,
    /// Work on calls.
    pub transcriptions: TranscriptionStates,
    /// Transcripts on their way to callbacks.
    pub deliveries: DeliveryStates,
}

/// How many leads of a campaign can be called now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CampaignCallable {
    /// The campaign.
    pub campaign_id: CampaignId,
    /// Its name.
    pub name: String,
    /// How many leads are in it; null where counting took too long.
    pub leads: Option<u64>,
    /// How many of them can be called now; null where counting took too long.
    pub callable: Option<u64>,
    /// The filter that finds these, as JSON text.
    #[cfg_attr(feature = "openapi", schema(example = r#"{"campaign_id":2,"callable":true}"#))]
    pub filter: String,
}

/// How many leads have a reason why they can't be called now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadsWithReason {
    /// The reason.
    pub code: NotCallableCode,
    /// How many leads have it, in themselves or in one campaign at least; null where counting took too long.
    pub leads: Option<u64>,
    /// The filter that finds them, as JSON text.
    #[cfg_attr(feature = "openapi", schema(example = r#"{"not_callable_reason":"frozen"}"#))]
    pub filter: String,
}

/// Which leads can be called now, and why the others can't.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallableOverview {
    /// As of when.
    pub at: DateTime<Utc>,
    /// How many leads there are; null where counting took too long.
    pub leads: Option<u64>,
    /// How many campaigns are active.
    pub active_campaigns: u64,
    /// The active campaigns, the newest first, up to a hundred.
    pub campaigns: Vec<CampaignCallable>,
    /// Every reason there is, in the documented order.
    pub reasons: Vec<LeadsWithReason>,
}
