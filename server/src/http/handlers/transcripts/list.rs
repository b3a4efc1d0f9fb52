use leadscribe_engine::api::Transcription;

use crate::http::prelude::*;
use crate::service::speech::transcripts;

/// List the transcriptions of a call, latest first.
#[utoipa::path(
    get,
    path = "/api/calls/{call_id}/transcriptions",
    responses((status = 200, body = Vec<Transcription>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("call_id")?;
    Ok(reply::json(&transcripts::transcriptions(&app, id).await?))
}
