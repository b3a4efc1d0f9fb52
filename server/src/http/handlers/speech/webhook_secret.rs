//! `GET /api/speech-recognition/webhook-secret`.

use std::sync::Arc;

use leadscribe_engine::api::WebhookSecret;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::deliveries;

/// Get the webhook secret of a token, for verification with a Standard Webhooks library.
#[utoipa::path(
    get,
    path = "/api/speech-recognition/webhook-secret",
    tag = "speech-recognition",
    responses((status = 200, body = WebhookSecret))
)]
pub async fn webhook_secret(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let token = request.identity.token()?;
    Ok(reply::json(&deliveries::webhook_secret(&app, token).await?))
}
