//! `GET /api/calls/{call_id}/transcriptions`.

use std::sync::Arc;

use leadscribe_engine::api::Transcription;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::speech::transcripts;

/// List the transcriptions of a call, latest first.
#[utoipa::path(
    get,
    path = "/api/calls/{call_id}/transcriptions",
    tag = "transcripts",
    params(("call_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = Vec<Transcription>), (status = 404, description = "There is no such call"))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("call_id")?;
    Ok(reply::json(&transcripts::transcriptions(&app, id).await?))
}
