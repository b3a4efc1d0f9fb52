use leadscribe_engine::api::{Page, SpeechToken};

use crate::http::prelude::*;
use crate::service::auth::credentials;

/// List all speech tokens without their secrets, newest first.
#[utoipa::path(
    get,
    path = "/api/speech-tokens",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<SpeechToken>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let slice = request.query.slice(app.config.limits.max_page_size)?;
    Ok(reply::json(&credentials::speech_tokens(&app, slice).await?))
}
