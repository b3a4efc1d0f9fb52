//! Records of campaigns.

use super::hours::{self, calling_hours};
use super::rule::{Access, Record, Rule, record, rules};
use super::value::{boolean, count, name, new_id, timestamp};
use super::{WriteMode, created_at, require};
use crate::api::{CallingHours, Campaign, CampaignId, Timestamp};
use crate::diagnostic::{Diagnostic, Location, Message, catalog::record as texts, new_diagnostic};

/// Maximum value of the attempt limits.
const MAX_ATTEMPTS: u32 = 1_000_000;

/// Maximum freeze after an attempt, in minutes: a year.
const MAX_FREEZE_MINUTES: u32 = 366 * 24 * 60;

record! {
    /// A record for creating or changing a campaign. `None` leaves a field unchanged; `Some(None)` removes its value.
    CampaignRecord for Campaign(CampaignId):
    name: String, Writable, required, name;
    active: bool, Writable, required, boolean;
    calling_hours: CallingHours, Writable, optional in hours::HOUR_COLUMNS, calling_hours;
    max_attempts: u32, Writable, optional, count(1, MAX_ATTEMPTS);
    daily_attempts: u32, Writable, optional, count(1, MAX_ATTEMPTS);
    freeze_minutes: u32, Writable, required, count(0, MAX_FREEZE_MINUTES);
    created_at: Timestamp, CsvOnly, required, timestamp;
    updated_at: Timestamp, CsvOnly, required, timestamp;
}

impl Record for CampaignRecord {
    const NOUN: fn() -> Message = texts::campaign;
    const REQUIRED: &'static [&'static str] = &["name"];
    const KEYS: &'static [&'static [&'static str]] = &[&["id"], &["name"]];
    const RULES: &'static [Rule<Self>] = Self::FIELD_RULES;

    fn check(&self, mode: Option<WriteMode>, diagnostics: &mut Vec<Diagnostic>) {
        if mode.is_none() && self.id.is_none() && self.name.is_none() {
            diagnostics.push(Diagnostic {
                location: Location::Column("id".to_owned()),
                ..new_diagnostic("missing_identifier", texts::campaign_identifier_required())
            });
        }
    }
}

impl CampaignRecord {
    /// Creates a campaign; active and without a freeze by default. Times default to `now`.
    ///
    /// # Errors
    /// The record has no `name`.
    pub fn create(&self, id: CampaignId, now: Timestamp) -> Result<Campaign, Diagnostic> {
        let updated_at = self.updated_at.unwrap_or(now);
        let mut campaign = Campaign {
            id,
            name: require(&self.name, "name")?,
            active: true,
            calling_hours: None,
            max_attempts: None,
            daily_attempts: None,
            freeze_minutes: 0,
            created_at: created_at(self.created_at, updated_at, now),
            updated_at,
        };
        self.apply(&mut campaign);
        Ok(campaign)
    }
}
