use crate::http::prelude::*;
use crate::speech::model;

/// List the languages of the recognizer as canonical BCP 47 codes.
#[utoipa::path(
    get,
    path = "/api/speech-recognition/languages",
    responses((status = 200, body = Vec<String>))
)]
pub async fn languages(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::json(&model::languages(&app.config)))
}
