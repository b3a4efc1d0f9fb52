//! Campaigns, their calling hours, their progress, and the preview of a change.

use chrono::{DateTime, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use super::{CampaignId, NotCallableCode, named_enum};

named_enum! {
    /// A day of the week.
    Weekday {
        /// Monday.
        Mon = "mon",
        /// Tuesday.
        Tue = "tue",
        /// Wednesday.
        Wed = "wed",
        /// Thursday.
        Thu = "thu",
        /// Friday.
        Fri = "fri",
        /// Saturday.
        Sat = "sat",
        /// Sunday.
        Sun = "sun",
    }
}

/// Hours in which leads may be called, in each lead's own time zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallingHours {
    /// Start of calling, inclusive, `hh:mm`.
    #[serde(with = "hour_minute")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "09:00"))]
    pub start: NaiveTime,
    /// End of calling, exclusive, `hh:mm`. Midnight is `00:00`, not `24:00`. If `end` is at or before `start`, the
    /// hours run past midnight and belong to the day on which they started.
    #[serde(with = "hour_minute")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "20:00"))]
    pub end: NaiveTime,
    /// Days on which the hours start: at least one, without duplicates, Monday first.
    pub days: Vec<Weekday>,
}

/// A campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Campaign {
    /// Id of the campaign.
    pub id: CampaignId,
    /// Name of the campaign, 1 to 200 characters, unique.
    pub name: String,
    /// True if calls are made for this campaign.
    pub active: bool,
    /// Hours in which leads may be called; null permits calls at any time, regardless of time zones.
    pub calling_hours: Option<CallingHours>,
    /// Maximum number of calls per lead; null for no limit.
    pub max_attempts: Option<u32>,
    /// Maximum number of calls per lead and day; null for no limit.
    pub daily_attempts: Option<u32>,
    /// Minutes for which a lead is frozen after an attempt; 0 for none.
    pub freeze_minutes: u32,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Time of the latest change.
    pub updated_at: DateTime<Utc>,
}

/// Progress of a campaign. Each of its leads is new, called or done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CampaignProgress {
    /// The campaign.
    pub campaign_id: CampaignId,
    /// Leads that were never called, in a dialable status.
    pub new: u64,
    /// Leads that were called, in a dialable status.
    pub called: u64,
    /// Leads in a status that isn't dialable.
    pub done: u64,
}

impl CampaignProgress {
    /// Returns the number of leads in the campaign.
    pub fn leads(&self) -> u64 {
        self.new + self.called + self.done
    }
}

/// The effect that a change of a campaign would have on its leads now. Nothing is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CampaignPreview {
    /// Number of leads in the campaign.
    pub leads: u64,
    /// Number of leads evaluated. For a large campaign this is a representative sample, and all counts refer to the sample.
    pub evaluated: u64,
    /// Result for the campaign without the changes.
    pub before: Callability,
    /// Result with all the changes.
    pub after: Callability,
    /// Effect of each changed field on its own.
    pub changes: Vec<ChangeEffect>,
}

/// Number of leads that can be called now, and the reasons for the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Callability {
    /// Leads that can be called now.
    pub callable: u64,
    /// Leads that can't be called now, by reason. A lead counts once for each of its reasons. Reasons without leads are omitted.
    pub reasons: Vec<ReasonCount>,
}

/// Number of leads that can't be called now for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReasonCount {
    /// The reason.
    pub code: NotCallableCode,
    /// Number of leads with this reason.
    pub leads: u64,
    /// Filter that finds all leads of the campaign with this reason, as JSON text; null for unsaved changes, because a filter uses the
    /// saved campaign.
    #[cfg_attr(feature = "openapi", schema(example = r#"{"campaign_id":2,"not_callable_reason":"do_not_call"}"#))]
    pub filter: Option<String>,
}

/// The effect of changing one field of a campaign without the other changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeEffect {
    /// The field.
    pub field: String,
    /// Number of leads that could be called now.
    pub callable: u64,
}

/// Serde format for `hh:mm`, 24 hours.
mod hour_minute {
    use chrono::NaiveTime;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(time: &NaiveTime, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&time.format("%H:%M"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveTime, D::Error> {
        let text = String::deserialize(deserializer)?;
        NaiveTime::parse_from_str(&text, "%H:%M").map_err(|_| D::Error::custom("expected a time as hh:mm"))
    }
}
