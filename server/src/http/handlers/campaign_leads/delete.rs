use crate::http::prelude::*;
use crate::service::leads::campaign_leads;

/// Remove a lead from a campaign.
#[utoipa::path(
    delete,
    path = "/api/campaign-leads/{campaign_lead_id}",
    params(("If-Match" = Option<String>, Header, description = "`ETag` of the version on which the change is based")),
    responses((status = 204, description = "Deleted"), (status = 412, description = "The record has changed since that version"))
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_lead_id")?;
    campaign_leads::delete(&app, id, request.expected_versions()?, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
