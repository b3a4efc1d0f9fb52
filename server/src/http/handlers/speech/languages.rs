//! `GET /api/speech-recognition/languages`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::speech::model;

/// List the languages of the recognizer as canonical BCP 47 codes.
#[utoipa::path(
    get,
    path = "/api/speech-recognition/languages",
    tag = "speech-recognition",
    responses((status = 200, body = Vec<String>))
)]
pub async fn languages(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::json(&model::languages(&app.config)))
}
