//! Campaigns, their calling hours, how far they are, and what a change of one would do.

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

/// When leads may be called, by the clock of each lead's own time zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallingHours {
    /// First minute in which calls may be made, `hh:mm`.
    #[serde(with = "hour_minute")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "09:00"))]
    pub start: NaiveTime,
    /// First minute in which calls may no longer be made, `hh:mm`; `24:00` isn't used: `00:00` is the end of the day.
    /// An `end` at or before `start` runs past midnight, and belongs to the day on which it started.
    #[serde(with = "hour_minute")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "20:00"))]
    pub end: NaiveTime,
    /// The days on which calling starts; at least one, each once, from Monday.
    pub days: Vec<Weekday>,
}

/// A campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Campaign {
    /// Its id.
    pub id: CampaignId,
    /// Its name, 1 to 200 characters, unique.
    pub name: String,
    /// Whether calls are made for it.
    pub active: bool,
    /// When its leads may be called; none means at any time, without regard to time zones.
    pub calling_hours: Option<CallingHours>,
    /// Calls after which a lead isn't called again; none means without limit.
    pub max_attempts: Option<u32>,
    /// Calls a day after which a lead isn't called again that day; none means without limit.
    pub daily_attempts: Option<u32>,
    /// Minutes for which a lead is frozen after an attempt; 0 for none.
    pub freeze_minutes: u32,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
}

/// How far a campaign is: each of its leads is new, called or done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CampaignProgress {
    /// The campaign.
    pub campaign_id: CampaignId,
    /// Leads that were never called, in a status that takes calls.
    pub new: u64,
    /// Leads that were called, in a status that takes further calls.
    pub called: u64,
    /// Leads in a status that takes no calls.
    pub done: u64,
}

impl CampaignProgress {
    /// All leads of the campaign.
    pub fn leads(&self) -> u64 {
        self.new + self.called + self.done
    }
}

/// What a change of a campaign would do to its leads at the moment it was asked for. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CampaignPreview {
    /// How many leads are in the campaign.
    pub leads: u64,
    /// How many of them were judged. Of a large campaign these are a sample from everywhere in it; all counts are of the
    /// leads judged.
    pub judged: u64,
    /// With the campaign as it is.
    pub before: Callability,
    /// With all the changes.
    pub after: Callability,
    /// Each field that would be another, alone.
    pub changes: Vec<ChangeEffect>,
}

/// How many leads can be called now, and how many can't for which reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Callability {
    /// Leads that can be called now.
    pub callable: u64,
    /// Leads that can't, by reason; a lead counts at each of its reasons. Reasons that no lead has are left out.
    pub reasons: Vec<ReasonTally>,
}

/// How many leads have a reason not to be called now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReasonTally {
    /// The reason.
    pub code: NotCallableCode,
    /// How many leads have it.
    pub leads: u64,
    /// The filter that finds all leads of the campaign that have it, as JSON text; null of a campaign that isn't saved so.
    #[cfg_attr(feature = "openapi", schema(example = r#"{"campaign_id":2,"not_callable_reason":"do_not_call"}"#))]
    pub filter: Option<String>,
}

/// What the change of one field of a campaign would do without the other changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeEffect {
    /// The field.
    pub field: String,
    /// How many leads could be called now.
    pub callable: u64,
}

/// `hh:mm`, 24 hours.
mod hour_minute {
    use chrono::NaiveTime;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(time: &NaiveTime, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&time.format("%H:%M"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<NaiveTime, D::Error> {
        let text = String::deserialize(from)?;
        NaiveTime::parse_from_str(&text, "%H:%M").map_err(|_| D::Error::custom("expected a time as hh:mm"))
    }
}
