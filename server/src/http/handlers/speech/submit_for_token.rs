//! `POST /api/speech-tokens/{token_id}/submissions`.

use std::sync::Arc;

use leadscribe_engine::api::SubmissionResponse;

use super::submission;
use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::Response;
use crate::http::request::Request;
use crate::service::submit_calls::Owner;

/// Submit calls to speech recognition for a token, without its secret.
///
/// Body and response are those of `POST /api/speech-recognition`, except that the body has no `token`.
#[utoipa::path(
    post,
    path = "/api/speech-tokens/{token_id}/submissions",
    tag = "speech-recognition",
    params(
        ("token_id" = i64, Path, minimum = 1),
        (
            "dry_run" = Option<bool>,
            Query,
            description = "Answer the same verdicts and the minutes in all, and queue nothing",
            example = true
        ),
        (
            "Idempotency-Key" = Option<String>,
            Header,
            description = "1 to 255 visible ASCII characters; sent again with the same body, the first answer is given again. Ignored with `dry_run`, which has no effect to repeat",
            example = "2f1c6a1e-nightly"
        )
    ),
    request_body(
        content = ref("#/components/schemas/SubmissionForToken"),
        description = "Which calls, in which languages",
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
        (status = 404, description = "There is no such token"),
        (status = 409, description = "A submission with the same idempotency key is being carried out"),
        (status = 422, description = "Another body was sent before under the same idempotency key"),
        (
            status = 429,
            description = "Idempotency keys of the token already keep as many verdicts on skipped calls as they may; without a key it is taken"
        )
    )
)]
pub async fn submit_for_token(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let token = request.params.id("token_id")?;
    submission::carry_out(app, request, Owner::Token(token)).await
}
