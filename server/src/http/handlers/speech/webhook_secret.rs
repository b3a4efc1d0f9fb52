use leadscribe_engine::api::WebhookSecret;

use crate::http::prelude::*;
use crate::service::deliveries;

/// Get the webhook secret of a token, for verification with a Standard Webhooks library.
#[utoipa::path(
    get,
    path = "/api/speech-recognition/webhook-secret",
    responses((status = 200, body = WebhookSecret))
)]
pub async fn webhook_secret(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let token = request.identity.token()?;
    Ok(reply::json(&deliveries::webhook_secret(&app, token).await?))
}
