//! `DELETE /api/views/{view_id}`.

use std::sync::Arc;

use super::viewer;
use crate::http::problem::Problem;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::app::App;
use crate::service::leads::views;

/// Delete a saved view.
///
/// A shared view can be deleted by its owner, managers and admins.
#[utoipa::path(
    delete,
    path = "/api/views/{view_id}",
    tag = "views",
    params(("view_id" = i64, Path, minimum = 1)),
    responses((status = 204, description = "Removed"))
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let (id, viewer) = (request.params.id("view_id")?, viewer(&request)?);
    views::delete(&app, id, viewer, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
