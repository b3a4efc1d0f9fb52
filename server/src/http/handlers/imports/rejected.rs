use leadscribe_engine::api::{Page, RejectedRow};

use super::authorize_read;
use crate::http::prelude::*;
use crate::service::imports;

/// List the rejected rows of an import with their errors, by line.
///
/// Rows are cut after 2,000 characters with `…`; `rejected.csv` has them in full. They are stored for 30 days from the start of the import,
/// or one day for a dry run. The counts stay. Imports of calls need the scope `calls:read`, all others `leads:read`.
#[utoipa::path(
    get,
    path = "/api/imports/{import_id}/rejected",
    params(("limit" = Option<String>, Query, description = "`<count>` or `<count>;<offset>`", example = "100;0")),
    responses(
        (status = 200, body = Page<RejectedRow>),
        (status = 410, description = "The rejected rows were purged")
    )
)]
pub async fn rejected(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = authorize_read(&app, &request).await?;
    let slice = request.query.slice(app.config.limits.max_page_size)?;
    Ok(reply::json(&imports::rejected(&app, id, slice).await?))
}
