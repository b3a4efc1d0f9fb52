use leadscribe_engine::api::NewSpeechTokenResponse;

use crate::http::prelude::*;
use crate::service::auth::credentials;

/// Rotate the secret of a speech token.
///
/// The old secret stops working; the transcriptions stay with the token. The response contains the new secret, which can't be retrieved
/// again.
#[utoipa::path(
    post,
    path = "/api/speech-tokens/{token_id}/rotate",
    responses((status = 200, body = NewSpeechTokenResponse))
)]
pub async fn rotate(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("token_id")?;
    Ok(reply::json(&credentials::rotate_speech_token(&app, id, &request.audit_context(&app)).await?))
}
