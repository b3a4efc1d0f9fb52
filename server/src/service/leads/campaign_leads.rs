//! Leads in campaigns.

use leadscribe_engine::api::{CampaignLead, CampaignLeadId, Timestamp};
use leadscribe_engine::filter::calls_today;
use leadscribe_engine::record::{CampaignLeadRecord, WriteMode};

use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::AuditContext;

/// Returns a campaign lead.
///
/// # Errors
/// The campaign lead doesn't exist; or storage failed.
pub async fn read(app: &App, id: CampaignLeadId) -> Result<CampaignLead> {
    let campaign_lead = app.store.campaign_lead(id).await?.ok_or(ServiceError::NotFound("campaign lead"))?;
    Ok(with_current_calls_today(app, campaign_lead))
}

/// Resets `calls_today` to 0 if it was counted on an earlier day.
fn with_current_calls_today(app: &App, campaign_lead: CampaignLead) -> CampaignLead {
    let calls_today = calls_today(&campaign_lead, app.clock.now());
    CampaignLead { calls_today, ..campaign_lead }
}

/// Adds a lead to a campaign, from JSON text.
///
/// # Errors
/// The text is invalid (all errors are reported); the lead, campaign or status doesn't exist; the lead is already in the
/// campaign; or storage failed.
pub async fn create(app: &App, text: &str, audit: &AuditContext) -> Result<CampaignLead> {
    let record = CampaignLeadRecord::from_json(text, WriteMode::Create).map_err(ServiceError::InvalidRequest)?;
    Ok(with_current_calls_today(app, app.store.create_campaign_lead(record, audit).await?))
}

/// Changes the fields of a campaign lead that the JSON text names. With `expected_versions`, only if its `updated_at` is one of them.
///
/// # Errors
/// The text is invalid (all errors are reported); the campaign lead or status doesn't exist; it was changed since; or the
/// store failed.
pub async fn update(
    app: &App,
    id: CampaignLeadId,
    text: &str,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<CampaignLead> {
    let record = CampaignLeadRecord::from_json(text, WriteMode::Update).map_err(ServiceError::InvalidRequest)?;
    let changed = app.store.update_campaign_lead(id, record, expected_versions, audit).await?;
    changed.map(|changed| with_current_calls_today(app, changed)).ok_or(ServiceError::NotFound("campaign lead"))
}

/// Removes a lead from a campaign. With `expected_versions`, only if the `updated_at` of the campaign lead is one of them.
///
/// # Errors
/// The campaign lead doesn't exist; it was changed since; or storage failed.
pub async fn delete(
    app: &App,
    id: CampaignLeadId,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<()> {
    let existed = app.store.delete_campaign_lead(id, expected_versions, audit).await?;
    existed.then_some(()).ok_or(ServiceError::NotFound("campaign lead"))
}
