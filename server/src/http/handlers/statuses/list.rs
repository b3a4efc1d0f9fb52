use leadscribe_engine::api::{LeadStatus, Page};

use crate::http::prelude::*;
use crate::service::leads::statuses;

/// List all statuses of campaign leads, in their configured order.
#[utoipa::path(get, path = "/api/statuses", tag = "statuses", responses((status = 200, body = Page<LeadStatus>)))]
pub async fn list(app: Arc<App>, _request: Request) -> Result<Response, Problem> {
    let items = statuses::list(&app).await?;
    let total = items.len() as u64;
    Ok(reply::json(&Page { items, total }))
}
