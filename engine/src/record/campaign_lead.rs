//! Records of campaign leads.

use super::rule::{Access, Record, Rule, record, rules};
use super::value::{call_status, count, id, new_id, status, timestamp, whole};
use super::{WriteMode, created_at, require};
use crate::api::{CampaignId, CampaignLead, CampaignLeadId, LeadId, Timestamp, UserId};
use crate::diagnostic::{Diagnostic, Location, Message, catalog::record as texts, new_diagnostic};

/// Maximum weight, positive or negative.
pub(super) const MAX_WEIGHT: i64 = 1_000_000_000;

/// Maximum number of calls.
const MAX_CALLS: u32 = 1_000_000_000;

/// The default status of a lead that is added to a campaign.
pub const DEFAULT_STATUS: &str = "new";

record! {
    /// A record for creating or changing a campaign lead. `None` leaves a field unchanged; `Some(None)` removes its value.
    CampaignLeadRecord for CampaignLead(CampaignLeadId):
    lead_id: LeadId, CreateOnly, required, id(LeadId);
    campaign_id: CampaignId, CreateOnly, required, id(CampaignId);
    status: String, Writable, required, status;
    weight: i64, Writable, required, whole(-MAX_WEIGHT, MAX_WEIGHT);
    calls_count: u32, Writable, required, count(0, MAX_CALLS);
    calls_today: u32, Writable, required, count(0, MAX_CALLS);
    last_call_at: Timestamp, Writable, optional, timestamp;
    last_call_status: String, Writable, optional, call_status;
    freeze_until: Timestamp, Writable, optional, timestamp;
    callback_at: Timestamp, Writable, optional, timestamp;
    assigned_user_id: UserId, Writable, optional, id(UserId);
    created_at: Timestamp, CsvOnly, required, timestamp;
    updated_at: Timestamp, CsvOnly, required, timestamp;
}

impl Record for CampaignLeadRecord {
    const NOUN: fn() -> Message = texts::campaign_lead;
    const REQUIRED: &'static [&'static str] = &["lead_id", "campaign_id"];
    const KEYS: &'static [&'static [&'static str]] = &[&["id"], &["lead_id", "campaign_id"]];
    const RULES: &'static [Rule<Self>] = Self::FIELD_RULES;

    fn check(&self, mode: Option<WriteMode>, diagnostics: &mut Vec<Diagnostic>) {
        if mode.is_none() && self.id.is_none() && (self.lead_id.is_none() || self.campaign_id.is_none()) {
            let error = new_diagnostic("missing_identifier", texts::campaign_lead_identifier_required());
            diagnostics.push(Diagnostic { location: Location::Column("id".to_owned()), ..error });
        }
    }
}

impl CampaignLeadRecord {
    /// Creates a campaign lead; with status `new`, weight 0 and no calls by default. Times default to `now`.
    ///
    /// # Errors
    /// The record has no `lead_id` or no `campaign_id`.
    pub fn create(&self, id: CampaignLeadId, now: Timestamp) -> Result<CampaignLead, Diagnostic> {
        let updated_at = self.updated_at.unwrap_or(now);
        let mut campaign_lead = CampaignLead {
            id,
            lead_id: require(&self.lead_id, "lead_id")?,
            campaign_id: require(&self.campaign_id, "campaign_id")?,
            status: DEFAULT_STATUS.to_owned(),
            weight: 0,
            calls_count: 0,
            calls_today: 0,
            last_call_at: None,
            last_call_status: None,
            freeze_until: None,
            callback_at: None,
            assigned_user_id: None,
            created_at: created_at(self.created_at, updated_at, now),
            updated_at,
        };
        self.apply(&mut campaign_lead);
        Ok(campaign_lead)
    }
}
