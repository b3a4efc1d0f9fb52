use leadscribe_engine::api::{NewUserRequest, User};

use crate::http::prelude::*;
use crate::service::auth::staff;

/// Add a member of staff.
#[utoipa::path(
    post,
    path = "/api/users",
    request_body = NewUserRequest,
    responses((status = 201, body = User))
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let new_user: NewUserRequest = request.json(app.config.limits.max_json_bytes).await?;
    let user = staff::create(&app, new_user, &request.audit_context(&app)).await?;
    Ok(reply::created(&format!("/api/users/{}", user.id), &user))
}
