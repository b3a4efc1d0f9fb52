//! `PUT /api/views/{view_id}`.

use leadscribe_engine::api::{SavedView, ViewRequest};

use super::viewer;
use crate::http::prelude::*;
use crate::service::leads::views;

/// Change the name, content or sharing of a saved view.
///
/// A shared view can be changed by its owner, managers and admins. If its owner was removed, the next editor becomes the owner.
///
/// This request also restores a view that the user deleted, under the same id.
#[utoipa::path(
    put,
    path = "/api/views/{view_id}",
    request_body(
        content = ViewRequest,
        example = json!({
            "name": "Berlin",
            "filter": "{\"city\":\"Berlin\",\"limit\":\"50;0\"}",
            "dates": "",
            "columns": "",
            "shared": true
        })
    ),
    responses(
        (status = 200, body = SavedView),
        (status = 409, description = "Its owner has another view with this name")
    )
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let (id, viewer) = (request.params.id("view_id")?, viewer(&request)?);
    let change: ViewRequest = request.json(app.config.limits.max_json_bytes).await?;
    Ok(reply::json(&views::update(&app, id, change, viewer, &request.audit_context(&app)).await?))
}
