use crate::http::prelude::*;
use crate::service::leads::campaigns;

/// Delete a campaign.
///
/// A campaign with leads can't be deleted.
#[utoipa::path(
    delete,
    path = "/api/campaigns/{campaign_id}",
    params(("If-Match" = Option<String>, Header, description = "`ETag` of the version on which the change is based")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 409, description = "The campaign has leads"),
        (status = 412, description = "The record has changed since that version")
    )
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("campaign_id")?;
    campaigns::delete(&app, id, request.expected_versions()?, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
