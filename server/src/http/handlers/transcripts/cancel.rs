use leadscribe_engine::api::{CancelTranscriptionsRequest, CancelledTranscriptions};

use crate::http::prelude::*;
use crate::service::speech::call_submission;

/// Cancel queued and running transcriptions.
///
/// The calls can be submitted again. Calls whose transcription is complete or that were never submitted are unchanged and not listed in the
/// response.
#[utoipa::path(
    post,
    path = "/api/transcriptions/cancel",
    request_body(content = CancelTranscriptionsRequest, example = json!({ "call_ids": [101, 102] })),
    responses((status = 200, body = CancelledTranscriptions))
)]
pub async fn cancel(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let CancelTranscriptionsRequest { call_ids } = request.json(app.config.limits.max_json_bytes).await?;
    Ok(reply::json(&call_submission::cancel(&app, &call_ids, &request.audit_context(&app)).await?))
}
