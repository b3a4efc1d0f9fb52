//! `GET /healthz`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;

/// Check that the process is running.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "server",
    responses((status = 200, content_type = "text/plain", body = String))
)]
pub async fn live(_app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::bytes("text/plain; charset=utf-8", "ok\n"))
}
