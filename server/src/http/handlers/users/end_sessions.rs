use crate::http::prelude::*;
use crate::service::auth::staff;

/// End all sessions of a member of staff.
///
/// They can log in again. To prevent that, deactivate them or change their password.
#[utoipa::path(
    delete,
    path = "/api/users/{user_id}/sessions",
    responses((status = 204, description = "The sessions have ended"))
)]
pub async fn end_sessions(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("user_id")?;
    staff::end_sessions(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
