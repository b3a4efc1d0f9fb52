//! `GET /api/campaigns/{campaign_id}`.

use leadscribe_engine::api::Campaign;

use crate::http::prelude::*;
use crate::service::leads::campaigns;

/// Get a campaign.
#[utoipa::path(
    get,
    path = "/api/campaigns/{campaign_id}",
    responses((status = 200, body = Campaign))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_id")?;
    Ok(reply::json(&campaigns::read(&app, id).await?))
}
