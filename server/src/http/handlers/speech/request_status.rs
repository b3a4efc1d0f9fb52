use leadscribe_engine::api::SpeechRequestStatus;

use crate::http::prelude::*;
use crate::service::deliveries;

/// Get the progress of the deliveries of a search or submission.
#[utoipa::path(
    get,
    path = "/api/speech-recognition/requests/{speech_request_id}",
    responses(
        (status = 200, body = SpeechRequestStatus),
        (status = 404, description = "The token has no such request")
    )
)]
pub async fn request_status(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let token = request.identity.token()?;
    let id = request.params.id("speech_request_id")?;
    Ok(reply::json(&deliveries::request_status(&app, token, id).await?))
}
