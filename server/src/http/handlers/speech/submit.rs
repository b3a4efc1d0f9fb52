//! `POST /api/speech-recognition`.

use leadscribe_engine::api::SubmissionResponse;

use super::submission;
use crate::http::prelude::*;
use crate::service::speech::call_submission::SubmissionOwner;

/// Submit calls to speech recognition.
///
/// If the body is invalid, nothing is queued and all errors are reported together. A call that can't be transcribed is skipped with a
/// reason; the others are accepted. Accepted calls are stored before the response is sent. The transcriptions belong to the token in the
/// body.
#[utoipa::path(
    post,
    path = "/api/speech-recognition",
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
        content = ref("#/components/schemas/Submission"),
        description = "The calls, the token and the languages",
        example = json!({
            "call_ids": [101, 102],
            "token": "ls_tok_...",
            "languages": ["en", "de"],
            "recording_side": "both",
            "min_duration": 5,
            "from": "2026-05-01T00:00:00Z",
            "till": "2026-05-31 23:59:59"
        })
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
        (status = 401, description = "The token is unknown or revoked"),
        (status = 409, description = "A submission with the same idempotency key is in progress"),
        (status = 422, description = "The idempotency key was used before with another body"),
        (
            status = 429,
            description = "The token's idempotency keys have reached their limit of stored outcomes of skipped calls; \
                 retry without a key"
        )
    )
)]
pub async fn submit(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    submission::handle(app, request, SubmissionOwner::TokenInBody).await
}
