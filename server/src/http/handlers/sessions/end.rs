use crate::http::prelude::*;
use crate::service::auth::session_list;

/// End one of your sessions.
///
/// The device that uses it must log in again. It may be the session that sends the request.
#[utoipa::path(
    delete,
    path = "/api/sessions/{session_id}",
    responses((status = 204, description = "Ended"))
)]
pub async fn end(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let id = request.params.id("session_id")?;
    let (session, _) = request.identity.staff()?;
    session_list::end(&app, session.user.id, id, &request.audit_context(&app)).await?;
    Ok(reply::no_content())
}
