//! `GET /api/imports/{import_id}`.

use std::sync::Arc;

use leadscribe_engine::api::Import;

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::imports;

/// One import: how far it is, and what became of its rows.
#[utoipa::path(
    get,
    path = "/api/imports/{import_id}",
    tag = "imports",
    params(("import_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = Import), (status = 404, description = "There is no such import"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let id = request.params.id("import_id")?;
    Ok(reply::json(&imports::read(&app, id).await?))
}
