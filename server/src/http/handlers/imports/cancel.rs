use leadscribe_engine::api::Import;

use super::authorize_write;
use crate::http::prelude::*;
use crate::service::imports::cancellation;

/// Cancel a running import.
///
/// It stops before its next batch of 2,000 rows and becomes `cancelled`; `counts.read` is the number of rows read. Imported rows stay and
/// can be undone. Importing the same file again continues the import. Dry runs are cancelled in the same way. Imports of calls also need
/// the scope `calls:write`.
#[utoipa::path(
    post,
    path = "/api/imports/{import_id}/cancel",
    responses(
        (status = 202, body = Import, headers(("Location" = String, description = "URL of its progress"))),
        (status = 409, description = "The import has ended")
    )
)]
pub async fn cancel(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = authorize_write(&app, &request).await?;
    let import = cancellation::request(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::accepted(&format!("/api/imports/{id}"), &import))
}
