//! `GET /api/speech-tokens/{token_id}/webhook-secret`.

use std::sync::Arc;

use leadscribe_engine::api::WebhookSecret;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::deliveries;

/// Get the webhook secret of a token, which signs its deliveries.
#[utoipa::path(
    get,
    path = "/api/speech-tokens/{token_id}/webhook-secret",
    tag = "speech-tokens",
    params(("token_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = WebhookSecret), (status = 404, description = "There is no such token"))
)]
pub async fn webhook_secret(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("token_id")?;
    Ok(reply::json(&deliveries::webhook_secret(&app, id).await?))
}
