use leadscribe_engine::api::WebhookSecret;

use super::owner;
use crate::http::prelude::*;
use crate::service::webhooks;

/// Rotate the secret of a webhook.
///
/// For a day, deliveries are also signed with the old secret, so that receivers can be updated. The response contains the new secret, which
/// can't be retrieved again.
#[utoipa::path(
    post,
    path = "/api/webhooks/{webhook_id}/rotate-secret",
    responses((status = 200, body = WebhookSecret))
)]
pub async fn rotate_secret(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("webhook_id")?;
    Ok(reply::json(&webhooks::rotate_secret(&app, id, owner(&request), &request.audit_context(&app)).await?))
}
