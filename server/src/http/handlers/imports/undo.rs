use leadscribe_engine::api::Import;

use super::authorize_write;
use crate::http::prelude::*;
use crate::service::imports::undo;

/// Undo an import.
///
/// Records that the import created are deleted; records that it changed get their previous values back. Records that have been changed
/// since or are in use are skipped: leads in a campaign or with calls, campaigns with leads or calls, calls that were submitted to speech
/// recognition. `/api/imports/{import_id}/undo/skipped` lists them with the reason. Statuses that the import added stay.
///
/// The undo runs in the background; `undo` of the import shows its progress. It is possible once, for 30 days after the import, and not for
/// imports by `leadscribe import`. Imports of calls also need the scope `calls:write`.
#[utoipa::path(
    post,
    path = "/api/imports/{import_id}/undo",
    responses(
        (status = 202, body = Import, headers(("Location" = String, description = "URL of its progress"))),
        (status = 409, description = "The import is running or already undone, or its changes are no longer stored")
    )
)]
pub async fn undo(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = authorize_write(&app, &request).await?;
    let import = undo::begin(&app, id, &request.audit_context(&app)).await?;
    Ok(reply::accepted(&format!("/api/imports/{id}"), &import))
}
