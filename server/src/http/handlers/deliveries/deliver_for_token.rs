use leadscribe_engine::api::{NewSpeechRequest, SpeechRequestResponse, TokenId};
use leadscribe_engine::callback::CallbackTarget;
use leadscribe_engine::diagnostic::{Diagnostic, Location};

use crate::http::prelude::*;
use crate::http::problem::Code;
use crate::http::query;
use crate::service::deliveries;
use crate::service::speech::transcripts;
use crate::storage::{Slice, TranscriptQuery};

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
    let (query, slice, target) =
        validate(&app, &new_request).map_err(|diagnostics| Problem::diagnostics(Code::InvalidRequest, diagnostics))?;
    let speech_request = deliveries::request(&app, token, query, slice, &target, &request.audit_context(&app)).await?;
    Ok(reply::accepted(
        &format!("/api/deliveries?speech_request_id={}", speech_request.speech_request_id),
        &speech_request,
    ))
}

fn validate(
    app: &App,
    new_request: &NewSpeechRequest,
) -> Result<(TranscriptQuery, Slice, CallbackTarget), Vec<Diagnostic>> {
    let query = transcripts::check(&new_request.transcripts, |name| Location::Pointer(format!("/transcripts/{name}")));
    let location = Location::Pointer("/limit".to_owned());
    let slice = query::parse_slice(new_request.limit.as_deref(), app.config.limits.max_page_size, location);
    let target = deliveries::check(app, &new_request.callback, |name| Location::Pointer(format!("/callback/{name}")));
    match (query, slice, target) {
        (Ok(query), Ok(slice), Ok(target)) => Ok((query, slice, target)),
        (query, slice, target) => {
            let diagnostics = query.err().into_iter().flatten().chain(slice.err());
            Err(diagnostics.chain(target.err().into_iter().flatten()).collect())
        }
    }
}
