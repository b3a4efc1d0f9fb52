//! Effect of an action on which leads can be called.

use std::collections::{BTreeSet, HashMap};

use leadscribe_engine::api::*;
use leadscribe_engine::callable::{self, Callee};

use super::Plan;
use crate::storage::StoreError;
use crate::storage::sql::{Session, look_up, record, rows, statuses};

/// Temporary reasons: they end on their own, or with a change of the campaign.
const PASSING: [NotCallableCode; 5] = [
    NotCallableCode::CampaignInactive,
    NotCallableCode::Frozen,
    NotCallableCode::CallbackScheduled,
    NotCallableCode::OutsideCallingHours,
    NotCallableCode::DailyLimit,
];

/// Callability of a lead in a campaign.
#[derive(Clone, Copy)]
struct Verdict {
    now: bool,
    /// Callable now or later.
    ever: bool,
}

/// Evaluates the leads that a plan changes, in all their campaigns and in the campaign they are put into, before and after the change.
pub fn of(session: &dyn Session, plan: &Plan, now: Timestamp) -> Result<CallableChange, StoreError> {
    let (new_leads, new_inside) = (&plan.leads, &plan.campaign_leads);
    let ids: BTreeSet<_> = new_leads
        .iter()
        .map(|change| change.new.id)
        .chain(new_inside.iter().map(|change| change.new.lead_id))
        .chain(plan.made.iter().map(|made| made.lead_id))
        .collect();
    if ids.is_empty() {
        return Ok(CallableChange::default());
    }
    let ids: Vec<_> = ids.into_iter().map(|id| id.0).collect();
    let leads: Vec<Lead> = record::find_all(session, ids.iter().copied())?;
    let leads: HashMap<_, _> = leads.into_iter().map(|lead| (lead.id, lead)).collect();
    let (sql, binds) = look_up::campaign_leads(session.dialect(), &ids).finish();
    let inside = session.query(&sql, &binds, rows::campaign_lead)?;
    let of_campaigns: BTreeSet<_> = inside.iter().chain(&plan.made).map(|one| one.campaign_id.0).collect();
    let campaigns: Vec<Campaign> = record::find_all(session, of_campaigns)?;
    let campaigns: HashMap<_, _> = campaigns.into_iter().map(|campaign| (campaign.id, campaign)).collect();
    let dialable: HashMap<_, _> = statuses::all(session)?.into_iter().map(|one| (one.name, one.dialable)).collect();
    let new_leads: HashMap<_, _> = new_leads.iter().map(|change| (change.new.id, &change.new)).collect();
    let new_inside: HashMap<_, _> = new_inside.iter().map(|change| (change.new.id, &change.new)).collect();

    let judge = |lead: &Lead, inside: &CampaignLead, campaign: &Campaign| {
        let mut verdict = Verdict { now: true, ever: true };
        let dialable = dialable.get(&inside.status).copied().unwrap_or(false);
        callable::judge_briefly(&Callee::from(lead), inside, campaign, dialable, now, |code| {
            verdict.now = false;
            verdict.ever &= PASSING.contains(&code);
        });
        verdict
    };
    let (mut gained, mut lost, mut released) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let stand = inside.iter().map(|old| (old, new_inside.get(&old.id).copied().unwrap_or(old), true));
    for (old, new, is_inside) in stand.chain(plan.made.iter().map(|made| (made, made, false))) {
        // The schema's references guarantee that both exist.
        let (Some(lead), Some(campaign)) = (leads.get(&old.lead_id), campaigns.get(&old.campaign_id)) else { continue };
        let mut before = judge(lead, old, campaign);
        // A lead outside the campaign isn't callable there now; the other reasons are the same before and after.
        before.now &= is_inside;
        let new_lead = new_leads.get(&lead.id).copied().unwrap_or(lead);
        let after = judge(new_lead, new, campaign);
        let tallies = [
            (&mut gained, !before.now && after.now),
            (&mut lost, before.now && !after.now),
            (&mut released, !before.ever && after.ever),
        ];
        for (leads, _) in tallies.into_iter().filter(|(_, counts)| *counts) {
            leads.insert(lead.id);
        }
    }
    let [gained, lost, released] = [gained, lost, released].map(|leads| leads.len() as u64);
    Ok(CallableChange { gained, lost, released })
}
