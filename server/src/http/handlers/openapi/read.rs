//! `GET /api/openapi.json`.

use std::sync::Arc;

use crate::http::openapi;
use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;

/// Get this document.
#[utoipa::path(
    get,
    path = "/api/openapi.json",
    tag = "server",
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = Object))
)]
pub async fn read(_app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::shared("application/json", openapi::json()))
}
