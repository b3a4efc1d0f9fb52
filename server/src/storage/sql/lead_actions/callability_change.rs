//! Effect of an action on which leads can be called.

use std::collections::{BTreeSet, HashMap};

use leadscribe_engine::api::*;
use leadscribe_engine::callable::{self, Callee};

use super::Plan;
use crate::storage::Result;
use crate::storage::sql::{Session, lead_lookup, record, rows, statuses};

/// Temporary reasons: they end on their own, or with a change of the campaign.
const TEMPORARY_REASONS: [NotCallableCode; 5] = [
    NotCallableCode::CampaignInactive,
    NotCallableCode::Frozen,
    NotCallableCode::CallbackScheduled,
    NotCallableCode::OutsideCallingHours,
    NotCallableCode::DailyLimit,
];

/// Callability of a lead in a campaign.
#[derive(Clone, Copy)]
struct Callability {
    is_callable_now: bool,
    /// Callable now or later.
    is_ever_callable: bool,
}

/// Evaluates the leads that a plan changes, in all their campaigns and in the campaign they are added to, before and after the change.
pub fn callable_change(session: &dyn Session, plan: &Plan, now: Timestamp) -> Result<CallableChange> {
    let ids: BTreeSet<_> = plan
        .leads
        .iter()
        .map(|change| change.new.id)
        .chain(plan.campaign_leads.iter().map(|change| change.new.lead_id))
        .chain(plan.new_campaign_leads.iter().map(|new_campaign_lead| new_campaign_lead.lead_id))
        .collect();
    if ids.is_empty() {
        return Ok(CallableChange::default());
    }
    let ids: Vec<_> = ids.into_iter().map(|id| id.0).collect();
    let leads: Vec<Lead> = record::find_all(session, ids.iter().copied())?;
    let leads: HashMap<_, _> = leads.into_iter().map(|lead| (lead.id, lead)).collect();
    let (sql, binds) = lead_lookup::campaign_leads_query(session.dialect(), &ids).finish();
    let campaign_leads = session.query(&sql, &binds, rows::read_campaign_lead)?;
    let campaign_ids: BTreeSet<_> =
        campaign_leads.iter().chain(&plan.new_campaign_leads).map(|item| item.campaign_id.0).collect();
    let campaigns: Vec<Campaign> = record::find_all(session, campaign_ids)?;
    let campaigns: HashMap<_, _> = campaigns.into_iter().map(|campaign| (campaign.id, campaign)).collect();
    let dialable: HashMap<_, _> = statuses::list(session)?.into_iter().map(|item| (item.name, item.dialable)).collect();
    let changed_leads: HashMap<_, _> = plan.leads.iter().map(|change| (change.new.id, &change.new)).collect();
    let changed_campaign_leads: HashMap<_, _> =
        plan.campaign_leads.iter().map(|change| (change.new.id, &change.new)).collect();

    let evaluate = |lead: &Lead, campaign_lead: &CampaignLead, campaign: &Campaign| {
        let mut verdict = Callability { is_callable_now: true, is_ever_callable: true };
        let dialable = dialable.get(&campaign_lead.status).copied().unwrap_or(false);
        callable::judge_codes(&Callee::from(lead), campaign_lead, campaign, dialable, now, |code| {
            verdict.is_callable_now = false;
            verdict.is_ever_callable &= TEMPORARY_REASONS.contains(&code);
        });
        verdict
    };
    let (mut gained, mut lost, mut unblocked) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let existing =
        campaign_leads.iter().map(|old| (old, changed_campaign_leads.get(&old.id).copied().unwrap_or(old), true));
    for (old, new, is_in_campaign) in existing
        .chain(plan.new_campaign_leads.iter().map(|new_campaign_lead| (new_campaign_lead, new_campaign_lead, false)))
    {
        // The schema's references guarantee that both exist.
        let (Some(lead), Some(campaign)) = (leads.get(&old.lead_id), campaigns.get(&old.campaign_id)) else { continue };
        let mut before = evaluate(lead, old, campaign);
        // A lead outside the campaign isn't callable there now; the other reasons are the same before and after.
        before.is_callable_now &= is_in_campaign;
        let new_lead = changed_leads.get(&lead.id).copied().unwrap_or(lead);
        let after = evaluate(new_lead, new, campaign);
        let tallies = [
            (&mut gained, !before.is_callable_now && after.is_callable_now),
            (&mut lost, before.is_callable_now && !after.is_callable_now),
            (&mut unblocked, !before.is_ever_callable && after.is_ever_callable),
        ];
        for (leads, _) in tallies.into_iter().filter(|(_, has_change)| *has_change) {
            leads.insert(lead.id);
        }
    }
    let [gained, lost, unblocked] = [gained, lost, unblocked].map(|leads| leads.len() as u64);
    Ok(CallableChange { gained, lost, unblocked })
}
