use crate::http::prelude::*;
use crate::service::auth::staff;

/// Remove a member of staff and their sessions.
///
/// The last admin who can log in can't be removed.
#[utoipa::path(
    delete,
    path = "/api/users/{user_id}",
    responses((status = 204, description = "Removed"))
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("user_id")?;
    staff::delete(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
