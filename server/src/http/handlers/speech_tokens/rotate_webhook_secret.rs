use leadscribe_engine::api::WebhookSecret;

use crate::http::prelude::*;
use crate::service::deliveries;

/// Rotate the webhook secret of a token.
///
/// For a day, deliveries are also signed with the old secret, so that receivers can be updated.
#[utoipa::path(
    post,
    path = "/api/speech-tokens/{token_id}/webhook-secret/rotate",
    responses(
        (status = 200, body = WebhookSecret),
        (status = 409, description = "The token is revoked")
    )
)]
pub async fn rotate_webhook_secret(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("token_id")?;
    Ok(reply::json(&deliveries::rotate_webhook_secret(&app, id, &request.audit_context(&app)).await?))
}
