//! `DELETE /api/views/{view_id}`.

use super::viewer;
use crate::http::prelude::*;
use crate::service::leads::views;

/// Delete a saved view.
///
/// A shared view can be deleted by its owner, managers and admins.
#[utoipa::path(
    delete,
    path = "/api/views/{view_id}",
    responses((status = 204, description = "Removed"))
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let (id, viewer) = (request.params.id("view_id")?, viewer(&request)?);
    views::delete(&app, id, viewer, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
