//! `GET /api/users`.

use std::sync::Arc;

use leadscribe_engine::api::User;

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::staff;

/// All staff, by e-mail.
#[utoipa::path(get, path = "/api/users", tag = "users", responses((status = 200, body = Vec<User>)))]
pub async fn list(app: Arc<App>, _request: Request) -> Result<Response, Refusal> {
    Ok(reply::json(&staff::list(&app).await?))
}
