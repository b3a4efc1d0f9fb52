use super::owner;
use crate::http::prelude::*;
use crate::service::webhooks;

/// Delete a webhook.
///
/// Its pending deliveries are stopped. Those that have ended stay listed until they are purged.
#[utoipa::path(
    delete,
    path = "/api/webhooks/{webhook_id}",
    params(("If-Match" = Option<String>, Header, description = "`ETag` of the version on which the change is based")),
    responses((status = 204, description = "Removed"), (status = 412, description = "The record has changed since that version"))
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("webhook_id")?;
    let expected_versions = request.expected_versions()?;
    webhooks::delete(&app, id, owner(&request), expected_versions, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
