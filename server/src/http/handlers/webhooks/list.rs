use leadscribe_engine::api::{Page, Webhook};

use super::owner;
use crate::http::prelude::*;
use crate::service::webhooks;

/// List the webhooks, newest first.
///
/// A speech token gets its own webhooks.
#[utoipa::path(
    get,
    path = "/api/webhooks",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<Webhook>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let slice = request.query.slice(app.config.limits.max_page_size)?;
    Ok(reply::json(&webhooks::list(&app, owner(&request), slice).await?))
}
