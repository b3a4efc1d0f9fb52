use leadscribe_engine::api::{LeadStatus, Page, StatusOrderRequest};

use crate::http::prelude::*;
use crate::service::leads::statuses;

/// Reorder the statuses.
///
/// The body must name each status once. Returns all statuses in their new order.
#[utoipa::path(
    put,
    path = "/api/statuses",
    request_body = StatusOrderRequest,
    responses(
        (status = 200, body = Page<LeadStatus>),
        (status = 409, description = "A status is missing or listed more than once"),
        (status = 422, description = "There is no status with this name")
    )
)]
pub async fn order(app: Arc<App>, mut request: Request) -> Result<Response, Problem> {
    let StatusOrderRequest { names } = request.json(app.config.limits.max_json_bytes).await?;
    let items = statuses::reorder(&app, names, &request.audit_context(&app)).await?;
    let total = items.len() as u64;
    Ok(reply::json(&Page { items, total }))
}
