use leadscribe_engine::api::Campaign;

use crate::http::prelude::*;
use crate::service::leads::campaigns;

/// Get a campaign.
#[utoipa::path(
    get,
    path = "/api/campaigns/{campaign_id}",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag` of an earlier response")),
    responses((status = 200, body = Campaign), (status = 304, description = "The client's copy is up to date"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_id")?;
    let campaign = campaigns::read(&app, id).await?;
    Ok(etag::conditional_json(&request.headers, Some(campaign.updated_at), &campaign))
}
