//! `GET /api/assignees`.

use std::sync::Arc;

use leadscribe_engine::api::{Assignee, Page};

use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::staff;

/// Staff that leads can be assigned to, by e-mail.
///
/// What every member of staff may know of the others; those who were deactivated are among them, so that their leads can
/// be told.
#[utoipa::path(
    get,
    path = "/api/assignees",
    tag = "users",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<Assignee>))
)]
pub async fn assignees(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let slice = request.query.slice(app.config.limits.max_page)?;
    Ok(reply::json(&staff::assignees(&app, slice).await?))
}
