use leadscribe_engine::api::{CallbackEndpoint, Page};

use crate::http::prelude::*;
use crate::service::deliveries;

/// List the callback URLs by latest delivery.
///
/// Only deliveries that are still stored count.
#[utoipa::path(
    get,
    path = "/api/callback-endpoints",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<CallbackEndpoint>))
)]
pub async fn endpoints(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let slice = request.query.slice(app.config.limits.max_page_size)?;
    Ok(reply::json(&deliveries::endpoints(&app, slice).await?))
}
