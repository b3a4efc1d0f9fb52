use leadscribe_engine::api::CampaignLead;

use crate::http::prelude::*;
use crate::service::leads::campaign_leads;

/// Get a campaign lead.
#[utoipa::path(
    get,
    path = "/api/campaign-leads/{campaign_lead_id}",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag` of an earlier response")),
    responses((status = 200, body = CampaignLead), (status = 304, description = "The client's copy is up to date"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_lead_id")?;
    let campaign_lead = campaign_leads::read(&app, id).await?;
    Ok(etag::conditional_json(&request.headers, Some(campaign_lead.updated_at), &campaign_lead))
}
