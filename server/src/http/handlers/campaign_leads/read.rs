//! `GET /api/campaign-leads/{campaign_lead_id}`.

use leadscribe_engine::api::CampaignLead;

use crate::http::prelude::*;
use crate::service::leads::campaign_leads;

/// Get a campaign lead.
#[utoipa::path(
    get,
    path = "/api/campaign-leads/{campaign_lead_id}",
    responses((status = 200, body = CampaignLead))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_lead_id")?;
    Ok(reply::json(&campaign_leads::read(&app, id).await?))
}
