//! Leads in campaigns: their status, what was tried, and why one can't be called now.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{CampaignId, CampaignLeadId, Lead, LeadId, UserId, named_enum};

/// A status of campaign leads, as staff keep them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadStatus {
    /// Its name: 1 to 50 of the characters `a` to `z`, `0` to `9` and `_`.
    pub name: String,
    /// What staff read, 1 to 100 characters.
    pub label: String,
    /// Whether a lead in this status may be called.
    pub dialable: bool,
}

/// `PUT /api/statuses/{name}`: add a status, or change the one of this name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StatusRequest {
    /// What staff read, 1 to 100 characters.
    pub label: String,
    /// Whether a lead in this status may be called.
    pub dialable: bool,
}

/// `PUT /api/statuses`: the order in which staff see the statuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StatusOrderRequest {
    /// The name of each status, once.
    pub names: Vec<String>,
}

/// The statuses every installation starts with: name, label, dialable.
pub const INITIAL_STATUSES: &[(&str, &str, bool)] = &[
    ("new", "New", true),
    ("dialing", "Dialing", true),
    ("answered", "Answered", true),
    ("no_answer", "No answer", true),
    ("busy", "Busy", true),
    ("callback", "Callback", true),
    ("converted", "Converted", false),
    ("refused", "Refused", false),
    ("not_interested", "Not interested", false),
    ("wrong_number", "Wrong number", false),
    ("invalid", "Invalid", false),
    ("dnc", "Do not call", false),
    ("closed", "Closed", false),
];

/// A lead in a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(missing_docs, reason = "the fields are described once, in the field table of the filter language")]
pub struct CampaignLead {
    pub id: CampaignLeadId,
    pub lead_id: LeadId,
    pub campaign_id: CampaignId,
    pub status: String,
    pub weight: i64,
    pub calls_count: u32,
    /// Calls on the UTC day of `last_call_at`; the count of an earlier day reads as 0.
    pub calls_today: u32,
    pub last_call_at: Option<DateTime<Utc>>,
    pub last_call_status: Option<String>,
    pub freeze_until: Option<DateTime<Utc>>,
    pub callback_at: Option<DateTime<Utc>>,
    pub assigned_user_id: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

named_enum! {
    /// Why a lead can't be called now.
    NotCallableCode {
        /// The campaign is switched off.
        CampaignInactive = "campaign_inactive",
        /// The lead is in no campaign.
        NotInCampaign = "not_in_campaign",
        /// Frozen after an attempt, or by staff.
        Frozen = "frozen",
        /// A callback is agreed for later.
        CallbackScheduled = "callback_scheduled",
        /// Outside the campaign's calling hours, by the lead's clock.
        OutsideCallingHours = "outside_calling_hours",
        /// The campaign has calling hours, and the lead's time zone isn't known.
        TimezoneUnknown = "timezone_unknown",
        /// The lead asked not to be called.
        DoNotCall = "do_not_call",
        /// The lead is blacklisted.
        Blacklisted = "blacklisted",
        /// The campaign's limit of calls is reached.
        AttemptLimit = "attempt_limit",
        /// The campaign's limit of calls a day is reached.
        DailyLimit = "daily_limit",
        /// The status takes no calls.
        StatusNotDialable = "status_not_dialable",
        /// The lead has no phone number.
        NoPhone = "no_phone",
        /// The lead has phone numbers, none of them valid.
        InvalidPhone = "invalid_phone",
    }
}

/// One reason why a lead can't be called now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotCallableReason {
    /// Which reason.
    pub code: NotCallableCode,
    /// When time alone cures it, the moment of the cure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
    /// The rule behind it, for people.
    pub detail: String,
}

/// A campaign lead as the extended lookup answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[expect(missing_docs, reason = "the fields are described once, in the field table of the filter language")]
pub struct CampaignDetails {
    pub campaign_lead_id: CampaignLeadId,
    pub campaign_id: CampaignId,
    pub campaign_name: String,
    pub status: String,
    pub weight: i64,
    pub calls_count: u32,
    pub calls_today: u32,
    pub last_call_at: Option<DateTime<Utc>>,
    pub last_call_status: Option<String>,
    pub freeze_until: Option<DateTime<Utc>>,
    pub callback_at: Option<DateTime<Utc>>,
    pub assigned_user_id: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// Whether the lead can be called now for this campaign.
    pub callable: bool,
    /// Why not; empty when it can.
    pub not_callable_reasons: Vec<NotCallableReason>,
    /// When it can be called next, where time alone brings that; none when it can be called now or never by time alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_callable_at: Option<DateTime<Utc>>,
}

/// A lead with its campaigns, as the extended lookup answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExtendedLead {
    /// The lead's own fields.
    #[serde(flatten)]
    pub lead: Lead,
    /// The campaign leads that matched, by their id; with `"_campaigns":"all"`, all of them.
    pub campaigns: Vec<CampaignDetails>,
    /// Reasons that hold in every campaign; for a lead without campaigns, `not_in_campaign` too.
    pub not_callable_reasons: Vec<NotCallableReason>,
}

/// The answer of the extended lookup, with every field. With `_fields` the leads carry only those asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExtendedLeadsResponse {
    /// The page, by id or as `_order` says.
    pub leads: Vec<ExtendedLead>,
    /// How many leads match in all, counted in the same snapshot as the page.
    pub total_leads: u64,
    /// With `_cursor` asked for: where the next page starts; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
