//! `DELETE /api/users/{user_id}/sessions`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::auth::staff;

/// End all sessions of a member of staff.
///
/// They can log in again. To prevent that, deactivate them or change their password.
#[utoipa::path(
    delete,
    path = "/api/users/{user_id}/sessions",
    tag = "users",
    params(("user_id" = i64, Path, minimum = 1)),
    responses((status = 204, description = "The sessions have ended"))
)]
pub async fn end_sessions(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("user_id")?;
    staff::end_sessions(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
