use leadscribe_engine::api::SessionInfo;

use crate::http::prelude::*;
use crate::service::auth::session_list;

/// List your active sessions, most recently used first.
///
/// The list has at most 100 sessions.
#[utoipa::path(
    get,
    path = "/api/sessions",
    responses((status = 200, body = Vec<SessionInfo>))
)]
pub async fn list(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let (session, session_hash) = request.identity.staff()?;
    Ok(reply::json(&session_list::list(&app, session.user.id, session_hash).await?))
}
