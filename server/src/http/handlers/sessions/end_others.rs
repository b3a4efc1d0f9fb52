use crate::http::prelude::*;
use crate::service::auth::session_list;

/// End all your sessions except the current one.
#[utoipa::path(
    delete,
    path = "/api/sessions",
    responses((status = 204, description = "The sessions have ended"))
)]
pub async fn end_others(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let (session, session_hash) = request.identity.staff()?;
    session_list::end_others(&app, session.user.id, session_hash, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
