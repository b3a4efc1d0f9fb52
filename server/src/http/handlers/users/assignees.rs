//! `GET /api/assignees`.

use std::sync::Arc;

use leadscribe_engine::api::Assignee;

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::staff;

/// Staff that leads can be assigned to, by e-mail.
///
/// What every member of staff may know of the others; those who were deactivated are among them, so that their leads can
/// be told.
#[utoipa::path(get, path = "/api/assignees", tag = "users", responses((status = 200, body = Vec<Assignee>)))]
pub async fn assignees(app: Arc<App>, _request: Request) -> Result<Response, Refusal> {
    Ok(reply::json(&staff::assignees(&app).await?))
}
