use crate::http::openapi;
use crate::http::prelude::*;

/// Get this document.
#[utoipa::path(
    get,
    path = "/api/openapi.json",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = Object))
)]
pub async fn read(_app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::shared("application/json", openapi::json()))
}
