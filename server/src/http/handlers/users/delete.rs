//! `DELETE /api/users/{user_id}`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::auth::staff;

/// Remove a member of staff and their sessions.
///
/// The last admin who can log in can't be removed.
#[utoipa::path(
    delete,
    path = "/api/users/{user_id}",
    tag = "users",
    params(("user_id" = i64, Path, minimum = 1)),
    responses((status = 204, description = "Removed"))
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("user_id")?;
    staff::delete(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
