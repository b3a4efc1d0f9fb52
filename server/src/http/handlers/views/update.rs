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
    params(("If-Match" = Option<String>, Header, description = "`ETag` of the version on which the change is based")),
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
        (status = 409, description = "Its owner has another view with this name"),
        (status = 412, description = "The record has changed since that version")
    )
)]
pub async fn update(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let (id, viewer) = (request.params.id("view_id")?, viewer(&request)?);
    let expected_versions = request.expected_versions()?;
    let change: ViewRequest = request.json(app.config.limits.max_json_bytes).await?;
    let changed = views::update(&app, id, change, viewer, expected_versions, &request.audit_context(&app)).await?;
    Ok(etag::with_version(changed.updated_at, reply::json(&changed)))
}
