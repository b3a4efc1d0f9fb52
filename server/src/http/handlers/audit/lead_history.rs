use leadscribe_engine::api::{AuditEntry, Page};

use crate::http::prelude::*;
use crate::service::leads;

/// List the changes of a lead and of its campaign leads, newest first.
///
/// An import that created or changed the lead is shown with its file name as long as it can be undone. Changes in campaigns that the lead
/// has left are not listed.
#[utoipa::path(
    get,
    path = "/api/audit-log/leads/{lead_id}",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<AuditEntry>))
)]
pub async fn lead_history(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("lead_id")?;
    let slice = request.query.slice(app.config.limits.max_page_size)?;
    Ok(reply::json(&leads::history(&app, id, slice).await?))
}
