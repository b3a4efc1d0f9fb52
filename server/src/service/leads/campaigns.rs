//! Campaigns.

use leadscribe_engine::api::{Campaign, CampaignId, CampaignPreview, CampaignProgress, Page, Timestamp};
use leadscribe_engine::record::{CampaignRecord, WriteMode};

use super::PREVIEW_POOL;
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, CampaignQuery, Slice};

mod preview;

/// Maximum number of leads evaluated for a preview, so that large campaigns take no longer than medium ones. With this sample
/// size, shares are accurate to about one percent.
const MAX_SAMPLED_LEADS: u32 = 20_000;

/// Returns a slice of the campaigns that match a query.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, query: &CampaignQuery, slice: Slice) -> Result<Page<Campaign>> {
    Ok(app.store.campaigns(query, slice).await?)
}

/// Returns the progress of the campaigns that [`list`] returns for the same arguments, in the same order.
///
/// # Errors
/// The store failed.
pub async fn progress(app: &App, query: &CampaignQuery, slice: Slice) -> Result<Page<CampaignProgress>> {
    Ok(app.store.campaign_progress(query, slice).await?)
}

/// Previews the effect of a change (JSON text) on the leads of a campaign. Changes nothing.
///
/// # Errors
/// The text is invalid (all errors are reported); the campaign doesn't exist; or storage failed.
pub async fn preview(app: &App, id: CampaignId, text: &str) -> Result<CampaignPreview> {
    let record = CampaignRecord::from_json(text, WriteMode::Update).map_err(ServiceError::InvalidRequest)?;
    let (store, now) = (app.store.clone(), app.now());
    let permit = PREVIEW_POOL.acquire().await;
    // A separate task holds the permit until the leads are read, even if the client disconnects.
    let task = tokio::spawn(async move {
        let sample = store.campaign_sample(id, MAX_SAMPLED_LEADS).await?.ok_or(ServiceError::NotFound("campaign"))?;
        Ok(permit.run(move || preview::preview(&sample, &record, now)).await?)
    });
    task.await?
}

/// Returns a campaign.
///
/// # Errors
/// The campaign doesn't exist; or storage failed.
pub async fn read(app: &App, id: CampaignId) -> Result<Campaign> {
    app.store.campaign(id).await?.ok_or(ServiceError::NotFound("campaign"))
}

/// Stores a new campaign from JSON text.
///
/// # Errors
/// The text is invalid (all errors are reported); its name or id is taken; or storage failed.
pub async fn create(app: &App, text: &str, audit: &AuditContext) -> Result<Campaign> {
    let record = CampaignRecord::from_json(text, WriteMode::Create).map_err(ServiceError::InvalidRequest)?;
    Ok(app.store.create_campaign(record, audit).await?)
}

/// Changes the fields of a campaign that the JSON text names. With `expected_versions`, only if its `updated_at` is one of them.
///
/// # Errors
/// The text is invalid (all errors are reported); the campaign doesn't exist; its name is taken; it was changed since; or
/// storage failed.
pub async fn update(
    app: &App,
    id: CampaignId,
    text: &str,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<Campaign> {
    let record = CampaignRecord::from_json(text, WriteMode::Update).map_err(ServiceError::InvalidRequest)?;
    app.store.update_campaign(id, record, expected_versions, audit).await?.ok_or(ServiceError::NotFound("campaign"))
}

/// Deletes a campaign. With `expected_versions`, only if its `updated_at` is one of them.
///
/// # Errors
/// The campaign doesn't exist or has leads; it was changed since; or storage failed.
pub async fn delete(
    app: &App,
    id: CampaignId,
    expected_versions: Option<Vec<Timestamp>>,
    audit: &AuditContext,
) -> Result<()> {
    let existed = app.store.delete_campaign(id, expected_versions, audit).await?;
    existed.then_some(()).ok_or(ServiceError::NotFound("campaign"))
}
