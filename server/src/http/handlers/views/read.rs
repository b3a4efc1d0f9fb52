//! `GET /api/views/{view_id}`.

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
    responses((status = 200, body = SavedView))
)]
pub async fn read(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("view_id")?;
    Ok(reply::json(&views::read(&app, id, viewer(&request)?).await?))
}
