use leadscribe_engine::api::Webhook;

use super::owner;
use crate::http::prelude::*;
use crate::service::webhooks;

/// Get a webhook.
#[utoipa::path(
    get,
    path = "/api/webhooks/{webhook_id}",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag` of an earlier response")),
    responses((status = 200, body = Webhook), (status = 304, description = "The client's copy is up to date"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("webhook_id")?;
    let webhook = webhooks::read(&app, id, owner(&request)).await?;
    Ok(etag::conditional_json(&request.headers, Some(webhook.updated_at), &webhook))
}
