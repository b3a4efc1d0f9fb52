use leadscribe_engine::api::{ApiKey, Page};

use crate::http::prelude::*;
use crate::service::auth::credentials;

/// List all API keys without their secrets, newest first.
#[utoipa::path(
    get,
    path = "/api/api-keys",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<ApiKey>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let slice = request.query.slice(app.config.limits.max_page_size)?;
    Ok(reply::json(&credentials::api_keys(&app, slice).await?))
}
