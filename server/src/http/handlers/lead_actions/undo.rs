use leadscribe_engine::api::LeadActionUndo;

use crate::http::prelude::*;
use crate::service::leads::lead_actions;

/// Undo a bulk action on leads.
///
/// Restores the previous values. Leads that were changed or deleted since are skipped and counted. Leads that the action added to a
/// campaign are removed from it, unless they were changed there or have calls.
#[utoipa::path(
    post,
    path = "/api/leads/actions/{action_id}/undo",
    responses(
        (status = 200, body = LeadActionUndo),
        (status = 404, description = "There is no such action, or it is no longer stored"),
        (status = 409, description = "The action is already undone")
    )
)]
pub async fn undo(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("action_id")?;
    Ok(reply::json(&lead_actions::undo(&app, id, &request.audit_context(&app)).await?))
}
