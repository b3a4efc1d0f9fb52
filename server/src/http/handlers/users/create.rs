//! `POST /api/users`.

use std::sync::Arc;

use leadscribe_engine::api::{NewUserRequest, User};

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::staff;

/// Add a member of staff.
#[utoipa::path(
    post,
    path = "/api/users",
    tag = "users",
    request_body = NewUserRequest,
    responses((status = 201, body = User))
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Refusal> {
    let new: NewUserRequest = request.json(app.config.limits.max_json_bytes).await?;
    let user = staff::create(&app, new, &request.origin(&app)).await?;
    Ok(reply::created(&format!("/api/users/{}", user.id), &user))
}
