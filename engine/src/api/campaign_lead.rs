//! Leads in campaigns: their status, their attempts, and the reasons not to call them now.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{CampaignId, CampaignLeadId, Lead, LeadId, UserId, named_enum};

/// A status of campaign leads. Staff can edit the list of statuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeadStatus {
    /// Name of the status: 1 to 50 of the characters `a` to `z`, `0` to `9` and `_`.
    pub name: String,
    /// Display name, 1 to 100 characters.
    pub label: String,
    /// True if leads in this status may be called.
    pub dialable: bool,
}

/// `PUT /api/statuses/{name}`: create or change a status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StatusRequest {
    /// Display name, 1 to 100 characters.
    pub label: String,
    /// True if leads in this status may be called.
    pub dialable: bool,
}

/// `PUT /api/statuses`: set the order of the statuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StatusOrderRequest {
    /// The name of each status, exactly once.
    pub names: Vec<String>,
}

/// Statuses of a new installation: name, label, dialable.
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
    /// Number of calls on the UTC day of `last_call_at`. On later days it counts as 0.
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
    /// Reason not to call a lead now.
    NotCallableCode {
        /// The campaign is inactive.
        CampaignInactive = "campaign_inactive",
        /// The lead isn't in any campaign.
        NotInCampaign = "not_in_campaign",
        /// The lead is frozen, after an attempt or by staff.
        Frozen = "frozen",
        /// A callback is scheduled for later.
        CallbackScheduled = "callback_scheduled",
        /// The lead's local time is outside the campaign's calling hours.
        OutsideCallingHours = "outside_calling_hours",
        /// The campaign has calling hours, and the lead's time zone is unknown.
        TimezoneUnknown = "timezone_unknown",
        /// The lead asked not to be called.
        DoNotCall = "do_not_call",
        /// The lead is blacklisted.
        Blacklisted = "blacklisted",
        /// The campaign's call limit is reached.
        AttemptLimit = "attempt_limit",
        /// The campaign's daily call limit is reached.
        DailyLimit = "daily_limit",
        /// The status isn't dialable.
        StatusNotDialable = "status_not_dialable",
        /// The lead has no phone number.
        NoPhone = "no_phone",
        /// The lead has phone numbers, but none is valid.
        InvalidPhone = "invalid_phone",
    }
}

/// A reason not to call a lead now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotCallableReason {
    /// Code of the reason.
    pub code: NotCallableCode,
    /// Time at which the reason ends by itself; null if it doesn't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
    /// Description of the rule, for users.
    pub detail: String,
}

/// A campaign lead in the response of the extended lookup.
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
    /// True if the lead can be called now for this campaign.
    pub callable: bool,
    /// Reasons not to call the lead now; empty if it can be called.
    pub not_callable_reasons: Vec<NotCallableReason>,
    /// Next time at which the lead can be called; null if it can be called now, or if waiting alone doesn't help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_callable_at: Option<DateTime<Utc>>,
}

/// A lead with its campaigns, in the response of the extended lookup.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExtendedLead {
    /// The lead's own fields.
    #[serde(flatten)]
    pub lead: Lead,
    /// The campaign leads that matched, ordered by id; with `"_campaigns":"all"`, all campaign leads.
    pub campaigns: Vec<CampaignDetails>,
    /// Reasons that apply in every campaign. A lead without campaigns also has `not_in_campaign`.
    pub not_callable_reasons: Vec<NotCallableReason>,
}

/// Response of the extended lookup with all fields. With `_fields`, leads contain only the selected fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExtendedLeadsResponse {
    /// The leads of this page, ordered by id or by `_order`.
    pub leads: Vec<ExtendedLead>,
    /// Total number of matching leads, counted in the same snapshot as the page.
    pub total_leads: u64,
    /// Start of the next page, if `_cursor` was requested; absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
