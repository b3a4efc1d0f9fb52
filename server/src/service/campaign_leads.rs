//! Leads in campaigns.

use leadscribe_engine::api::{CampaignLead, CampaignLeadId, Timestamp};
use leadscribe_engine::filter::calls_today;
use leadscribe_engine::record::{CampaignLeadRecord, Form};

use super::error::ServiceError;
use crate::app::App;
use crate::storage::Origin;

/// Returns a campaign lead.
///
/// # Errors
/// The campaign lead doesn't exist; or storage failed.
pub async fn read(app: &App, id: CampaignLeadId) -> Result<CampaignLead, ServiceError> {
    let found = app.store.campaign_lead(id).await?.ok_or(ServiceError::NotFound("campaign lead"))?;
    Ok(of_today(app, found))
}

/// Resets `calls_today` to 0 if it was counted on an earlier day.
fn of_today(app: &App, campaign_lead: CampaignLead) -> CampaignLead {
    let calls_today = calls_today(&campaign_lead, app.clock.now());
    CampaignLead { calls_today, ..campaign_lead }
}

/// Adds a lead to a campaign, from JSON text.
///
/// # Errors
/// The text is invalid (all faults are reported); the lead, campaign or status doesn't exist; the lead is already in the
/// campaign; or storage failed.
pub async fn create(app: &App, text: &str, by: &Origin) -> Result<CampaignLead, ServiceError> {
    let record = CampaignLeadRecord::from_json(text, Form::Create).map_err(ServiceError::InvalidRequest)?;
    Ok(of_today(app, app.store.create_campaign_lead(record, by).await?))
}

/// Changes the fields of a campaign lead that the JSON text names. With `unchanged`, only if it was last changed at that time.
///
/// # Errors
/// The text is invalid (all faults are reported); the campaign lead or status doesn't exist; it was changed since; or the
/// store failed.
pub async fn update(
    app: &App,
    id: CampaignLeadId,
    text: &str,
    unchanged: Option<Timestamp>,
    by: &Origin,
) -> Result<CampaignLead, ServiceError> {
    let record = CampaignLeadRecord::from_json(text, Form::Change).map_err(ServiceError::InvalidRequest)?;
    let changed = app.store.update_campaign_lead(id, record, unchanged, by).await?;
    changed.map(|changed| of_today(app, changed)).ok_or(ServiceError::NotFound("campaign lead"))
}

/// Removes a lead from a campaign.
///
/// # Errors
/// The campaign lead doesn't exist; or storage failed.
pub async fn delete(app: &App, id: CampaignLeadId, by: &Origin) -> Result<(), ServiceError> {
    let existed = app.store.delete_campaign_lead(id, by).await?;
    existed.then_some(()).ok_or(ServiceError::NotFound("campaign lead"))
}
