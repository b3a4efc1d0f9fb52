//! Which leads, in which campaign, in what state, and why can't this one be called now?

use std::collections::{BTreeSet, HashMap};

use leadscribe_engine::api::*;
use leadscribe_engine::callable::{self, Callee};
use leadscribe_engine::filter::{self, CheckedFilter, Limits, cursor};
use leadscribe_lead_index::PackedLead;

use super::error::ServiceError;
use crate::app::App;
use crate::storage::{Found, FoundLead};

/// What a look-up found, and the form in which it is asked for.
#[derive(Clone, Debug)]
pub struct LeadsFound {
    /// The page, with every field.
    pub leads: Vec<JudgedLead>,
    /// How many match in all, counted in the same state as the page.
    pub total: u64,
    /// With a cursor asked for: where the next page starts; none on the last.
    pub next_cursor: Option<String>,
    /// The members of a lead that are asked for; none means all.
    pub fields: Option<BTreeSet<String>>,
}

/// A lead with its campaigns, and why it can't be called.
#[derive(Clone, Debug)]
pub struct JudgedLead {
    /// The lead.
    pub lead: PackedLead,
    /// The campaigns that are shown, by campaign lead.
    pub campaigns: Vec<CampaignDetails>,
    /// Reasons that hold in every campaign.
    pub not_callable_reasons: Vec<NotCallableReason>,
}

/// Looks leads up by a filter in JSON text.
///
/// # Errors
/// Every fault of the filter, at once; or the store failed.
pub async fn by_text(app: &App, text: &str) -> Result<LeadsFound, ServiceError> {
    let filter = filter::read(text, &limits(app)).map_err(ServiceError::InvalidFilter)?;
    look_up(app, filter).await
}

/// Looks leads up by pairs of key and value, as a query or a path gives them.
///
/// # Errors
/// Every fault of the pairs, at once; or the store failed.
pub async fn by_pairs(app: &App, pairs: &[(String, String)]) -> Result<LeadsFound, ServiceError> {
    let filter = filter::read_pairs(pairs, &limits(app)).map_err(ServiceError::InvalidFilter)?;
    look_up(app, filter).await
}

/// One lead with all its campaigns.
///
/// # Errors
/// There is no such lead; or the store failed.
pub async fn by_id(app: &App, id: LeadId) -> Result<ExtendedLead, ServiceError> {
    let now = app.now();
    let mut found = app.store.lead(id, now).await?.ok_or(ServiceError::NotFound("lead"))?;
    let lead = found.leads.pop().ok_or(ServiceError::NotFound("lead"))?;
    let JudgedLead { lead, campaigns, not_callable_reasons } = Judge::new(&found, now).judge(lead);
    Ok(ExtendedLead { lead: lead.to_lead(), campaigns, not_callable_reasons })
}

fn limits(app: &App) -> Limits {
    Limits { max_count: app.config.limits.max_page }
}

async fn look_up(app: &App, filter: CheckedFilter) -> Result<LeadsFound, ServiceError> {
    let now = app.now();
    let mut found = app.store.look_up(&filter, now).await?;
    let leads = std::mem::take(&mut found.leads);
    let last = leads.last().filter(|_| filter.cursor.is_some() && found.more);
    let next_cursor = last.map(|last| cursor::after(&filter.order, &last.lead.to_lead()));
    let judge = Judge::new(&found, now);
    let leads = leads.into_iter().map(|lead| judge.judge(lead)).collect();
    Ok(LeadsFound { leads, total: found.total, next_cursor, fields: filter.fields })
}

/// Judges leads, all at the same moment.
struct Judge<'a> {
    campaigns: HashMap<CampaignId, &'a Campaign>,
    dialable: HashMap<&'a str, bool>,
    now: Timestamp,
}

impl<'a> Judge<'a> {
    fn new(found: &'a Found, now: Timestamp) -> Self {
        let campaigns = found.campaigns.iter().map(|campaign| (campaign.id, campaign)).collect();
        let dialable = found.statuses.iter().map(|status| (status.name.as_str(), status.dialable)).collect();
        Self { campaigns, dialable, now }
    }

    fn judge(&self, found: FoundLead) -> JudgedLead {
        let FoundLead { lead, campaign_leads, in_campaign } = found;
        let callee = lead.callee();
        let campaigns = campaign_leads.into_iter().filter_map(|one| self.details(&callee, one)).collect();
        let not_callable_reasons = callable::judge_lead(&callee, in_campaign);
        JudgedLead { lead, campaigns, not_callable_reasons }
    }

    /// A campaign lead with its verdict. The store answers every campaign of the campaign leads it answers.
    fn details(&self, callee: &Callee<'_>, one: CampaignLead) -> Option<CampaignDetails> {
        let campaign = *self.campaigns.get(&one.campaign_id)?;
        let dialable = self.dialable.get(one.status.as_str()).copied().unwrap_or(false);
        let verdict = callable::judge(callee, &one, campaign, dialable, self.now);
        Some(CampaignDetails {
            campaign_lead_id: one.id,
            campaign_id: one.campaign_id,
            campaign_name: campaign.name.clone(),
            status: one.status,
            weight: one.weight,
            calls_count: one.calls_count,
            calls_today: one.calls_today,
            last_call_at: one.last_call_at,
            last_call_status: one.last_call_status,
            freeze_until: one.freeze_until,
            callback_at: one.callback_at,
            assigned_user_id: one.assigned_user_id,
            created_at: one.created_at,
            updated_at: one.updated_at,
            callable: verdict.is_callable(),
            not_callable_reasons: verdict.reasons,
            next_callable_at: verdict.next_callable_at,
        })
    }
}
