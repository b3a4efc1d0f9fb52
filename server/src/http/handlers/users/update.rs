use leadscribe_engine::api::{UpdateUserRequest, User};

use crate::http::prelude::*;
use crate::service::auth::staff;

/// Change the role, password or active state of a member of staff.
///
/// Any change ends their sessions. The last admin who can log in can't lose that role or be deactivated.
#[utoipa::path(
    patch,
    path = "/api/users/{user_id}",
    request_body = UpdateUserRequest,
    responses((status = 200, body = User))
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let id = request.params.id("user_id")?;
    let change: UpdateUserRequest = request.json(app.config.limits.max_json_bytes).await?;
    let user = staff::update(&app, id, change, &request.audit_context(&app)).await?;
    Ok(reply::json(&user))
}
