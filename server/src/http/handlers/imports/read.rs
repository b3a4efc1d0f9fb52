//! `GET /api/imports/{import_id}`.

use std::sync::Arc;

use leadscribe_engine::api::Import;

use super::{reading, writing};
use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::imports;

/// Get the progress and result of an import.
///
/// Imports of calls need the scope `calls:read` or `calls:write`, all others `leads:read` or `leads:write`.
#[utoipa::path(
    get,
    path = "/api/imports/{import_id}",
    tag = "imports",
    params(("import_id" = i64, Path, minimum = 1)),
    responses((status = 200, body = Import), (status = 404, description = "There is no such import"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let import = imports::read(&app, request.params.id("import_id")?).await?;
    let enough = [reading(import.kind), writing(import.kind)];
    if !enough.iter().any(|scope| request.identity.has(*scope)) {
        return Err(Refusal::forbidden_without(&enough));
    }
    Ok(reply::json(&import))
}
