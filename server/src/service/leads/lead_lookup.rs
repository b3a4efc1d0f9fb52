//! Lookups of leads with their campaigns, status, and reasons why they can't be called now.

use std::collections::{BTreeMap, BTreeSet};

use leadscribe_engine::api::*;
use leadscribe_engine::callable::{self, Callee, Verdict};
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{CampaignSelection, FieldRef, Limit, OrderKey, Predicate, Test, Value};
use leadscribe_engine::filter::{self, CheckedFilter, Limits, cursor};

use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{LookupLead, LookupResult, SerializedLead};

/// Result of a lookup, and the requested fields.
#[derive(Clone, Debug)]
pub struct LeadLookup {
    /// Page of leads.
    pub page: LookupResult,
    /// Time of the request; the meaning of "now" in the filter.
    pub now: Timestamp,
    /// Cursor of the next page, if cursors were requested and there is a next page.
    pub next_cursor: Option<String>,
    /// Requested members of a lead; `None` for all.
    pub fields: Option<BTreeSet<String>>,
}

impl LeadLookup {
    /// Returns the leads of the page, each evaluated on demand.
    pub fn judged_leads(&self) -> impl Iterator<Item = JudgedLead<'_>> {
        let judge = Judge::new(&self.page, self.now);
        self.page.leads.iter().map(move |lead| judge.judge(lead))
    }
}

/// A lead with its campaigns and the reasons why it can't be called.
#[derive(Clone, Debug)]
pub struct JudgedLead<'a> {
    pub lead: &'a SerializedLead,
    /// The returned campaign leads, ordered by id.
    pub campaigns: Vec<JudgedCampaignLead<'a>>,
    /// Reasons that apply in every campaign.
    pub not_callable_reasons: Vec<NotCallableReason>,
}

/// A campaign lead with its campaign and whether it can be called now.
#[derive(Clone, Debug)]
pub struct JudgedCampaignLead<'a> {
    /// The campaign lead, with `calls_today` of the current day.
    pub campaign_lead: &'a CampaignLead,
    pub campaign: &'a Campaign,
    /// Verdict: callable, or the reasons why not.
    pub verdict: Verdict,
}

impl From<JudgedCampaignLead<'_>> for CampaignDetails {
    fn from(JudgedCampaignLead { campaign_lead, campaign, verdict }: JudgedCampaignLead<'_>) -> Self {
        Self {
            campaign_lead_id: campaign_lead.id,
            campaign_id: campaign_lead.campaign_id,
            campaign_name: campaign.name.clone(),
            status: campaign_lead.status.clone(),
            weight: campaign_lead.weight,
            calls_count: campaign_lead.calls_count,
            calls_today: campaign_lead.calls_today,
            last_call_at: campaign_lead.last_call_at,
            last_call_status: campaign_lead.last_call_status.clone(),
            freeze_until: campaign_lead.freeze_until,
            callback_at: campaign_lead.callback_at,
            assigned_user_id: campaign_lead.assigned_user_id,
            created_at: campaign_lead.created_at,
            updated_at: campaign_lead.updated_at,
            callable: verdict.is_callable(),
            not_callable_reasons: verdict.reasons,
            next_callable_at: verdict.next_callable_at,
        }
    }
}

impl From<JudgedLead<'_>> for ExtendedLead {
    fn from(JudgedLead { lead, campaigns, not_callable_reasons }: JudgedLead<'_>) -> Self {
        let campaigns = campaigns.into_iter().map(CampaignDetails::from).collect();
        Self { lead: lead.to_lead(), campaigns, not_callable_reasons }
    }
}

/// Looks up leads by a filter in JSON text.
///
/// # Errors
/// The filter is invalid (all errors are reported); or storage failed.
pub async fn by_text(app: &App, text: &str) -> Result<LeadLookup> {
    let filter = filter::parse_and_check(text, &limits(app)).map_err(ServiceError::InvalidFilter)?;
    look_up(app, filter).await
}

/// Looks up leads by key-value pairs from a query string or a path.
///
/// # Errors
/// The pairs are invalid (all errors are reported); or storage failed.
pub async fn by_pairs(app: &App, pairs: &[(String, String)]) -> Result<LeadLookup> {
    let filter = filter::parse_pairs(pairs, &limits(app)).map_err(ServiceError::InvalidFilter)?;
    look_up(app, filter).await
}

/// Returns the most frequent values of a text field or custom field that start with `prefix`, at most `count`.
///
/// # Errors
/// The store failed.
pub async fn values(app: &App, field: &FieldRef, prefix: &str, count: u32) -> Result<FieldValuesResponse> {
    let values = match field {
        FieldRef::Builtin(FieldId::NotCallableReason) => count_reasons(app, prefix, count as usize).await?,
        stored => app.store.field_values(stored, prefix, count).await?,
    };
    Ok(FieldValuesResponse { values })
}

/// Returns the reasons that block calls now and start with `prefix`, each with its number of leads.
async fn count_reasons(app: &App, prefix: &str, count: usize) -> Result<Vec<FieldValue>> {
    let now = app.now();
    let mut values = Vec::new();
    for code in NotCallableCode::names() {
        if !code.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)) {
            continue;
        }
        let (value, field) = (code.to_owned(), FieldRef::Builtin(FieldId::NotCallableReason));
        let test = Test::In { values: vec![Value::Text(value.clone())], includes_null: false };
        let leads = app.store.look_up(&first_leads_filter(Predicate::Field(field, test), 0), now).await?.total;
        values.push(FieldValue { value, leads });
    }
    values.retain(|entry| entry.leads > 0);
    values.sort_by(|entry, other| other.leads.cmp(&entry.leads).then_with(|| entry.value.cmp(&other.value)));
    values.truncate(count);
    Ok(values)
}

/// Returns a lead with all its campaigns.
///
/// # Errors
/// The lead doesn't exist; or storage failed.
pub async fn by_id(app: &App, id: LeadId) -> Result<ExtendedLead> {
    let now = app.now();
    let lookup = app.store.lead(id, now).await?.ok_or(ServiceError::NotFound("lead"))?;
    let lead = lookup.leads.first().ok_or(ServiceError::NotFound("lead"))?;
    Ok(Judge::new(&lookup, now).judge(lead).into())
}

/// Creates the filter for the first `count` leads by id that match a predicate.
pub(in crate::service) fn first_leads_filter(predicate: Predicate, count: usize) -> CheckedFilter {
    CheckedFilter {
        predicate,
        limit: Limit { count: u32::try_from(count).unwrap_or(u32::MAX), offset: 0 },
        order: vec![OrderKey { field: FieldId::Id, descending: false }],
        cursor: None,
        fields: None,
        campaigns: CampaignSelection::Matching,
    }
}

pub(in crate::service) fn limits(app: &App) -> Limits {
    Limits { max_count: app.config.limits.max_page_size }
}

async fn look_up(app: &App, filter: CheckedFilter) -> Result<LeadLookup> {
    let now = app.now();
    let page = app.store.look_up(&filter, now).await?;
    let last = page.leads.last().filter(|_| filter.cursor.is_some() && page.has_more);
    let next_cursor = last.map(|last| cursor::encode_after(&filter.order, &last.lead.to_lead()));
    Ok(LeadLookup { page, now, next_cursor, fields: filter.fields })
}

/// Determines the verdicts of leads, all for the same point in time.
struct Judge<'a> {
    campaigns: BTreeMap<CampaignId, &'a Campaign>,
    /// Dialable flag of each status, by name.
    dialable: BTreeMap<&'a str, bool>,
    now: Timestamp,
}

impl<'a> Judge<'a> {
    fn new(page: &'a LookupResult, now: Timestamp) -> Self {
        let campaigns = page.campaigns.iter().map(|campaign| (campaign.id, &**campaign)).collect();
        let dialable = page.statuses.iter().map(|status| (status.name.as_str(), status.dialable)).collect();
        Self { campaigns, dialable, now }
    }

    fn judge(&self, lead: &'a LookupLead) -> JudgedLead<'a> {
        let callee = lead.lead.callee();
        let campaigns =
            lead.campaign_leads.iter().filter_map(|campaign_lead| self.campaign_lead(&callee, campaign_lead)).collect();
        let not_callable_reasons = callable::judge_lead(&callee, lead.is_in_campaign);
        JudgedLead { lead: &lead.lead, campaigns, not_callable_reasons }
    }

    /// Returns a campaign lead with its verdict. The store returns the campaign of every campaign lead it returns.
    fn campaign_lead(&self, callee: &Callee<'_>, campaign_lead: &'a CampaignLead) -> Option<JudgedCampaignLead<'a>> {
        let campaign = *self.campaigns.get(&campaign_lead.campaign_id)?;
        let dialable = self.dialable.get(campaign_lead.status.as_str()).copied().unwrap_or(false);
        let verdict = callable::judge(callee, campaign_lead, campaign, dialable, self.now);
        Some(JudgedCampaignLead { campaign_lead, campaign, verdict })
    }
}
