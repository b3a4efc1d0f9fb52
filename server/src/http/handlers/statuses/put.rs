use leadscribe_engine::api::{LeadStatus, StatusRequest};

use crate::http::prelude::*;
use crate::service::leads::statuses;

/// Create or change a status.
#[utoipa::path(
    put,
    path = "/api/statuses/{name}",
    params(("name" = String, Path, pattern = "^[a-z0-9_]{1,50}$", example = "call_back_later")),
    request_body(content = StatusRequest, example = json!({ "label": "Call back later", "dialable": true })),
    responses((status = 200, body = LeadStatus))
)]
pub async fn put(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let StatusRequest { label, dialable } = request.json(app.config.limits.max_json_bytes).await?;
    let status = LeadStatus { name: request.params.text("name").to_owned(), label, dialable };
    Ok(reply::json(&statuses::put(&app, status, &request.audit_context(&app)).await?))
}
