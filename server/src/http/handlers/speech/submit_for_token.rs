//! `POST /api/speech-tokens/{token_id}/submissions`.

use leadscribe_engine::api::SubmissionResponse;

use super::submission;
use crate::http::prelude::*;
use crate::service::speech::call_submission::SubmissionOwner;

/// Submit calls to speech recognition for a token, without its secret.
///
/// Body and response are those of `POST /api/speech-recognition`, except that the body has no `token`.
#[utoipa::path(
    post,
    path = "/api/speech-tokens/{token_id}/submissions",
    params(
        (
            "dry_run" = Option<bool>,
            Query,
            description = "Return the same outcomes and total minutes without queueing anything",
            example = true
        ),
        (
            "Idempotency-Key" = Option<String>,
            Header,
            description = "1 to 255 visible ASCII characters; repeating a request with the same key and body returns \
                 the first response. Ignored with `dry_run`",
            example = "2f1c6a1e-nightly"
        )
    ),
    request_body(
        content = ref("#/components/schemas/SubmissionForToken"),
        description = "The calls and their languages",
        example = json!({ "call_ids": [101, 102], "languages": ["en"], "recording_side": "caller" })
    ),
    responses(
        (
            status = 200,
            body = SubmissionResponse,
            description = "One entry per call, accepted or skipped with the reason",
            example = json!({ "results": { "calls": {
                "101": { "status": "accepted", "transcription_id": 7 },
                "102": {
                    "status": "skipped",
                    "reason": "recording_pending",
                    "message": "The recording is still being prepared."
                }
            } } })
        ),
        (status = 409, description = "A submission with the same idempotency key is in progress"),
        (status = 422, description = "The idempotency key was used before with another body"),
        (
            status = 429,
            description = "The token's idempotency keys have reached their limit of stored outcomes of skipped calls; \
                 retry without a key"
        )
    )
)]
pub async fn submit_for_token(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let token = request.params.id("token_id")?;
    submission::handle(app, request, SubmissionOwner::Token(token)).await
}
