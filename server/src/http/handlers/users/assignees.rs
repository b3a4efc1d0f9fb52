use leadscribe_engine::api::{Assignee, Page};

use crate::http::prelude::*;
use crate::service::auth::staff;

/// List the staff that leads can be assigned to, by email.
///
/// Contains only data that all staff may see about each other. Deactivated staff are included, so that the owner of a lead can always be
/// shown.
#[utoipa::path(
    get,
    path = "/api/assignees",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<Assignee>))
)]
pub async fn assignees(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let slice = request.query.slice(app.config.limits.max_page_size)?;
    Ok(reply::json(&staff::assignees(&app, slice).await?))
}
