//! Code shared by both submit operations.

use crate::http::prelude::*;
use crate::service::speech::call_submission::{self, SubmissionOwner, SubmissionRequest};

/// Defines a submit operation. Its documentation is the text for this operation, followed by what both have in common.
macro_rules! submission_handler {
    (
        $(#[doc = $description:literal])+
        $name:ident at $path:literal,
        body $schema:literal, $body_description:literal, $body:tt,
        responses ($($responses:tt)*),
        |$request:ident| $owner:expr
    ) => {
        $(#[doc = $description])+
        #[utoipa::path(
            post,
            path = $path,
            params(
                (
                    "dry_run" = Option<bool>,
                    Query,
                    description = "Return the same outcomes and total minutes without queueing anything",
                    example = true
                )
            ),
            request_body(content = ref($schema), description = $body_description, example = json!($body)),
            responses(
                (
                    status = 200,
                    body = leadscribe_engine::api::SubmissionResponse,
                    description = "One entry per call, accepted or skipped with the reason",
                    example = json!({ "results": { "calls": {
                        "101": { "status": "accepted", "transcription_id": 7 },
                        "102": {
                            "status": "skipped",
                            "reason": "recording_pending",
                            "message": "The recording is still being prepared."
                        }
                    } }, "speech_request_id": 31 })
                ),
                $($responses)*
                (
                    status = 429,
                    description = "The token has reached its limit of pending deliveries, of stored templates, or of \
                         stored responses; retry after the time in `Retry-After`, or without an idempotency key"
                )
            )
        )]
        pub async fn $name(app: Arc<App>, $request: Request) -> Result<Response, Problem> {
            let owner = $owner;
            super::submission::handle(app, $request, owner).await
        }
    };
}
pub(super) use submission_handler;

/// Handles a submission whose transcriptions belong to `owner`.
pub async fn handle(app: Arc<App>, mut request: Request, owner: SubmissionOwner) -> Result<Response, Problem> {
    let mut query = request.query.reader();
    let dry_run = query.flag("dry_run");
    query.finish()?;
    let text = request.text(app.config.limits.max_json_bytes).await?;
    let submission = SubmissionRequest { text: &text, owner, dry_run };
    Ok(reply::json(&call_submission::submit(&app, &submission, &request.audit_context(&app)).await?))
}
