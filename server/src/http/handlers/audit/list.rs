//! `GET /api/audit-log`.

use std::sync::Arc;

use leadscribe_engine::api::{AuditEntry, Page};

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::operations;

/// Who did what, newest first.
#[utoipa::path(
    get,
    path = "/api/audit-log",
    tag = "audit-log",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<AuditEntry>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let mut query = request.query.reader();
    let slice = query.slice(app.config.limits.max_page);
    query.finish()?;
    Ok(reply::json(&operations::audit_log(&app, slice).await?))
}
