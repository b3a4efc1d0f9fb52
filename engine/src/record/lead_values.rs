//! What one action writes into many leads, and into what they are in campaigns.

use super::campaign_lead::MAX_WEIGHT;
use super::rule::{Access, Record, Rule, rules};
use super::value::{boolean, id, moment, status, whole};
use super::{CampaignLeadRecord, Form, LeadRecord, body};
use crate::api::{CampaignId, LeadId, LeadValues, UserId};
use crate::fault::Fault;
use crate::message::Message;
use crate::message::texts::record as texts;

impl Record for LeadValues {
    const THING: fn() -> Message = texts::lead_action;
    const REQUIRED: &'static [&'static str] = &[];
    const KEYS: &'static [&'static [&'static str]] = &[];
    const RULES: &'static [Rule<Self>] = rules! { LeadValues:
        do_not_call: Open, required, boolean;
        campaign_id: Open, required, id(CampaignId);
        status: Open, required, status;
        weight: Open, required, whole(-MAX_WEIGHT, MAX_WEIGHT);
        assigned_user_id: Open, optional, id(UserId);
        freeze_until: Open, optional, moment;
    };

    fn check(&self, _form: Option<Form>, _faults: &mut Vec<Fault>) {}
}

impl LeadValues {
    /// Reads them from a JSON object.
    ///
    /// # Errors
    /// Every fault of the object, at once, each with its JSON Pointer.
    pub fn from_json(text: &str) -> Result<Self, Vec<Fault>> {
        body::read(text, Form::Change)
    }

    /// What they say of the lead itself; none when that is nothing.
    pub fn of_lead(&self) -> Option<LeadRecord> {
        let record = LeadRecord { do_not_call: self.do_not_call, ..LeadRecord::default() };
        (record != LeadRecord::default()).then_some(record)
    }

    /// What they say of the campaign leads that there are; none when that is nothing, as where leads are put into a campaign.
    pub fn of_campaign_lead(&self) -> Option<CampaignLeadRecord> {
        let record = self.inside();
        (self.campaign_id.is_none() && record != CampaignLeadRecord::default()).then_some(record)
    }

    /// What a lead is to be in the campaign that it is put into; none when it is put into none.
    pub fn put_in(&self, lead: LeadId) -> Option<CampaignLeadRecord> {
        let campaign_id = Some(self.campaign_id?);
        Some(CampaignLeadRecord { lead_id: Some(lead), campaign_id, ..self.inside() })
    }

    /// The values that leads have in campaigns.
    fn inside(&self) -> CampaignLeadRecord {
        CampaignLeadRecord {
            status: self.status.clone(),
            weight: self.weight,
            assigned_user_id: self.assigned_user_id,
            freeze_until: self.freeze_until,
            ..CampaignLeadRecord::default()
        }
    }
}
