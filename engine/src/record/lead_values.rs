//! The values that a bulk action writes to leads and their campaign leads.

use super::campaign_lead::MAX_WEIGHT;
use super::rule::{Access, Record, Rule, rules};
use super::value::{boolean, id, status, timestamp, whole};
use super::{CampaignLeadRecord, LeadRecord, WriteMode, body};
use crate::api::{CampaignId, LeadId, LeadValues, UserId};
use crate::diagnostic::{Diagnostic, Message, catalog::record as texts};

impl Record for LeadValues {
    const NOUN: fn() -> Message = texts::lead_action;
    const REQUIRED: &'static [&'static str] = &[];
    const KEYS: &'static [&'static [&'static str]] = &[];
    const RULES: &'static [Rule<Self>] = rules! { LeadValues:
        do_not_call: Writable, required, boolean;
        campaign_id: Writable, required, id(CampaignId);
        status: Writable, required, status;
        weight: Writable, required, whole(-MAX_WEIGHT, MAX_WEIGHT);
        assigned_user_id: Writable, optional, id(UserId);
        freeze_until: Writable, optional, timestamp;
    };

    fn check(&self, _mode: Option<WriteMode>, _diagnostics: &mut Vec<Diagnostic>) {}
}

impl LeadValues {
    /// Parses the values from a JSON object.
    ///
    /// # Errors
    /// All errors of the object, each with its JSON Pointer.
    pub fn from_json(text: &str) -> Result<Self, Vec<Diagnostic>> {
        body::parse(text, WriteMode::Update)
    }

    /// Returns the changes of the lead itself; `None` if there are none.
    pub fn lead_changes(&self) -> Option<LeadRecord> {
        let record = LeadRecord { do_not_call: self.do_not_call, ..LeadRecord::default() };
        (record != LeadRecord::default()).then_some(record)
    }

    /// Returns the changes of existing campaign leads; `None` if there are none, or if the action adds leads to a campaign.
    pub fn campaign_lead_changes(&self) -> Option<CampaignLeadRecord> {
        let record = self.campaign_lead_values();
        (self.campaign_id.is_none() && record != CampaignLeadRecord::default()).then_some(record)
    }

    /// Returns the campaign lead to create for `lead`; `None` if the action doesn't add leads to a campaign.
    pub fn new_campaign_lead(&self, lead: LeadId) -> Option<CampaignLeadRecord> {
        let campaign_id = Some(self.campaign_id?);
        Some(CampaignLeadRecord { lead_id: Some(lead), campaign_id, ..self.campaign_lead_values() })
    }

    /// Returns the values for campaign leads.
    fn campaign_lead_values(&self) -> CampaignLeadRecord {
        CampaignLeadRecord {
            status: self.status.clone(),
            weight: self.weight,
            assigned_user_id: self.assigned_user_id,
            freeze_until: self.freeze_until,
            ..CampaignLeadRecord::default()
        }
    }
}
