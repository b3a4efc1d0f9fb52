use leadscribe_engine::api::{Page, SkippedRecord};

use super::authorize_read;
use crate::http::prelude::*;
use crate::service::imports::undo;

/// List the records that the undo of an import skipped, with the reasons, by id.
///
/// Imports of calls need the scope `calls:read`, all others `leads:read`.
#[utoipa::path(
    get,
    path = "/api/imports/{import_id}/undo/skipped",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses((status = 200, body = Page<SkippedRecord>))
)]
pub async fn skipped_by_undo(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = authorize_read(&app, &request).await?;
    let slice = request.query.slice(app.config.limits.max_page_size)?;
    Ok(reply::json(&undo::skipped_rows(&app, id, slice).await?))
}
