use leadscribe_engine::api::{NewSpeechTokenRequest, NewSpeechTokenResponse};

use crate::http::prelude::*;
use crate::service::auth::credentials;

/// Create a speech token.
///
/// The response contains its secret, which can't be retrieved again.
#[utoipa::path(
    post,
    path = "/api/speech-tokens",
    request_body = NewSpeechTokenRequest,
    responses((status = 201, body = NewSpeechTokenResponse))
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let new_token: NewSpeechTokenRequest = request.json(app.config.limits.max_json_bytes).await?;
    let created = credentials::create_speech_token(&app, new_token, &request.audit_context(&app)).await?;
    Ok(reply::created("/api/speech-tokens", &created))
}
