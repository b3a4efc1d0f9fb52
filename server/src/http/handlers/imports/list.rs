//! `GET /api/imports`.

use std::sync::Arc;

use leadscribe_engine::api::{Import, Page};

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::imports;

/// Imports, newest first.
#[utoipa::path(
    get,
    path = "/api/imports",
    tag = "imports",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<Import>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let slice = request.query.slice(app.config.limits.max_page)?;
    Ok(reply::json(&imports::list(&app, slice).await?))
}
