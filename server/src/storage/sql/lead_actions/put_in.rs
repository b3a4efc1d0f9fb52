//! Leads that are put into a campaign.

use std::collections::HashSet;

use super::*;
use crate::storage::sql::references::Lookup;

/// The values that put leads into a campaign, with the status that they begin with or the default one.
pub fn values(campaign_id: Option<CampaignId>, status: Option<String>) -> LeadValues {
    LeadValues { campaign_id, status, ..LeadValues::default() }
}

/// What the values name must exist; of leads that are put into a campaign, the status that they begin with as well.
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

/// What a lead begins as in the campaign that it is put into, without an id; none when it is put into none.
pub fn begun(set: &LeadValues, lead: LeadId, now: Timestamp) -> Result<Option<CampaignLead>, WriteError> {
    let record = set.put_in(lead);
    record.map(|record| CampaignLead::made(&record, now)).transpose().map_err(WriteError::Refused)
}

/// What those of these leads become in a campaign that aren't in it yet.
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
