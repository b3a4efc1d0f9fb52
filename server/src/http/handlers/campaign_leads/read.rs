//! `GET /api/campaign-leads/{campaign_lead_id}`.

use std::sync::Arc;

use leadscribe_engine::api::CampaignLead;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::leads::campaign_leads;

/// Get a campaign lead.
#[utoipa::path(
    get,
    path = "/api/campaign-leads/{campaign_lead_id}",
    tag = "campaign-leads",
    params(("campaign_lead_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = CampaignLead), (status = 404, description = "There is no such campaign lead"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_lead_id")?;
    Ok(reply::json(&campaign_leads::read(&app, id).await?))
}
