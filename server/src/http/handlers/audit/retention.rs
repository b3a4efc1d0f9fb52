//! `GET /api/retention`.

use std::sync::Arc;

use leadscribe_engine::api::Retention;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::operations;

/// Get the retention periods.
///
/// The operator configures them. Audit log entries are never deleted.
#[utoipa::path(get, path = "/api/retention", tag = "audit-log", responses((status = 200, body = Retention)))]
pub async fn retention(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    Ok(reply::json(&operations::retention(&app)))
}
