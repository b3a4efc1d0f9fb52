//! `GET /api/speech-recognition/recognizer`.

use std::sync::Arc;

use leadscribe_engine::api::RecognizerStatus;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::operations;

/// Get the state of the recognizer, its model and its queue.
#[utoipa::path(
    get,
    path = "/api/speech-recognition/recognizer",
    tag = "speech-recognition",
    responses((status = 200, body = RecognizerStatus))
)]
pub async fn recognizer(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::json(&operations::recognizer(&app).await?))
}
