use leadscribe_engine::api::SpeechToken;

use crate::http::prelude::*;
use crate::service::auth::credentials;

/// Revoke a speech token.
///
/// The token stops working but stays in the list with its transcriptions. Revoking it again has no effect.
#[utoipa::path(
    delete,
    path = "/api/speech-tokens/{token_id}",
    responses((status = 200, body = SpeechToken))
)]
pub async fn revoke(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("token_id")?;
    Ok(reply::json(&credentials::revoke_speech_token(&app, id, &request.audit_context(&app)).await?))
}
