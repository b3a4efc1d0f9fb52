use leadscribe_engine::api::WebhookSecret;

use crate::http::prelude::*;
use crate::service::deliveries;

/// Get the webhook secret of a token, which signs its deliveries.
#[utoipa::path(
    get,
    path = "/api/speech-tokens/{token_id}/webhook-secret",
    responses((status = 200, body = WebhookSecret))
)]
pub async fn webhook_secret(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("token_id")?;
    Ok(reply::json(&deliveries::webhook_secret(&app, id).await?))
}
