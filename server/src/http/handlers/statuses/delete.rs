//! `DELETE /api/statuses/{name}`.

use std::sync::Arc;

use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::leads::statuses;

/// Delete a status.
///
/// A status that campaign leads have can't be deleted.
#[utoipa::path(
    delete,
    path = "/api/statuses/{name}",
    tag = "statuses",
    params(("name" = String, Path, example = "call_back_later")),
    responses(
        (status = 204, description = "Removed"),
        (status = 404, description = "There is no such status"),
        (status = 409, description = "Campaign leads have it")
    )
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    statuses::delete(&app, request.params.text("name"), &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
