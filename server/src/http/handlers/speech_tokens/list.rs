//! `GET /api/speech-tokens`.

use std::sync::Arc;

use leadscribe_engine::api::SpeechToken;

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::credentials;

/// All speech recognition tokens, newest first, without their secrets.
#[utoipa::path(
    get,
    path = "/api/speech-tokens",
    tag = "speech-tokens",
    responses((status = 200, body = Vec<SpeechToken>))
)]
pub async fn list(app: Arc<App>, _request: Request) -> Result<Response, Refusal> {
    Ok(reply::json(&credentials::speech_tokens(&app).await?))
}
