//! Putting leads into a campaign.

use std::collections::HashSet;

use super::*;
use crate::storage::sql::references::Lookup;

/// Values that put leads into a campaign with the given or default status.
pub fn values(campaign_id: Option<CampaignId>, status: Option<String>) -> LeadValues {
    LeadValues { campaign_id, status, ..LeadValues::default() }
}

/// Checks that everything the values name exists, including the initial status in the campaign.
pub fn check(session: &dyn Session, set: &LeadValues) -> Result<(), WriteError> {
    if let Some(campaign) = set.campaign_id {
        references::campaign(session, campaign, Source::Body)?;
    }
    let begun = begun(set, LeadId::default(), Timestamp::default())?;
    match set.status.as_ref().or(begun.as_ref().map(|begun| &begun.status)) {
        Some(status) => Lookup::new(session).status(status, Source::Body),
        None => Ok(()),
    }
}

/// New campaign lead for a lead, without an id; `None` if the values name no campaign.
pub fn begun(set: &LeadValues, lead: LeadId, now: Timestamp) -> Result<Option<CampaignLead>, WriteError> {
    let record = set.put_in(lead);
    record.map(|record| CampaignLead::made(&record, now)).transpose().map_err(WriteError::Refused)
}

/// New campaign leads for those of these leads that aren't in the campaign yet.
pub fn made(
    session: &dyn Session,
    set: &LeadValues,
    campaign: CampaignId,
    leads: &[i64],
    now: Timestamp,
) -> Result<Vec<CampaignLead>, WriteError> {
    if leads.is_empty() {
        return Ok(Vec::new());
    }
    let of_leads = session.dialect().is_any_of("lead_id", "?2");
    let sql = format!("SELECT lead_id FROM campaign_leads WHERE campaign_id = ?1 AND {of_leads}");
    let inside = [Bind::Integer(campaign.0), Bind::ids(leads.iter().copied())];
    let inside: HashSet<i64> = session.query(&sql, &inside, |row| row.get(0))?.into_iter().collect();
    let outside = leads.iter().filter(|lead| !inside.contains(lead));
    outside.filter_map(|lead| begun(set, LeadId(*lead), now).transpose()).collect()
}
