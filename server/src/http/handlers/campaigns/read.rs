//! `GET /api/campaigns/{campaign_id}`.

use std::sync::Arc;

use leadscribe_engine::api::Campaign;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::leads::campaigns;

/// Get a campaign.
#[utoipa::path(
    get,
    path = "/api/campaigns/{campaign_id}",
    tag = "campaigns",
    params(("campaign_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = Campaign), (status = 404, description = "There is no such campaign"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_id")?;
    Ok(reply::json(&campaigns::read(&app, id).await?))
}
