//! `DELETE /api/campaign-leads/{campaign_lead_id}`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::leads::campaign_leads;

/// Remove a lead from a campaign.
#[utoipa::path(
    delete,
    path = "/api/campaign-leads/{campaign_lead_id}",
    tag = "campaign-leads",
    params(("campaign_lead_id" = i64, Path, minimum = 1)),
    responses(
        (status = 204, description = "Deleted"),
        (status = 404, description = "There is no such campaign lead")
    )
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_lead_id")?;
    campaign_leads::delete(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
