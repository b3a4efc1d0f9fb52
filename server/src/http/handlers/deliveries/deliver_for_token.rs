use leadscribe_engine::api::{NewSpeechRequest, SpeechRequestResponse, TokenId};

use super::speech_request;
use crate::http::prelude::*;

/// Deliver search results of a token, without its secret.
#[utoipa::path(
    post,
    path = "/api/speech-tokens/{token_id}/speech-requests",
    request_body(
        content = NewSpeechRequest,
        example = json!({
            "transcripts": { "phrase": "call me back", "from": "2026-05-01T00:00:00Z" },
            "limit": "100;0",
            "callback": {
                "callback_url": "https://example.com/calls",
                "callback_method": "POST",
                "callback_data": "{\"id\":\"{call_id}\",\"result\":\"{speech_result}\"}"
            }
        })
    ),
    responses(
        (
            status = 202,
            body = SpeechRequestResponse,
            description = "The calls that are being delivered",
            headers(("Location" = String, description = "URL of their deliveries"))
        ),
        (status = 409, description = "The token is revoked"),
        (
            status = 429,
            description = "The token has reached its limit of pending deliveries or stored templates; retry after the \
                 time in `Retry-After`"
        )
    )
)]
pub async fn deliver_for_token(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let token: TokenId = request.params.id("token_id")?;
    let new_request: NewSpeechRequest = request.json(app.config.limits.max_json_bytes).await?;
    let pointer = |parent: &str, name: &str| format!("{parent}/{name}");
    let speech_request =
        speech_request::create(&app, token, &new_request, pointer, &request.audit_context(&app)).await?;
    Ok(reply::accepted(
        &format!("/api/deliveries?speech_request_id={}", speech_request.speech_request_id),
        &speech_request,
    ))
}
