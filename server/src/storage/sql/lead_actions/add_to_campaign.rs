//! Putting leads into a campaign.

use std::collections::HashSet;

use super::*;
use crate::storage::sql::references::ReferenceChecker;

/// Values that add leads to a campaign with the given or default status.
pub fn campaign_values(campaign_id: Option<CampaignId>, status: Option<String>) -> LeadValues {
    LeadValues { campaign_id, status, ..LeadValues::default() }
}

/// Checks that everything the values name exists, including the initial status in the campaign.
pub fn check(session: &dyn Session, set: &LeadValues) -> Result<(), WriteError> {
    if let Some(campaign) = set.campaign_id {
        references::check_campaign(session, campaign, InputFormat::Body)?;
    }
    let campaign_lead = new_campaign_lead(set, LeadId::default(), Timestamp::default())?;
    match set.status.as_ref().or(campaign_lead.as_ref().map(|campaign_lead| &campaign_lead.status)) {
        Some(status) => ReferenceChecker::new(session).check_status(status, InputFormat::Body),
        None => Ok(()),
    }
}

/// New campaign lead for a lead, without an id; `None` if the values name no campaign.
pub fn new_campaign_lead(set: &LeadValues, lead: LeadId, now: Timestamp) -> Result<Option<CampaignLead>, WriteError> {
    let record = set.new_campaign_lead(lead);
    record.map(|record| CampaignLead::from_record(&record, now)).transpose().map_err(WriteError::Refused)
}

/// New campaign leads for the given leads, except those already in the campaign.
pub fn new_campaign_leads(
    session: &dyn Session,
    set: &LeadValues,
    campaign: CampaignId,
    leads: &[i64],
    now: Timestamp,
) -> Result<Vec<CampaignLead>, WriteError> {
    if leads.is_empty() {
        return Ok(Vec::new());
    }
    let has_lead = session.dialect().is_any_of("lead_id", "?2");
    let sql = format!("SELECT lead_id FROM campaign_leads WHERE campaign_id = ?1 AND {has_lead}");
    let in_campaign = [Bind::Integer(campaign.0), Bind::ids(leads.iter().copied())];
    let in_campaign: HashSet<i64> = session.query(&sql, &in_campaign, |row| row.get(0))?.into_iter().collect();
    let not_in_campaign = leads.iter().filter(|lead| !in_campaign.contains(lead));
    not_in_campaign.filter_map(|lead| new_campaign_lead(set, LeadId(*lead), now).transpose()).collect()
}
