use leadscribe_engine::api::{Page, User};

use crate::http::prelude::*;
use crate::service::auth::staff;

/// List all staff, by email.
#[utoipa::path(
    get,
    path = "/api/users",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<User>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let slice = request.query.slice(app.config.limits.max_page_size)?;
    Ok(reply::json(&staff::list(&app, slice).await?))
}
