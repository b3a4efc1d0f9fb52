use leadscribe_engine::api::RecognizerStatus;

use crate::http::prelude::*;
use crate::service::operations;

/// Get the state of the recognizer, its model and its queue.
#[utoipa::path(
    get,
    path = "/api/speech-recognition/recognizer",
    responses((status = 200, body = RecognizerStatus))
)]
pub async fn recognizer(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::json(&operations::recognizer(&app).await?))
}
