//! `GET /api/calls/{call_id}`.

use std::sync::Arc;

use leadscribe_engine::api::Call;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::calls;

/// Get a call.
#[utoipa::path(
    get,
    path = "/api/calls/{call_id}",
    tag = "calls",
    params(("call_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = Call), (status = 404, description = "There is no such call"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("call_id")?;
    Ok(reply::json(&calls::read(&app, id).await?))
}
