//! `POST /api/imports/{import_id}/undo`.

use std::sync::Arc;

use leadscribe_engine::api::Import;

use super::writable;
use crate::app::App;
use crate::http::problem::Refusal;
use crate::http::reply::{self, Response};
use crate::http::request::Request;
use crate::service::imports::undo;

/// Undo an import.
///
/// What it made is deleted, and what else it changed gets back what it had, unless somebody changed or used it since: a lead that
/// is in a campaign or has calls, a campaign with leads or calls, a call that was sent to speech recognition. These are left as
/// they are, and listed with why at `/api/imports/{import_id}/left`. Statuses that the import added stay.
///
/// The undo goes on after the answer; `undo` of the import tells how far it is. It can be asked for once, as long as it is kept
/// what the import changed: for 30 days, and not for imports by `leadscribe import`. Of calls it needs the scope `calls:write` too.
#[utoipa::path(
    post,
    path = "/api/imports/{import_id}/undo",
    tag = "imports",
    params(("import_id" = i64, Path, minimum = 1)),
    responses(
        (status = 202, body = Import, headers(("Location" = String, description = "Where its progress is"))),
        (status = 404, description = "There is no such import"),
        (status = 409, description = "It is running or undone already, or what it changed is not kept")
    )
)]
pub async fn undo(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    let id = writable(&app, &request).await?;
    let import = undo::begin(&app, id, &request.origin(&app)).await?;
    Ok(reply::accepted(&format!("/api/imports/{id}"), &import))
}
