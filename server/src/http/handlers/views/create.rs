use leadscribe_engine::api::{SavedView, ViewRequest};

use super::viewer;
use crate::http::prelude::*;
use crate::service::leads::views;

/// Save a view of the list of leads.
///
/// The view is private unless it is shared with all staff. Every member of staff can save views; managers and admins can share them.
#[utoipa::path(
    post,
    path = "/api/views",
    request_body(
        content = ViewRequest,
        example = json!({
            "name": "Berlin, not yet called",
            "filter": "{\"city\":\"Berlin\",\"calls_count\":0,\"limit\":\"50;0\",\"_order\":\"-created_at\"}",
            "dates": "created_at:last-7-days",
            "columns": "number,place,created_at",
            "shared": false
        })
    ),
    responses(
        (status = 201, body = SavedView, headers(("Location" = String, description = "URL of the created resource"))),
        (status = 409, description = "The user already has a view with this name, or 200 views")
    )
)]
pub async fn create(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let viewer = viewer(&request)?;
    let new_view: ViewRequest = request.json(app.config.limits.max_json_bytes).await?;
    let saved = views::create(&app, new_view, viewer, &request.audit_context(&app)).await?;
    Ok(etag::with_version(saved.updated_at, reply::created(&format!("/api/views/{}", saved.id), &saved)))
}
