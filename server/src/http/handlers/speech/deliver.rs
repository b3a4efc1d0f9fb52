use leadscribe_engine::api::{SpeechRequestResponse, SpeechSearchRequest};

use crate::http::handlers::deliveries::speech_request;
use crate::http::prelude::*;

/// Deliver the results of a search in the transcripts of a token.
///
/// The body has the parameters of `GET /api/speech-recognition`. The calls found now are delivered, one call per request, signed according
/// to the Standard Webhooks specification. Send an `Idempotency-Key`, so that a repeated request orders nothing again.
#[utoipa::path(
    post,
    path = "/api/speech-recognition/searches",
    request_body(
        content = SpeechSearchRequest,
        example = json!({
            "phrase": "call me back",
            "from": "2026-05-01T00:00:00Z",
            "limit": "100;0",
            "callback_url": "https://example.com/calls",
            "callback_method": "POST",
            "callback_data": "{\"id\":\"{call_id}\",\"result\":\"{speech_result}\"}"
        })
    ),
    responses(
        (
            status = 202,
            body = SpeechRequestResponse,
            description = "The calls being delivered, and the total number found",
            headers(("Location" = String, description = "URL of their progress"))
        ),
        (
            status = 429,
            description = "The token has reached its limit of pending deliveries or stored templates; retry after the \
                 time in `Retry-After`"
        )
    )
)]
pub async fn deliver(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let token = request.identity.token()?;
    let search: SpeechSearchRequest = request.json(app.config.limits.max_json_bytes).await?;
    let audit = request.audit_context(&app);
    let pointer = |_: &str, name: &str| format!("/{name}");
    Ok(super::accepted(&speech_request::create(&app, token, &search.into(), pointer, &audit).await?))
}
