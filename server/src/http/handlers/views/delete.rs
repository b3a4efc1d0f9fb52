use super::viewer;
use crate::http::prelude::*;
use crate::service::leads::views;

/// Delete a saved view.
///
/// A shared view can be deleted by its owner, managers and admins.
#[utoipa::path(
    delete,
    path = "/api/views/{view_id}",
    params(("If-Match" = Option<String>, Header, description = "`ETag` of the version on which the change is based")),
    responses((status = 204, description = "Removed"), (status = 412, description = "The record has changed since that version"))
)]
pub async fn delete(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let (id, viewer) = (request.params.id("view_id")?, viewer(&request)?);
    views::delete(&app, id, viewer, request.expected_versions()?, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
