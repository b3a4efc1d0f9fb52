use leadscribe_engine::api::Import;

use super::authorize_write;
use crate::http::prelude::*;
use crate::service::imports::undo;

/// Cancel the undo of an import.
///
/// It stops after the current batch of 500 rows. Rows that were already undone stay undone. Then `undo` of the import is `cancelled` with
/// the number of rows, or `possible` if there are none. Request the undo again to continue. Imports of calls also need the scope
/// `calls:write`.
#[utoipa::path(
    post,
    path = "/api/imports/{import_id}/undo/cancel",
    responses(
        (status = 200, body = Import),
        (status = 409, description = "The import is not being undone")
    )
)]
pub async fn cancel_undo(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = authorize_write(&app, &request).await?;
    Ok(reply::json(&undo::cancel(&app, id, &request.audit_context(&app)).await?))
}
