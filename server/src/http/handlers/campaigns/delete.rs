//! `DELETE /api/campaigns/{campaign_id}`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::leads::campaigns;

/// Delete a campaign.
///
/// A campaign with leads can't be deleted.
#[utoipa::path(
    delete,
    path = "/api/campaigns/{campaign_id}",
    tag = "campaigns",
    params(("campaign_id" = i64, Path, minimum = 1)),
    responses(
        (status = 204, description = "Deleted"),
        (status = 404, description = "There is no such campaign"),
        (status = 409, description = "The campaign has leads")
    )
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_id")?;
    campaigns::delete(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
