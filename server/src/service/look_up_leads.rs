//! Look-ups of leads with their campaigns, status, and reasons why they can't be called now.

use std::collections::{BTreeMap, BTreeSet};

use leadscribe_engine::api::*;
use leadscribe_engine::callable::{self, Callee, Verdict};
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{CampaignsShown, FieldRef, Limit, OrderKey, Predicate, Test, Value};
use leadscribe_engine::filter::{self, CheckedFilter, Limits, cursor};
use leadscribe_lead_index::PackedLead;

use super::error::ServiceError;
use crate::app::App;
use crate::storage::{Found, FoundLead};

/// Result of a look-up, and the requested form.
#[derive(Clone, Debug)]
pub struct LeadsFound {
    /// Page of leads.
    pub page: Found,
    /// Time of the request; the meaning of "now" in the filter.
    pub now: Timestamp,
    /// Cursor of the next page, if cursors were requested and there is a next page.
    pub next_cursor: Option<String>,
    /// Requested members of a lead; `None` for all.
    pub fields: Option<BTreeSet<String>>,
}

impl LeadsFound {
    /// Returns the leads of the page, each judged on demand.
    pub fn judged(&self) -> impl Iterator<Item = JudgedLead<'_>> {
        let judge = Judge::new(&self.page, self.now);
        self.page.leads.iter().map(move |lead| judge.judge(lead))
    }
}

/// A lead with its campaigns and the reasons why it can't be called.
#[derive(Clone, Debug)]
pub struct JudgedLead<'a> {
    /// The lead.
    pub lead: &'a PackedLead,
    /// The shown campaign leads, by id.
    pub campaigns: Vec<JudgedCampaignLead<'a>>,
    /// Reasons that apply in every campaign.
    pub not_callable_reasons: Vec<NotCallableReason>,
}

/// A campaign lead with its campaign and whether it can be called now.
#[derive(Clone, Debug)]
pub struct JudgedCampaignLead<'a> {
    /// The campaign lead, with `calls_today` of the current day.
    pub campaign_lead: &'a CampaignLead,
    /// Its campaign.
    pub campaign: &'a Campaign,
    /// Verdict: callable, or the reasons why not.
    pub verdict: Verdict,
}

impl From<JudgedCampaignLead<'_>> for CampaignDetails {
    fn from(JudgedCampaignLead { campaign_lead: one, campaign, verdict }: JudgedCampaignLead<'_>) -> Self {
        Self {
            campaign_lead_id: one.id,
            campaign_id: one.campaign_id,
            campaign_name: campaign.name.clone(),
            status: one.status.clone(),
            weight: one.weight,
            calls_count: one.calls_count,
            calls_today: one.calls_today,
            last_call_at: one.last_call_at,
            last_call_status: one.last_call_status.clone(),
            freeze_until: one.freeze_until,
            callback_at: one.callback_at,
            assigned_user_id: one.assigned_user_id,
            created_at: one.created_at,
            updated_at: one.updated_at,
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
/// The filter is invalid (all faults are reported); or storage failed.
pub async fn by_text(app: &App, text: &str) -> Result<LeadsFound, ServiceError> {
    let filter = filter::read(text, &limits(app)).map_err(ServiceError::InvalidFilter)?;
    look_up(app, filter).await
}

/// Looks up leads by key-value pairs from a query string or a path.
///
/// # Errors
/// The pairs are invalid (all faults are reported); or storage failed.
pub async fn by_pairs(app: &App, pairs: &[(String, String)]) -> Result<LeadsFound, ServiceError> {
    let filter = filter::read_pairs(pairs, &limits(app)).map_err(ServiceError::InvalidFilter)?;
    look_up(app, filter).await
}

/// Returns the most frequent values of a text field or custom field that start with `prefix`, at most `count`.
///
/// # Errors
/// The store failed.
pub async fn values(
    app: &App,
    field: &FieldRef,
    prefix: &str,
    count: u32,
) -> Result<FieldValuesResponse, ServiceError> {
    let values = match field {
        FieldRef::Known(FieldId::NotCallableReason) => reasons(app, prefix, count as usize).await?,
        stored => app.store.field_values(stored, prefix, count).await?,
    };
    Ok(FieldValuesResponse { values })
}

/// Returns the reasons not to call now that start with `prefix`, each with its number of leads.
async fn reasons(app: &App, prefix: &str, count: usize) -> Result<Vec<FieldValue>, ServiceError> {
    let now = app.now();
    let mut values = Vec::new();
    for code in NotCallableCode::names() {
        if !code.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)) {
            continue;
        }
        let (value, reason) = (code.to_owned(), FieldRef::Known(FieldId::NotCallableReason));
        let has = Test::In { values: vec![Value::Text(value.clone())], null: false };
        let leads = app.store.look_up(&leads_that(Predicate::Field(reason, has), 0), now).await?.total;
        values.push(FieldValue { value, leads });
    }
    values.retain(|one| one.leads > 0);
    values.sort_by(|one, other| other.leads.cmp(&one.leads).then_with(|| one.value.cmp(&other.value)));
    values.truncate(count);
    Ok(values)
}

/// Returns a lead with all its campaigns.
///
/// # Errors
/// The lead doesn't exist; or storage failed.
pub async fn by_id(app: &App, id: LeadId) -> Result<ExtendedLead, ServiceError> {
    let now = app.now();
    let found = app.store.lead(id, now).await?.ok_or(ServiceError::NotFound("lead"))?;
    let lead = found.leads.first().ok_or(ServiceError::NotFound("lead"))?;
    Ok(Judge::new(&found, now).judge(lead).into())
}

/// Creates the filter for the first `most` leads by id that match a predicate.
pub(super) fn leads_that(predicate: Predicate, most: usize) -> CheckedFilter {
    CheckedFilter {
        predicate,
        limit: Limit { count: u32::try_from(most).unwrap_or(u32::MAX), offset: 0 },
        order: vec![OrderKey { field: FieldId::Id, descending: false }],
        cursor: None,
        fields: None,
        campaigns: CampaignsShown::Matching,
    }
}

pub(super) fn limits(app: &App) -> Limits {
    Limits { max_count: app.config.limits.max_page }
}

async fn look_up(app: &App, filter: CheckedFilter) -> Result<LeadsFound, ServiceError> {
    let now = app.now();
    let page = app.store.look_up(&filter, now).await?;
    let last = page.leads.last().filter(|_| filter.cursor.is_some() && page.more);
    let next_cursor = last.map(|last| cursor::after(&filter.order, &last.lead.to_lead()));
    Ok(LeadsFound { page, now, next_cursor, fields: filter.fields })
}

/// Judges leads, all at the same time.
struct Judge<'a> {
    campaigns: BTreeMap<CampaignId, &'a Campaign>,
    dialable: BTreeMap<&'a str, bool>,
    now: Timestamp,
}

impl<'a> Judge<'a> {
    fn new(found: &'a Found, now: Timestamp) -> Self {
        let campaigns = found.campaigns.iter().map(|campaign| (campaign.id, &**campaign)).collect();
        let dialable = found.statuses.iter().map(|status| (status.name.as_str(), status.dialable)).collect();
        Self { campaigns, dialable, now }
    }

    fn judge(&self, found: &'a FoundLead) -> JudgedLead<'a> {
        let callee = found.lead.callee();
        let campaigns = found.campaign_leads.iter().filter_map(|one| self.campaign_lead(&callee, one)).collect();
        let not_callable_reasons = callable::judge_lead(&callee, found.in_campaign);
        JudgedLead { lead: &found.lead, campaigns, not_callable_reasons }
    }

    /// Returns a campaign lead with its verdict. The store returns the campaign of every campaign lead it returns.
    fn campaign_lead(&self, callee: &Callee<'_>, one: &'a CampaignLead) -> Option<JudgedCampaignLead<'a>> {
        let campaign = *self.campaigns.get(&one.campaign_id)?;
        let dialable = self.dialable.get(one.status.as_str()).copied().unwrap_or(false);
        let verdict = callable::judge(callee, one, campaign, dialable, self.now);
        Some(JudgedCampaignLead { campaign_lead: one, campaign, verdict })
    }
}
