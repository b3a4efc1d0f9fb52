use leadscribe_engine::api::ExtendedLead;

use crate::http::prelude::*;
use crate::service::leads::lead_lookup;

/// Get a lead with all its campaigns and the reasons that block calls now.
#[utoipa::path(
    get,
    path = "/api/leads/{lead_id}",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag` of an earlier response")),
    responses((status = 200, body = ExtendedLead), (status = 304, description = "The client's copy is up to date"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("lead_id")?;
    let lead = lead_lookup::by_id(&app, id).await?;
    Ok(etag::conditional_json(&request.headers, Some(lead.lead.updated_at), &lead))
}
