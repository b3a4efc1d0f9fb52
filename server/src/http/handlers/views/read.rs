use leadscribe_engine::api::SavedView;

use super::viewer;
use crate::http::prelude::*;
use crate::service::leads::views;

/// Get a saved view.
///
/// Another user's private view is reported as not found.
#[utoipa::path(
    get,
    path = "/api/views/{view_id}",
    params(("If-None-Match" = Option<String>, Header, description = "`ETag` of an earlier response")),
    responses((status = 200, body = SavedView), (status = 304, description = "The client's copy is up to date"))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("view_id")?;
    let view = views::read(&app, id, viewer(&request)?).await?;
    Ok(etag::conditional_json(&request.headers, Some(view.updated_at), &view))
}
